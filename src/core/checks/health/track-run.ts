/** Starts and ends of runs for checks that are not plain. The rules are in docs/runs.md. */
import type { Rules } from '../check.js'
import { nextUncovered } from './deadlines.js'
import { occurrenceAhead } from './early.js'
import { covered } from './judge.js'
import { tracksEachRun } from './rules.js'
import { type Facts, tracked, unfinishedRuns, withRuns } from './runs.js'
import { type Finish, NO_TRACKING, type TrackedRun } from './tracking.js'

/**
 * A start that arrives up to this long (ms) after the end of its run belongs to it: the network reordered the pings.
 */
export const REORDERED_MS = 60_000

/** The maximum number of ends that are remembered for that: more would make the rows of busy checks long. */
export const MOST_FINISHES = 10

/** The check after a start at `at` (ms) with this run ID. */
export function startRun(before: Facts, rules: Rules, rid: string | null, at: number): Facts {
  const finished = recentFinishes(before, at)
  if (tracksEachRun(rules) && finished.some(run => run.rid === rid)) return tracked(before, { finished })
  const ahead = occurrenceAhead(before, rules, at, null)
  const known = unfinishedRuns(before, rules)
  const isLate = ahead === null && isLateForMissed(before, rules, at)
  const run: TrackedRun = {
    rid,
    at,
    ...(tracksEachRun(rules) && satisfiesOccurrence(before, rules, ahead, at) && { stands: true }),
    ...(isLate && { counted: true }),
    ...(rid === null && known.some(other => other.rid === null) && { unsure: true }),
  }
  const others = tracksEachRun(rules) ? known.filter(other => other.rid !== rid) : []
  const missed = isLate || ahead !== null ? null : (before.tracking?.missed ?? null)
  const running = tracked(
    { ...withRuns(before, rules, [...others, run]), lastStartRid: rid },
    { finished, missed },
  )
  const until = ahead ?? (tracksEachRun(rules) && rules.kind !== 'simple' ? at : null)
  return until === null ? running : covered(running, until)
}

export interface EndedRun {
  facts: Facts
  /** Its duration (ms), if its pings show it. */
  durationMs: number | null
  /** Whether the duration is certain: the end cannot belong to another run. */
  isSure: boolean
  /** Whether its occurrence was already counted as a failure. */
  isRepeated: boolean
}

/** The check after a signal at `at` (ms) that ends a run. */
export function endRun(
  before: Facts,
  rules: Rules,
  action: 'success' | 'fail',
  rid: string | null,
  at: number,
): EndedRun {
  const known = unfinishedRuns(before, rules)
  const run = known.find(one => one.rid === rid)
  // With `latest`, a success of another run says nothing about the run under way.
  const leavesOthers = tracksEachRun(rules) || (!run && action === 'success' && rid !== null)
  const others = leavesOthers ? known.filter(one => one !== run) : []
  const ahead = occurrenceAhead(before, rules, at, run?.at ?? null)
  const ended = tracked(withRuns({ ...before, lastPing: at }, rules, others), {
    finished: finishesWith(before, rules, rid, at),
    missed: run?.stands ? (before.tracking?.missed ?? null) : null,
  })
  const until = ahead ?? ownCover(before, rules, run, at)
  return {
    facts: until === null ? ended : covered(ended, until),
    durationMs: run ? Math.max(0, at - run.at) : null,
    isSure: !run?.unsure,
    isRepeated: run ? run.counted === true : ahead === null && isLateForMissed(before, rules, at),
  }
}

/**
 * Whether a start satisfies an occurrence, so that the end of its run does not. Only a check that is up expects any.
 */
function satisfiesOccurrence(before: Facts, rules: Rules, ahead: number | null, at: number): boolean {
  if (before.status !== 'up' || ahead !== null || isLateForMissed(before, rules, at)) return true
  const due = nextUncovered(before, rules)
  return due !== null && due <= at
}

/** With `each`: the instant up to which the end of a run covers occurrences; otherwise the last end is that instant. */
function ownCover(before: Facts, rules: Rules, run: TrackedRun | undefined, at: number): number | null {
  if (!tracksEachRun(rules) || rules.kind === 'simple') return null
  return run?.stands && before.status === 'up' ? null : at
}

/** Whether a ping at `at` (ms) is late for the occurrence that counted as missed: no other is due yet. */
function isLateForMissed(before: Facts, rules: Rules, at: number): boolean {
  if ((before.tracking?.missed ?? null) === null) return false
  const due = nextUncovered(before, rules)
  return due === null || due > at
}

function recentFinishes({ tracking }: Facts, at: number): readonly Finish[] {
  const { finished } = tracking ?? NO_TRACKING
  return finished.every(run => at - run.at <= REORDERED_MS)
    ? finished
    : finished.filter(run => at - run.at <= REORDERED_MS)
}

function finishesWith(before: Facts, rules: Rules, rid: string | null, at: number): readonly Finish[] {
  if (!tracksEachRun(rules)) return []
  const finished = recentFinishes(before, at)
  return rid === null ? finished : [...finished, { rid, at }].slice(-MOST_FINISHES)
}
