/** A part of a check's log of pings, with filters. */
import type { ExpressionBuilder } from 'kysely'
import type { TimelinePing } from '../../core/checks/history/timeline.js'
import type { Action } from '../../core/pings/ping-event.js'
import { durationsOf } from '../../core/pings/ping-log.js'
import { type CheckRef, findCheck } from '../checks/find-check.js'
import type { CheckWithIds } from '../checks/rows/check-rows.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import type { Tables } from '../tables.js'
import { eventsBefore } from './ping-log.js'
import { firstKept } from './run-ledger.js'
import { selectPings, toTimelinePing } from './timeline-pings.js'

/** Which pings: of these kinds, from `from` on, and before `to` (ms); everything is optional. */
export interface PingFilter {
  kinds?: readonly Action[] | undefined
  from?: number | undefined
  to?: number | undefined
}

/** Some pings, newest first. `next`: the number of the last one, or null if there are no more. */
export interface PingPage {
  pings: TimelinePing[]
  next: number | null
}

/** At most `limit` pings with numbers below `before` (null: the newest of all). `Refusal` as {@link findCheck}. */
export const listPage = read(
  async (
    db: Db,
    projectId: number,
    ref: CheckRef,
    filter: PingFilter,
    { before, limit }: { before: number | null; limit: number },
  ): Promise<PingPage> => {
    const check = await findCheck(db, projectId, ref)
    const rows = await selectPings(db.sql, check.id)
      .where(isInPage(db, check, filter, before))
      .orderBy('n', 'desc')
      .limit(limit + 1)
      .execute()
    const pings = await withDurations(db, check.id, rows.slice(0, limit).map(toTimelinePing))
    return { pings, next: rows.length > limit ? pings.at(-1)!.n : null }
  },
)

/** Whether a ping of the check is stored, passes the filter, and has a number below `before`. */
export function isInPage(
  db: Db,
  check: CheckWithIds,
  { kinds, from, to }: PingFilter,
  before: number | null,
) {
  return (eb: ExpressionBuilder<Tables, 'pings'>) => {
    const conditions = [eb('n', '>=', firstKept(db, check))]
    if (before !== null) conditions.push(eb('n', '<', before))
    if (kinds !== undefined) conditions.push(eb('kind', 'in', kinds))
    if (from !== undefined) conditions.push(eb('created_at', '>=', from))
    if (to !== undefined) conditions.push(eb('created_at', '<', to))
    return eb.and(conditions)
  }
}

/** These pings of a check, newest first, with the durations of the runs that they end, as far as these are known. */
export async function withDurations(
  db: Db,
  checkId: number,
  pings: readonly TimelinePing[],
): Promise<TimelinePing[]> {
  const durations = await durationsAmong(db, checkId, pings)
  return pings.map(ping => ({ ...ping, durationMs: ping.durationMs ?? durations.get(ping.n) ?? null }))
}

/** The durations of runs that end among these pings, whichever kinds of pings they are. */
async function durationsAmong(db: Db, checkId: number, pings: readonly TimelinePing[]) {
  const [newest, oldest] = [pings[0], pings.at(-1)]
  if (!newest || !oldest) return new Map<number, number>()
  const rows = await db.sql
    .selectFrom('pings')
    .select(['n', 'created_at as at', 'ran_at as ranAt', 'kind', 'rid'])
    .where('check_id', '=', checkId)
    .where('n', '>=', oldest.n)
    .where('n', '<=', newest.n)
    .where('kind', 'in', ['start', 'success', 'fail'])
    .orderBy('n')
    .execute()
  const log = rows.map(({ kind, ...row }) => ({ ...row, action: kind as Action }))
  return durationsOf([...(await eventsBefore(db, checkId, log)), ...log])
}
