/** Questions about a check's settings of docs/runs.md. */
import type { Rules, State } from '../check.js'

/**
 * Whether the check behaves as one without the settings of docs/runs.md. This is checked first for every ping, so
 * that plain checks cost almost nothing.
 */
export function isPlain(state: Pick<State, 'tracking'>, rules: Rules): boolean {
  return state.tracking === null && arePlain(rules)
}

/** Whether no setting of docs/runs.md is in use that affects deadlines or counts something. */
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

/** Whether a started run is judged only by its own deadline. */
export function hasOwnDeadlines(rules: Rules): boolean {
  return rules.startWithinSeconds !== null || rules.maxDurationSeconds !== null || rules.trackRuns === 'each'
}

/** Whether durations affect the check, so that the client's measurement counts. */
export function usesDurations(rules: Rules): boolean {
  return hasOwnDeadlines(rules) || rules.minDurationSeconds !== null
}

/** How long (ms) after the due time a ping has to come. */
export function startTimeMs(rules: Pick<Rules, 'startWithinSeconds' | 'graceSeconds'>): number {
  return (rules.startWithinSeconds ?? rules.graceSeconds) * 1000
}

export function tracksEachRun(rules: Pick<Rules, 'trackRuns'>): boolean {
  return rules.trackRuns === 'each'
}

/** The settings that tell the runs and missed deadlines of a check in the timeline. */
export const LANE_RULES = ['graceSeconds', 'startWithinSeconds', 'trackRuns'] as const
