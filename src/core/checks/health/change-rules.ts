/** The effect of changed settings, and of a pause, on a check. The rules are in docs/runs.md. */
import type { Hold } from '../../instance/outage.js'
import type { Rules, State } from '../check.js'
import { lastOccurrence, limitOf, nextUncovered } from './deadlines.js'
import { isNextOccurrence } from './early.js'
import { covered, type Judged, judge, NONE_WAIVED, type Waived } from './judge.js'
import { isPlain, tracksEachRun } from './rules.js'
import { type Facts, factsOf, openRuns, unfinishedRuns, withRuns } from './runs.js'
import { withDeadlines } from './settle.js'
import { NO_TRACKING, type TrackedRun } from './tracking.js'

type Changed<T> = Pick<Judged, 'flips' | 'passed'> & { check: T }

/** The check at `now` (ms) after the deadlines that have passed; a plain check is not changed. */
export function afterDeadlines<T extends State & Rules>(
  before: T,
  now: number,
  hold: Hold | null,
  waived: Waived = NONE_WAIVED,
): Changed<T> {
  if (isPlain(before, before)) return { check: before, flips: [], passed: [] }
  const { facts, flips, passed } = judge(factsOf(before), before, now, hold, waived)
  return { check: withDeadlines({ ...before, ...facts }), flips, passed }
}

/**
 * The check at `now` (ms) with new settings. Unless it was plain, the deadlines that have passed are judged by the
 * old settings. The next ones are computed with the new settings.
 */
export function changeRules<T extends State & Rules>(
  before: T,
  next: Rules,
  now: number,
  hold: Hold | null,
  waived: Waived = NONE_WAIVED,
): Changed<T> {
  const { check, flips, passed } = afterDeadlines(before, now, hold, waived)
  const after: T = { ...check, ...next }
  if (isPlain(check, before) && isPlain(check, next)) return { check: withDeadlines(after), flips, passed }
  const switched = switchTracking(factsOf(check), before, next, now)
  const facts = isSameSchedule(before, next) ? switched : onNewSchedule(switched, next, now)
  return { check: withDeadlines({ ...after, ...facts }), flips, passed }
}

/** Converts the runs when `track_runs` changes. */
function switchTracking(facts: Facts, before: Rules, next: Rules, now: number): Facts {
  if (tracksEachRun(before) === tracksEachRun(next)) return facts
  const { status, lastPing } = facts
  if (tracksEachRun(before)) return withRuns(facts, next, openRuns(facts, before).slice(-1))
  const isOver = (run: TrackedRun) => status === 'down' && limitOf(run, before) <= now
  const runs = unfinishedRuns(facts, before).map(run => ({
    ...run,
    stands: true as const,
    ...(isOver(run) && { judged: true as const }),
  }))
  const tracking = withRuns(facts, next, runs)
  const until = Math.max(lastPing ?? 0, runs[0]?.at ?? 0)
  return until === 0 ? tracking : covered(tracking, until)
}

function isSameSchedule(before: Rules, next: Rules): boolean {
  if (before.kind !== next.kind) return false
  if (next.kind === 'simple') return before.periodSeconds === next.periodSeconds
  return before.schedule === next.schedule && before.tz === next.tz
}

/**
 * After a change of schedule, only the next occurrence ahead can stay covered, and of the occurrences that were due
 * before `now` only the last counts.
 */
function onNewSchedule(facts: Facts, rules: Rules, now: number): Facts {
  const coveredUntil = facts.tracking?.coveredUntil ?? null
  const { held: _, ...tracking } = facts.tracking ?? NO_TRACKING
  const isCut = coveredUntil !== null && coveredUntil > now && !isNextOccurrence(rules, coveredUntil, now)
  const cut = { ...facts, tracking: isCut ? { ...tracking, coveredUntil: now } : tracking }
  const due = cut.status === 'up' ? nextUncovered(cut, rules) : null
  if (due === null || due > now) return cut
  const last = lastOccurrence(rules, due, now)
  return last > due ? covered(cut, last - 1) : cut
}
