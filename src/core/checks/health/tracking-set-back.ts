/** What a check remembers, after a clock that was ahead has been set back. See docs/decisions/0008. */
import { ScheduleError } from '../../schedule/index.js'
import { each, instant, kept, type Parts, type SetBack, whole } from '../../time/set-back.js'
import type { Rules } from '../check.js'
import { isNextOccurrence } from './early.js'
import type { CountedFailure, Finish, TrackedRun, Tracking } from './tracking.js'

const RUN: Parts<TrackedRun> = {
  rid: kept,
  at: instant,
  stands: kept,
  judged: kept,
  counted: kept,
  unsure: kept,
  waited: whole<NonNullable<TrackedRun['waited']>>({ ms: kept, until: instant }),
}
const FINISH: Parts<Finish> = { rid: kept, at: instant }
const FAILURE: Parts<CountedFailure> = { place: kept, at: instant }

const TRACKING = whole<Tracking>({
  coveredUntil: instant,
  missed: instant,
  runs: each(RUN),
  finished: each(FINISH),
  results: kept,
  failures: each(FAILURE),
  successes: kept,
  countAt: instant,
  held: kept,
})

/** A step of the clock is measured to within this (ms). */
const EXACT_TO_MS = 1_000

/**
 * The tracking after the clock was set back: instants that lie ahead move with it. Which occurrences are held is noted anew, because
 * the hold may have become shorter.
 */
export function trackingSetBack(tracking: Tracking, rules: EarlyRules, step: SetBack): Tracking {
  const { coveredUntil } = tracking
  const { held: _, ...back } = TRACKING(tracking, step)
  return coveredUntil === null ? back : { ...back, coveredUntil: coverSetBack(coveredUntil, rules, step) }
}

/**
 * An occurrence that was covered must not come back a moment after what is covered, where it would be asked for again. The next occurrence
 * stays covered if it can have been satisfied early.
 */
function coverSetBack(coveredUntil: number, rules: EarlyRules, { now, byMs }: SetBack): number {
  if (coveredUntil <= now || canBeEarly(coveredUntil, rules, now)) return coveredUntil
  return coveredUntil - byMs + EXACT_TO_MS
}

/** The settings that tell early pings. */
export const EARLY_RULES = ['kind', 'schedule', 'tz', 'earlySeconds'] as const satisfies (keyof Rules)[]

type EarlyRules = Pick<Rules, (typeof EARLY_RULES)[number]>

function canBeEarly(occurrence: number, rules: EarlyRules, now: number): boolean {
  if (occurrence - now > rules.earlySeconds * 1000) return false
  try {
    return isNextOccurrence(rules, occurrence, now)
  } catch (error) {
    // Of an invalid expression nothing is expected.
    if (error instanceof ScheduleError) return false
    throw error
  }
}
