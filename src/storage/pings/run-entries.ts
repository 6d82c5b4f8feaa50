/** The runs of a check for its page, with their pings and the occurrences missed between them. */
import { startTimeMs } from '../../core/checks/health/rules.js'
import type { TimelinePing } from '../../core/checks/history/timeline.js'
import { type MissedOccurrence, type RunEntry, runOfLog, withMissed } from '../../core/pings/run-entries.js'
import { type LedgerRun, MOST_PINGS_APART } from '../../core/pings/run-ledger.js'
import { appendTo } from '../../lib/append-to.js'
import { findCheck } from '../checks/find-check.js'
import { isSilentFlip } from '../checks/history/flip-rows.js'
import type { CheckWithIds } from '../checks/rows/check-rows.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { prepared, preparedList } from '../prepared.js'
import { firstKept, type RunPageQuery, runPageOf } from './run-ledger.js'
import { selectPings, toTimelinePing } from './timeline-pings.js'

/** The maximum number of pings listed with a run, and of `log` pings for all runs of a page. */
const PINGS_OF_RUN = 10
const LOGS_OF_PAGE = 200

export interface RunEntries {
  /** Newest first. */
  entries: RunEntry<TimelinePing>[]
  /** The cursor of the next page, with older runs; null if there are none. */
  next: number | null
}

/** A page of runs, newest first, as from {@link listRuns}. Throws a `Refusal` as {@link findCheck}. */
export const runEntries = read(
  async (db: Db, projectId: number, uuid: string, query: RunPageQuery): Promise<RunEntries> => {
    const check = await findCheck(db, projectId, { uuid })
    const { runs, next } = await runPageOf(db, check, query)
    const pings = await pingsByRun(db, check, runs)
    const from = await instantOf(db, check, next ?? firstKept(db, check))
    const until = query.before === null ? Number.MAX_SAFE_INTEGER : await instantOf(db, check, query.before)
    const missed = await missedBetween(db, check, from, until)
    const listed = runs.map(run => ({
      run,
      pings: (pings.get(run) ?? []).sort((a, b) => a.n - b.n),
    }))
    return { entries: withMissed(listed, missed), next }
  },
)

async function pingsByRun(db: Db, check: CheckWithIds, runs: readonly LedgerRun[]) {
  const byRun = new Map<LedgerRun, TimelinePing[]>()
  if (runs.length === 0) return byRun
  const byNumber = new Map(runs.flatMap(run => run.pings.slice(0, PINGS_OF_RUN).map(n => [n, run] as const)))
  const numbers = [...byNumber.keys()].map(n => ({ n }))
  const signals = await numbered(db, { checkId: check.id }, numbers)
  for (const row of signals) appendTo(byRun, byNumber.get(row.n)!, toTimelinePing(row))
  const last = lastOf(runs, check)
  const logs = await logsAfter.all(db, {
    checkId: check.id,
    after: Math.max(runs.at(-1)!.pings[0]!, last - MOST_PINGS_APART),
    last,
  })
  for (const row of logs) {
    const run = runOfLog(runs, row)
    if (run) appendTo(byRun, run, toTimelinePing(row))
  }
  return byRun
}

const logsAfter = prepared((sql, value: { checkId: number; after: number; last: number }) =>
  selectPings(sql, value.checkId)
    .where('kind', '=', 'log')
    .where('n', '>', value.after)
    .where('n', '<=', value.last)
    .orderBy('n', 'desc')
    .limit(LOGS_OF_PAGE),
)

const numbered = preparedList((sql, value: { checkId: number }, items: { n: number }[]) =>
  selectPings(sql, value.checkId).where(
    'n',
    'in',
    items.map(({ n }) => n),
  ),
)

/** The number of the last ping that may belong to one of these runs. */
function lastOf(runs: readonly LedgerRun[], { nPings }: CheckWithIds): number {
  return Math.max(...runs.map(run => (run.outcome === 'open' ? nPings : run.pings.at(-1)!)))
}

/** The time of ping `n`, or of the first one after it. */
async function instantOf(db: Db, check: CheckWithIds, n: number): Promise<number> {
  const [row] = await firstFrom.all(db, { checkId: check.id, n })
  return row?.at ?? Number.MAX_SAFE_INTEGER
}

const firstFrom = prepared((sql, value: { checkId: number; n: number }) =>
  sql
    .selectFrom('pings')
    .select('created_at as at')
    .where('check_id', '=', value.checkId)
    .where('n', '>=', value.n)
    .orderBy('n')
    .limit(1),
)

/**
 * The missed occurrences between two instants (ms), from the log of deadlines or, for a check with the
 * defaults, from its flips.
 */
async function missedBetween(
  db: Db,
  check: CheckWithIds,
  from: number,
  until: number,
): Promise<MissedOccurrence[]> {
  const within = { checkId: check.id, from, until }
  const logged = await missedDeadlines.all(db, within)
  const flips = await missedFlips.all(db, within)
  const known = new Set(logged.map(({ at }) => at))
  const others = flips.filter(({ at }) => !known.has(at))
  return [...logged, ...others.map(({ at }) => ({ at, dueAt: at - startTimeMs(check) }))]
}

interface Within extends Record<string, number> {
  checkId: number
  from: number
  until: number
}

const missedDeadlines = prepared((sql, value: Within) =>
  sql
    .selectFrom('passed_deadlines')
    .select(['passed_at as at', 'since_at as dueAt'])
    .where('check_id', '=', value.checkId)
    .where('passed_at', '>=', value.from)
    .where('passed_at', '<', value.until)
    .where('cause', '=', 'missed'),
)

const missedFlips = prepared((sql, value: Within) =>
  sql
    .selectFrom('flips')
    .select('created_at as at')
    .where('check_id', '=', value.checkId)
    .where('created_at', '>=', value.from)
    .where('created_at', '<', value.until)
    .where(isSilentFlip())
    .where('reason', '=', 'missed'),
)
