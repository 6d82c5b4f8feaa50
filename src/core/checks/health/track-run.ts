/** Starts and ends of runs, for checks that are not plain. The rules are in docs/runs.md. */
import type { Rules } from '../check.js'
import { nextUncovered } from './deadlines.js'
import { occurrenceAhead } from './early.js'
import { covered } from './judge.js'
import { isEach } from './rules.js'
import { type Facts, tracked, unfinishedRuns, withRuns } from './runs.js'
import { type Finish, NO_TRACKING, type TrackedRun } from './tracking.js'

/** A start that arrives this long (ms) after the finish of its run belongs to it: the network has reordered them. */
export const REORDERED_MS = 60_000

/** The most finishes that are remembered for that: more would make the row of a busy check long. */
export const MOST_FINISHES = 10

/** After a start at `at` (ms) with this run ID. */
export function startRun(before: Facts, rules: Rules, rid: string | null, at: number): Facts {
  const finished = recentFinishes(before, at)
  if (isEach(rules) && finished.some(run => run.rid === rid)) return tracked(before, { finished })
  const ahead = occurrenceAhead(before, rules, at, null)
  const known = unfinishedRuns(before, rules)
  const isLate = ahead === null && isForMissed(before, rules, at)
  const run: TrackedRun = {
    rid,
    at,
    ...(isEach(rules) && standsForOne(before, rules, ahead, at) && { stands: true }),
    ...(isLate && { counted: true }),
    ...(rid === null && known.some(other => other.rid === null) && { unsure: true }),
  }
  const others = isEach(rules) ? known.filter(other => other.rid !== rid) : []
  const missed = isLate || ahead !== null ? null : (before.tracking?.missed ?? null)
  const running = tracked(
    { ...withRuns(before, rules, [...others, run]), lastStartRid: rid },
    { finished, missed },
  )
  const until = ahead ?? (isEach(rules) && rules.kind !== 'simple' ? at : null)
  return until === null ? running : covered(running, until)
}

export interface EndedRun {
  facts: Facts
  /** How long (ms) it took, if its two pings tell. */
  durationMs: number | null
  /** Whether that is certain: no other run could have been meant. */
  isSure: boolean
  /** Whether its occurrence was counted as a failure already. */
  isRepeated: boolean
}

/** After the end of a run at `at` (ms), by a signal as it was sent. */
export function endRun(
  before: Facts,
  rules: Rules,
  action: 'success' | 'fail',
  rid: string | null,
  at: number,
): EndedRun {
  const known = unfinishedRuns(before, rules)
  const run = known.find(one => one.rid === rid)
  // With `latest` a success of another run says nothing about the one that is still going.
  const leavesOthers = isEach(rules) || (!run && action === 'success' && rid !== null)
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
    isRepeated: run ? run.counted === true : ahead === null && isForMissed(before, rules, at),
  }
}

/** Whether a start stands for an occurrence, so that the finish of its run need not. Only a check that is up asks for any. */
function standsForOne(before: Facts, rules: Rules, ahead: number | null, at: number): boolean {
  if (before.status !== 'up' || ahead !== null || isForMissed(before, rules, at)) return true
  const due = nextUncovered(before, rules)
  return due !== null && due <= at
}

/** Up to when a finish covers occurrences, with `each`; otherwise the last finish says that. */
function ownCover(before: Facts, rules: Rules, run: TrackedRun | undefined, at: number): number | null {
  if (!isEach(rules) || rules.kind === 'simple') return null
  return run?.stands && before.status === 'up' ? null : at
}

/** Whether what comes at `at` (ms) is late for the occurrence that was counted as missed: no other is due yet. */
function isForMissed(before: Facts, rules: Rules, at: number): boolean {
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
  if (!isEach(rules)) return []
  const finished = recentFinishes(before, at)
  return rid === null ? finished : [...finished, { rid, at }].slice(-MOST_FINISHES)
}
