/** The runs of a check, read from its log. */
import type { Cause } from '../../core/checks/health/cause.js'
import type { PassedDeadline } from '../../core/checks/health/judge.js'
import { factsOf, openRuns } from '../../core/checks/health/runs.js'
import type { Action } from '../../core/pings/ping-event.js'
import { type LedgerRun, type LoggedEvent, runsIn } from '../../core/pings/run-ledger.js'
import type { CheckWithIds } from '../checks/check-rows.js'
import { type CheckRef, findCheck } from '../checks/find-check.js'
import type { Db } from '../db.js'
import { read } from '../method.js'

/** Some runs, newest first. `next`: what to ask for the ones before with, or null if there are none. */
export interface RunPage {
  runs: LedgerRun[]
  next: number | null
}

/** The newest runs of a check whose first ping has a number below `before` (null: the newest of all). `Refusal` as {@link findCheck}. */
export const listRuns = read(
  async (
    db: Db,
    projectId: number,
    ref: CheckRef,
    { before, limit }: { before: number | null; limit: number },
  ): Promise<RunPage> => {
    const check = await findCheck(db, projectId, ref)
    const pings = await eventsOf(db, check)
    const logged = await passedDeadlines(db, check.id)
    const passed = [...logged, ...(await silentOverruns(db, check, pings, logged))]
    const open = openRuns(factsOf(check), check)
    const all = runsIn({ pings, passed, open, trackRuns: check.trackRuns }).reverse()
    const left = before === null ? all : all.filter(run => firstPing(run) < before)
    const runs = left.slice(0, limit)
    return { runs, next: left.length > limit ? firstPing(runs.at(-1)!) : null }
  },
)

/** Runs are in the order of these. */
function firstPing({ pings }: LedgerRun): number {
  return pings[0]!
}

async function eventsOf(db: Db, check: CheckWithIds): Promise<LoggedEvent[]> {
  const rows = await db.sql
    .selectFrom('pings')
    .select(['n', 'created_at as at', 'kind', 'rid', 'cause'])
    .select(['exit_status as exitStatus', 'duration as durationMs'])
    .where('check_id', '=', check.id)
    .where('n', '>', check.nPings - db.settings.pingLogLimit)
    .where('kind', 'in', ['start', 'success', 'fail'])
    .orderBy('n')
    .execute()
  return rows.map(({ kind, cause, ...row }) => ({
    ...row,
    action: kind as Action,
    cause: cause as Cause | null,
  }))
}

async function passedDeadlines(db: Db, checkId: number): Promise<PassedDeadline[]> {
  const rows = await db.sql
    .selectFrom('passed_deadlines')
    .select(['passed_at as at', 'cause', 'since_at as since', 'rid'])
    .where('check_id', '=', checkId)
    .orderBy('id')
    .execute()
  return rows.map(({ cause, ...row }) => ({ ...row, cause: cause as PassedDeadline['cause'] }))
}

/**
 * Of a check with the defaults a flip alone says that a run took too long: with `latest` that is the run that started last.
 * With `each` that holds for the time before deadlines were logged.
 */
async function silentOverruns(
  db: Db,
  check: CheckWithIds,
  pings: readonly LoggedEvent[],
  logged: readonly PassedDeadline[],
): Promise<PassedDeadline[]> {
  const flips = await db.sql
    .selectFrom('flips')
    .select('created_at as at')
    .where('check_id', '=', check.id)
    .where('reason', '=', 'overrun')
    .execute()
  const first = check.trackRuns === 'latest' ? undefined : logged[0]
  return flips.flatMap(({ at }) => {
    const start = pings.findLast(ping => ping.action === 'start' && ping.at < at)
    if (!start || (first && at >= first.at)) return []
    return [{ at, cause: 'overrun' as const, since: start.at, rid: start.rid }]
  })
}
