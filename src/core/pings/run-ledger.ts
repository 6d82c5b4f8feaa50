/** The runs of a check, read from its log. The rules are in docs/runs.md. */
import type { Rules } from '../checks/check.js'
import type { Cause } from '../checks/health/cause.js'
import type { PassedDeadline } from '../checks/health/judge.js'
import { REORDERED_MS } from '../checks/health/track-run.js'
import type { TrackedRun } from '../checks/health/tracking.js'
import type { Action } from './ping-event.js'

export type LedgerOutcome = 'success' | Exclude<Cause, 'missed'> | 'superseded' | 'open'

export interface LedgerRun {
  rid: string | null
  /** Null where no start is in the log. */
  startedAt: number | null
  /** Null where no ping ended it. */
  endedAt: number | null
  outcome: LedgerOutcome
  /** By the client's clock if it said so, otherwise between the pings; null where it is not known. */
  durationMs: number | null
  exitStatus: number | null
  /** The numbers of its pings. */
  pings: number[]
}

/** A ping as it stands in the log. */
export interface LoggedEvent {
  n: number
  at: number
  action: Action
  rid: string | null
  exitStatus: number | null
  /** By the client's clock. */
  durationMs: number | null
  cause: Cause | null
}

export interface RunLog {
  /** In order, oldest first. */
  pings: readonly LoggedEvent[]
  passed: readonly PassedDeadline[]
  /** The runs that are open now. */
  open: readonly TrackedRun[]
  trackRuns: Rules['trackRuns']
}

/** The runs of which `pings` tells, in the order of their first ping. */
export function runsIn({ pings, passed, open, trackRuns }: RunLog): LedgerRun[] {
  const runs: LedgerRun[] = []
  const unfinished = new Map<string | null, LedgerRun>()
  const finished = new Map<string, LedgerRun>()
  for (const ping of pings) {
    if (ping.action === 'start') {
      const ended = trackRuns === 'each' && ping.rid !== null ? finished.get(ping.rid) : undefined
      if (ended && ping.at - ended.endedAt! <= REORDERED_MS) join(ended, ping)
      else {
        const run = begun(ping)
        runs.push(run)
        unfinished.set(ping.rid, run)
      }
    } else if (ping.action === 'success' || ping.action === 'fail') {
      const known = unfinished.get(ping.rid)
      const run = known ?? { ...begun(ping), startedAt: null, pings: [] }
      end(run, ping)
      unfinished.delete(ping.rid)
      if (!known) runs.push(run)
      if (ping.rid !== null) finished.set(ping.rid, run)
    }
  }
  return judged(runs, passed, open)
}

function begun({ n, at, rid }: LoggedEvent): LedgerRun {
  return {
    rid,
    startedAt: at,
    endedAt: null,
    outcome: 'superseded',
    durationMs: null,
    exitStatus: null,
    pings: [n],
  }
}

function end(run: LedgerRun, { n, at, action, cause, exitStatus, durationMs }: LoggedEvent): void {
  run.endedAt = at
  run.outcome = action === 'success' ? 'success' : cause === 'too_short' ? 'too_short' : 'failed'
  run.durationMs = durationMs ?? (run.startedAt === null ? null : Math.max(0, at - run.startedAt))
  run.exitStatus = exitStatus
  run.pings.push(n)
}

/** A start that arrived after the end of its run. How long it took is not known by that. */
function join(run: LedgerRun, { n, at }: LoggedEvent): void {
  run.startedAt ??= at
  run.pings.push(n)
}

/** With what is not in the pings: which runs took too long, and which are open. */
function judged(
  runs: LedgerRun[],
  passed: readonly PassedDeadline[],
  open: readonly TrackedRun[],
): LedgerRun[] {
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
