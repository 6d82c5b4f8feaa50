/** What a check did within a range of time, as a lane of the timeline of all checks. Instants and durations in ms. */
import type { LedgerRun } from '../../pings/run-ledger.js'
import { type Span, within, without } from '../../time/spans.js'
import type { Status } from '../check.js'

/** `missed`: no ping came until the end of the time for it. `unfinished`: another run began before it ended. */
export type LaneOutcome = 'success' | 'failed' | 'missed' | 'overrun' | 'running' | 'unfinished'

export interface LaneRun {
  /** A run without a known start begins where it ends; a missed one is at the time at which it was due. */
  from: number
  to: number
  outcome: LaneOutcome
  /** The number of the ping that ended it, or of its start; null for a missed one. */
  n: number | null
  exitStatus: number | null
  /** Null if unknown. */
  durationMs: number | null
}

/** The check of a lane. */
export interface LaneCheck {
  uuid: string
  name: string
  tags: string
  project: { uuid: string; name: string }
  status: Status
  createdAt: number
}

/** What is known about a check in a range. */
export interface LaneFacts {
  check: LaneCheck
  /** See {@link laneRuns}. */
  runs: readonly LaneRun[]
  /** The number of pings in the range; `runs` has only the failures if `isBusy`. */
  count: number
  isBusy: boolean
  incidents: readonly LaneIncident[]
}

/** What tells the runs of a check in a range. */
export interface RunFacts {
  /** The runs of the log by its pings alone, oldest first, with some before the range; see `pairedRuns`. */
  paired: readonly LedgerRun[]
  passed: readonly LaneDeadline[]
  /** The starts of the runs that are under way. */
  open: readonly number[]
}

/** A deadline that passed. `since`: the due time, or the start of the run; null: the run that started last before it. */
export interface LaneDeadline {
  at: number
  cause: 'missed' | 'overrun'
  since: number | null
}

/** An incident; `closedAt` is null while it is open. */
export interface LaneIncident {
  id: number
  openedAt: number
  closedAt: number | null
  /** When alerts about it were sent to channels. */
  sentAt: readonly number[]
}

export interface Lane {
  check: LaneCheck
  /** Those that reach into the range, oldest first. */
  runs: readonly LaneRun[]
  incidents: readonly LaneIncident[]
  /** When it was down, within the range, up to now. */
  down: Span[]
  /** The parts of the range of which nothing can be known: before the check was created, and still to come. */
  unknown: Span[]
  count: number
  isBusy: boolean
  /** The first thing in the range that went wrong; null if nothing did. */
  troubleAt: number | null
}

const WRONG: readonly LaneOutcome[] = ['failed', 'missed', 'overrun']

/** Whether a run went wrong. */
export function wentWrong({ outcome }: Pick<LaneRun, 'outcome'>): boolean {
  return WRONG.includes(outcome)
}

/** The instant of a run in words: its end, or its start if it has no end of its own. */
export function shownAt({ outcome, from, to }: LaneRun): number {
  return outcome === 'running' || outcome === 'overrun' ? from : to
}

/** The lane of a check in `range` (ms), as known at `now`. */
export function laneOf(facts: LaneFacts, range: Span, now: number): Lane {
  const { check, runs, count, isBusy, incidents } = facts
  const down = incidents.flatMap(
    ({ openedAt, closedAt }) => within({ from: openedAt, to: closedAt ?? now }, range) ?? [],
  )
  const trouble = [...runs.filter(wentWrong).map(({ from }) => from), ...down.map(({ from }) => from)]
  const troubleAt = trouble.length === 0 ? null : Math.max(range.from, Math.min(...trouble))
  const unknown = unknownIn(range, check.createdAt, now)
  return { check, runs, incidents, down, unknown, count, isBusy, troubleAt }
}

/** The runs of a check that reach into `range` (ms), in the order of their beginnings. */
export function laneRuns(facts: RunFacts, range: Span): LaneRun[] {
  return [...startedRuns(facts), ...missedRuns(facts)]
    .filter(({ from, to }) => to >= range.from && from < range.to)
    .sort((a, b) => a.from - b.from || a.to - b.to)
}

/** The parts of `range` before `first` and after `now`, of which nothing can be known. */
export function unknownIn(range: Span, first: number, now: number): Span[] {
  return without([range], [{ from: first, to: Math.max(first, now) }])
}

/**
 * Whether the run began once it was due and was under way at the deadline: then it took too long, and was not missed. A
 * job starts a little after it is due, so the deadline for its end passes just before its maximum duration does.
 */
function isLate({ startedAt, endedAt }: LedgerRun, { cause, since, at }: LaneDeadline): boolean {
  if (cause !== 'missed' || since === null || startedAt === null) return false
  return startedAt >= since && startedAt <= at && (endedAt ?? Number.POSITIVE_INFINITY) > at
}

function startedRuns({ paired, passed, open }: RunFacts): LaneRun[] {
  const startBefore = (at: number) =>
    paired.findLast(({ startedAt }) => startedAt !== null && startedAt < at)?.startedAt
  const overran = new Set(
    passed.filter(({ cause }) => cause === 'overrun').map(({ since, at }) => since ?? startBefore(at)),
  )
  const running = new Set(open)
  return paired.map(run => {
    const at = run.endedAt ?? run.startedAt ?? 0
    const from = run.startedAt ?? (run.durationMs === null ? at : at - run.durationMs)
    const outcome = ((): LaneOutcome => {
      if (run.startedAt !== null && overran.has(run.startedAt)) return 'overrun'
      if (passed.some(deadline => isLate(run, deadline))) return 'overrun'
      if (run.endedAt === null) return running.has(run.startedAt!) ? 'running' : 'unfinished'
      return run.outcome === 'success' ? 'success' : 'failed'
    })()
    return {
      from: Math.min(from, at),
      to: outcome === 'running' ? Number.POSITIVE_INFINITY : at,
      outcome,
      n: run.pings.at(-1)!,
      exitStatus: run.exitStatus,
      durationMs: run.durationMs,
    }
  })
}

function missedRuns({ paired, passed }: RunFacts): LaneRun[] {
  return passed
    .filter(deadline => deadline.cause === 'missed' && !paired.some(run => isLate(run, deadline)))
    .map(({ since, at }) => ({
      from: since ?? at,
      to: since ?? at,
      outcome: 'missed',
      n: null,
      exitStatus: null,
      durationMs: null,
    }))
}
