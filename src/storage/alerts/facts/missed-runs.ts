import type { Check } from '../../../core/checks/check.js'
import { countMissed } from '../../../core/checks/count-missed.js'
import { startTimeMs } from '../../../core/checks/health/rules.js'
import { timeOf } from '../../../core/pings/back-dated.js'
import type { Db } from '../../db.js'
import { outagesSince } from '../../instance/outages.js'
import { waivedSpans } from '../../silences/waived.js'

/** The number of pings that are searched; if there are more, nothing counts as missed. */
const LOOKED_AT = 20

/**
 * The number of occurrences that a check missed between going down for silence at `downAt` and coming up at `upAt`
 * (ms): those before the first new ping at which one was expected. 0 if unknown, or if Punctual could not receive pings.
 */
export async function missedRuns(
  db: Db,
  check: Check & { id: number; projectId: number },
  { downAt, upAt }: { downAt: number; upAt: number },
): Promise<number> {
  const rows = await db.sql
    .selectFrom('pings')
    .select(['created_at as at', 'ran_at as ranAt'])
    .where('check_id', '=', check.id)
    .where('created_at', '<=', upAt)
    .where('kind', 'in', ['start', 'success', 'fail'])
    .orderBy('n', 'desc')
    .limit(LOOKED_AT)
    .execute()
  const pings = rows.map(row => ({ at: timeOf(row) }))
  const came = pings.findLast(({ at }) => at >= downAt)
  const before = pings.find(({ at }) => at < downAt)
  if (!came || (!before && pings.length === LOOKED_AT)) return 0
  const dueAt = (await firstMissed(db, check.id, before?.at ?? 0, downAt)) ?? downAt - startTimeMs(check)
  if (countMissed(check, dueAt, came.at) === 0) return 0
  const waived = await waivedSpans(db, check, { from: dueAt, to: came.at })
  if (waived === null) return 0
  const count = countMissed(check, dueAt, came.at, waived)
  if (count < 2) return count
  const outages = await outagesSince(db, dueAt, check)
  return outages.some(({ startedAt }) => startedAt <= came.at) ? 0 : count
}

/** The due time of the first occurrence that was missed since the last ping. */
async function firstMissed(db: Db, checkId: number, since: number, downAt: number): Promise<number | null> {
  const row = await db.sql
    .selectFrom('passed_deadlines')
    .select('since_at as dueAt')
    .where('check_id', '=', checkId)
    .where('passed_at', '>', since)
    .where('passed_at', '<=', downAt)
    .where('cause', '=', 'missed')
    .orderBy('passed_at')
    .limit(1)
    .executeTakeFirst()
  return row?.dueAt ?? null
}
