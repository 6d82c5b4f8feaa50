/** The results that count towards the failure at which a check goes down. */
import type { Rules } from '../check.js'
import { type Cause, namesCause } from './cause.js'
import type { CountedFailure, Tracking } from './tracking.js'

type Tally = Pick<Tracking, 'results' | 'failures'>

export const EMPTY_TALLY: Tally = Object.freeze({ results: 0, failures: [] })

/** The failures that count at this moment, oldest first: the last ones in a row, or those in the window. */
export function countedFailures({ results, failures }: Tally, rules: Rules): readonly CountedFailure[] {
  if (rules.failureWindow === null) {
    return failures.filter(({ place }, index) => results - place === failures.length - 1 - index)
  }
  const window = Math.max(rules.failureWindow, rules.failuresToAlert)
  return failures.filter(({ place }) => place > results - window)
}

export function withFailure(tally: Tally, at: number, rules: Rules): Tally {
  const results = tally.results + 1
  return trimmed({ results, failures: [...tally.failures, { place: results, at }] }, rules)
}

/** With a success: failures in a row end, a window goes on. */
export function withSuccess(tally: Tally, rules: Rules): Tally {
  if (rules.failureWindow === null || rules.failuresToAlert === 1) return EMPTY_TALLY
  return trimmed({ results: tally.results + 1, failures: tally.failures }, rules)
}

/** Whether failures of this cause are counted. */
export function isTolerated(cause: Cause, rules: Rules): boolean {
  return rules.failuresToAlert > 1 && namesCause(rules.tolerated, cause)
}

/** Whether a failure of this cause at `at` (ms) is only counted, by the tally before it. */
export function isOnlyCounted(tally: Tally, cause: Cause, at: number, rules: Rules): boolean {
  if (!isTolerated(cause, rules)) return false
  return countedFailures(withFailure(tally, at, rules), rules).length < rules.failuresToAlert
}

/** Without the failures that count no more. */
function trimmed(tally: Tally, rules: Rules): Tally {
  const failures = countedFailures(tally, rules)
  return failures.length === 0 ? EMPTY_TALLY : { results: tally.results, failures }
}
