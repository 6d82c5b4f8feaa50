/** Finds the runs that took too long, in the log of deadlines or, for a check with the defaults, in its flips. */
import type { PassedDeadline } from '../../core/checks/health/judge.js'
import { tracksEachRun } from '../../core/checks/health/rules.js'
import { timeOf } from '../../core/pings/back-dated.js'
import { MOST_PINGS_APART } from '../../core/pings/run-ledger.js'
import { isSilentFlip } from '../checks/history/flip-rows.js'
import type { CheckWithIds } from '../checks/rows/check-rows.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'
import type { RunStretch } from './run-stretch.js'

/** The overruns of the runs in a part of the log. */
export async function overruns(db: Db, check: CheckWithIds, stretch: RunStretch): Promise<PassedDeadline[]> {
  const starts = stretch.runs.flatMap(run => run.startedAt ?? [])
  if (starts.length === 0) return []
  const [from, until] = [Math.min(...starts), Math.max(...starts)]
  return [...(await logged(db, check.id, from, until)), ...(await ofFlips(db, check, stretch, from))]
}

async function logged(db: Db, checkId: number, from: number, until: number): Promise<PassedDeadline[]> {
  const rows = await loggedOverruns.all(db, { checkId, from, until })
  return rows.map(row => ({ ...row, cause: 'overrun' }))
}

const loggedOverruns = prepared((sql, value: { checkId: number; from: number; until: number }) =>
  sql
    .selectFrom('passed_deadlines')
    .select(['passed_at as at', 'since_at as since', 'rid'])
    .where('check_id', '=', value.checkId)
    .where('since_at', '>=', value.from)
    .where('since_at', '<=', value.until)
    .where('cause', '=', 'overrun'),
)

const overrunFlips = prepared((sql, value: { checkId: number; from: number; until: number }) =>
  sql
    .selectFrom('flips')
    .select('created_at as at')
    .where('check_id', '=', value.checkId)
    .where('created_at', '>', value.from)
    .where('created_at', '<=', value.until)
    .where(isSilentFlip())
    .where('reason', '=', 'overrun'),
)

/**
 * A flip tells only that a run took too long: with `latest`, that is the run that started last. With `each`, this
 * applies to the time before deadlines were logged.
 */
async function ofFlips(
  db: Db,
  check: CheckWithIds,
  { pings, to }: RunStretch,
  from: number,
): Promise<PassedDeadline[]> {
  const until = await endOfReading(db, check, to)
  const flips = await overrunFlips.all(db, { checkId: check.id, from, until })
  return flips.flatMap(({ at }) => {
    const start = pings.findLast(ping => ping.action === 'start' && ping.at < at)
    return start ? [{ at, cause: 'overrun' as const, since: timeOf(start), rid: start.rid }] : []
  })
}

/** The instant (ms) until which the last start before ping `to` is the last one. */
async function endOfReading(db: Db, check: CheckWithIds, to: number): Promise<number> {
  const next =
    to > check.nPings
      ? undefined
      : await db.sql
          .selectFrom('pings')
          .select('created_at as at')
          .where('check_id', '=', check.id)
          .where('n', '>=', to)
          .where('n', '<', to + MOST_PINGS_APART)
          .where('kind', '=', 'start')
          .orderBy('n')
          .limit(1)
          .executeTakeFirst()
  const first = !tracksEachRun(check)
    ? undefined
    : await db.sql
        .selectFrom('passed_deadlines')
        .select('passed_at as at')
        .where('check_id', '=', check.id)
        .orderBy('passed_at')
        .limit(1)
        .executeTakeFirst()
  return Math.min(next?.at ?? Number.MAX_SAFE_INTEGER, (first?.at ?? Number.MAX_SAFE_INTEGER) - 1)
}
