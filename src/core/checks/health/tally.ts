/** The results that count towards the failure that takes a check down. */
import type { Rules } from '../check.js'
import { type Cause, includesCause } from './cause.js'
import type { CountedFailure, Tracking } from './tracking.js'

type Tally = Pick<Tracking, 'results' | 'failures'>

export const EMPTY_TALLY: Tally = Object.freeze({ results: 0, failures: [] })

/** The failures that count now, oldest first: the last ones in a row, or those in the window. */
export function countedFailures(
  { results, failures }: Tally,
  rules: Pick<Rules, 'failuresToAlert' | 'failureWindow'>,
): readonly CountedFailure[] {
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

/** The tally after a success: it ends failures in a row, but not those in a window. */
export function withSuccess(tally: Tally, rules: Rules): Tally {
  if (rules.failureWindow === null || rules.failuresToAlert === 1) return EMPTY_TALLY
  return trimmed({ results: tally.results + 1, failures: tally.failures }, rules)
}

/** Whether failures of this cause are counted rather than taking the check down at once. */
export function isTolerated(cause: Cause, rules: Rules): boolean {
  return rules.failuresToAlert > 1 && includesCause(rules.tolerated, cause)
}

/** Whether another failure of this cause at `at` (ms) is only counted. */
export function isOnlyCounted(tally: Tally, cause: Cause, at: number, rules: Rules): boolean {
  if (!isTolerated(cause, rules)) return false
  return countedFailures(withFailure(tally, at, rules), rules).length < rules.failuresToAlert
}

/** Without the failures that no longer count. */
function trimmed(tally: Tally, rules: Rules): Tally {
  const failures = countedFailures(tally, rules)
  return failures.length === 0 ? EMPTY_TALLY : { results: tally.results, failures }
}
