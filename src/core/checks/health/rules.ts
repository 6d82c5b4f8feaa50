/** What the settings of a check say about its runs. */
import type { Rules, State } from '../check.js'

/**
 * Whether the check behaves as one without the settings of docs/runs.md. That is asked first of every ping, so that it
 * costs such a check next to nothing.
 */
export function isPlain(state: Pick<State, 'tracking'>, rules: Rules): boolean {
  return state.tracking === null && arePlain(rules)
}

/** Whether none of the settings of docs/runs.md is in use that decide about deadlines or count anything. */
export function arePlain(rules: Rules): boolean {
  return (
    rules.startWithinSeconds === null &&
    rules.maxDurationSeconds === null &&
    rules.minDurationSeconds === null &&
    rules.trackRuns === 'latest' &&
    rules.failuresToAlert === 1 &&
    rules.successesToRecover === 1 &&
    (rules.earlySeconds === 0 || rules.kind === 'simple')
  )
}

/** Whether a run that has started is judged by its own deadline alone. */
export function hasOwnDeadlines(rules: Rules): boolean {
  return rules.startWithinSeconds !== null || rules.maxDurationSeconds !== null || rules.trackRuns === 'each'
}

/** Whether durations are more than the old APIs' `last_duration`, so that what the client measured counts. */
export function usesDurations(rules: Rules): boolean {
  return hasOwnDeadlines(rules) || rules.minDurationSeconds !== null
}

/** How long (ms) after the due time something has to come. */
export function startTimeMs(rules: Pick<Rules, 'startWithinSeconds' | 'graceSeconds'>): number {
  return (rules.startWithinSeconds ?? rules.graceSeconds) * 1000
}

export function isEach(rules: Rules): boolean {
  return rules.trackRuns === 'each'
}
