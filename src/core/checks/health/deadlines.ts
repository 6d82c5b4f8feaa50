/** The due time and the next deadline. The rules are in docs/runs.md. */
import { parseSchedule, previousBefore } from '../../schedule/index.js'
import type { Limits, Rules } from '../check.js'
import { dueAfter, runLimitMs } from '../status.js'
import { hasOwnDeadlines, startTimeMs, tracksEachRun } from './rules.js'
import { type Facts, openRuns } from './runs.js'
import { NO_TRACKING, type TrackedRun } from './tracking.js'

export interface Deadline {
  at: number
  cause: 'overrun' | 'missed'
  /** The start of the run (ms), or the due time. */
  since: number
  /** The run of an overrun. */
  run: TrackedRun | null
}

/** When the next success is due (ms), or null. */
export function dueTime(facts: Facts, rules: Rules): number | null {
  return facts.status !== 'up' || isCoveredByOpenRun(facts, rules) ? null : nextUncovered(facts, rules)
}

/** Whether an open run counts as the occurrence that would be due. */
function isCoveredByOpenRun(facts: Facts, rules: Rules): boolean {
  const runs = openRuns(facts, rules)
  if (!tracksEachRun(rules)) return runs.length > 0 && hasOwnDeadlines(rules)
  return rules.kind === 'simple' && runs.some(run => isSinceFinish(facts, run))
}

/** Whether a run started since the last finish. */
export function isSinceFinish({ lastPing }: Facts, run: TrackedRun): boolean {
  return lastPing === null || run.at >= lastPing
}

/** The first occurrence (ms) that was neither satisfied nor judged, or null. */
export function nextUncovered({ lastPing, tracking }: Facts, rules: Rules): number | null {
  const { coveredUntil } = tracking ?? NO_TRACKING
  const from = coveredUntil ?? lastPing
  if (from === null) return null
  if (rules.kind !== 'simple') {
    return dueAfter(rules, tracksEachRun(rules) ? from : Math.max(from, lastPing ?? from))
  }
  const base = lastPing ?? from
  const periodMs = rules.periodSeconds * 1000
  return base + (Math.floor(Math.max(0, from - base) / periodMs) + 1) * periodMs
}

/** The last occurrence up to `until` (ms), given an earlier one, `due`. */
export function lastOccurrence(rules: Rules, due: number, until: number): number {
  if (rules.kind !== 'simple') {
    return previousBefore(parseSchedule(rules.schedule), rules.tz, until + 1) ?? due
  }
  const periodMs = rules.periodSeconds * 1000
  return due + Math.floor((until - due) / periodMs) * periodMs
}

/** When a run has taken too long (ms). */
export function limitOf({ at, waited }: TrackedRun, limits: Limits): number {
  return at + (waited?.ms ?? 0) + runLimitMs(limits)
}

/** The next deadline, or null. At the same instant overruns come first, the oldest run first. */
export function nextDeadline(facts: Facts, rules: Rules): Deadline | null {
  if (facts.status === 'down' || facts.status === 'paused') return null
  const [oldest] = openRuns(facts, rules)
  const limitAt = oldest ? limitOf(oldest, rules) : null
  const due = dueTime(facts, rules)
  // Without own deadlines, the end of the run under way is what is due.
  const waitedMs = hasOwnDeadlines(rules) ? 0 : (oldest?.waited?.ms ?? 0)
  const missedAt = due === null ? null : due + startTimeMs(rules) + waitedMs
  if (limitAt !== null && (missedAt === null || limitAt <= missedAt)) {
    return { at: limitAt, cause: 'overrun', since: oldest!.at, run: oldest! }
  }
  return missedAt === null ? null : { at: missedAt, cause: 'missed', since: due!, run: null }
}
