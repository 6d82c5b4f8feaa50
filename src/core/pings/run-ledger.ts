/** The runs of a check, read from its log. The rules are in docs/runs.md. */
import type { Rules } from '../checks/check.js'
import type { Cause } from '../checks/health/cause.js'
import type { PassedDeadline } from '../checks/health/judge.js'
import { REORDERED_MS } from '../checks/health/track-run.js'
import type { TrackedRun } from '../checks/health/tracking.js'
import type { RunEvent } from '../checks/history/run-strip.js'
import { timeOf } from './back-dated.js'

export type LedgerOutcome = 'success' | Exclude<Cause, 'missed'> | 'superseded' | 'open'

export interface LedgerRun {
  rid: string | null
  /** Null if the log has no start. */
  startedAt: number | null
  /** Null if no ping ended it. */
  endedAt: number | null
  outcome: LedgerOutcome
  /** By the client's clock if it sent a duration, else between the pings; null if unknown. */
  durationMs: number | null
  exitStatus: number | null
  /** The numbers of its pings. */
  pings: number[]
}

/** A ping in the log. */
export interface LoggedEvent extends RunEvent {
  cause: Cause | null
}

export interface RunLog extends Outcomes {
  /** Oldest first. */
  pings: readonly LoggedEvent[]
  trackRuns: Rules['trackRuns']
}

/** The facts that the pings do not contain. */
export interface Outcomes {
  passed: readonly PassedDeadline[]
  /** The runs that are open now. */
  open: readonly TrackedRun[]
}

/** Pings further apart than this are not of one run, so that a page of runs needs only a part of the log. */
export const MOST_PINGS_APART = 5_000

/** The runs in `pings`, in the order of their first ping. */
export function runsIn({ pings, trackRuns, ...outcomes }: RunLog): LedgerRun[] {
  return judgedRuns(pairedRuns(pings, trackRuns === 'each'), outcomes)
}

/** The same by the pings alone: a run without a finish is `superseded`. `each`: whether every run is tracked. */
export function pairedRuns(
  pings: readonly LoggedEvent[],
  each: boolean,
  mostApart = MOST_PINGS_APART,
): LedgerRun[] {
  const runs: LedgerRun[] = []
  const unfinished = new Map<string | null, LedgerRun>()
  const finished = new Map<string, { run: LedgerRun; n: number }>()
  for (const ping of pings) {
    const { n, rid, action } = ping
    if (action === 'start') {
      const ended = rid === null ? undefined : finished.get(rid)
      if (ended && n - ended.n <= mostApart && joins(ping, ended.run.endedAt!, each)) {
        addStart(ended.run, ping)
        continue
      }
      const run = begun(ping)
      runs.push(run)
      unfinished.set(rid, run)
    } else if (action === 'success' || action === 'fail') {
      const started = unfinished.get(rid)
      const isKnown = started !== undefined && n - firstPing(started) <= mostApart
      const run = isKnown ? started : { ...begun(ping), startedAt: null, pings: [] }
      end(run, ping)
      unfinished.delete(rid)
      if (!isKnown) runs.push(run)
      if (rid !== null) finished.set(rid, { run, n })
    }
  }
  return runs
}

/** Runs are in the order of these numbers. */
export function firstPing({ pings }: LedgerRun): number {
  return pings[0]!
}

/** Whether a start belongs to the run with the same run ID that ended at `endedAt` (ms). */
export function joins({ at, rid }: Pick<LoggedEvent, 'at' | 'rid'>, endedAt: number, each: boolean): boolean {
  return each && rid !== null && at - endedAt <= REORDERED_MS
}

function begun({ n, rid, ...ping }: LoggedEvent): LedgerRun {
  return {
    rid,
    startedAt: timeOf(ping),
    endedAt: null,
    outcome: 'superseded',
    durationMs: null,
    exitStatus: null,
    pings: [n],
  }
}

function end(run: LedgerRun, { n, action, cause, exitStatus, durationMs, ...ping }: LoggedEvent): void {
  // A run cannot end before it began: clocks differ.
  const at = Math.max(timeOf(ping), run.startedAt ?? 0)
  run.endedAt = at
  run.outcome = action === 'success' ? 'success' : cause === 'too_short' ? 'too_short' : 'failed'
  run.durationMs = durationMs ?? (run.startedAt === null ? null : Math.max(0, at - run.startedAt))
  run.exitStatus = exitStatus
  run.pings.push(n)
}

/** Adds a start that arrived after the end of its run. The duration stays unknown. */
function addStart(run: LedgerRun, { n, ...ping }: LoggedEvent): void {
  run.startedAt ??= timeOf(ping)
  run.pings.push(n)
}

/** Adds what the pings do not tell: which runs took too long, and which are open. */
export function judgedRuns(runs: readonly LedgerRun[], { passed, open }: Outcomes): LedgerRun[] {
  const overran = new Set(
    passed.filter(({ cause }) => cause === 'overrun').map(one => nameOf(one.since, one.rid)),
  )
  const stillOpen = new Set(open.map(({ at, rid }) => nameOf(at, rid)))
  return runs.map(run => {
    const name = nameOf(run.startedAt, run.rid)
    if (overran.has(name)) return { ...run, outcome: 'overrun' }
    return run.endedAt === null && stillOpen.has(name) ? { ...run, outcome: 'open' } : run
  })
}

function nameOf(at: number | null, rid: string | null): string {
  return `${at} ${rid}`
}
