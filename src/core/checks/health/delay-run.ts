/** Runs whose job had to wait for the answer to its ping. Decision 0154. */
import type { Rules, State } from '../check.js'
import { factsOf, unfinishedRuns, withRuns } from './runs.js'
import { settle } from './settle.js'

/** The wait for an answer: of the job of the run with this run ID, in ms. */
export interface Wait {
  rid: string | null
  from: number
  to: number
}

/**
 * The check after the job of an open run has waited for our answer: its deadline is later by as much, because it could not go on
 * with its work. Times that overlap count once. Durations still begin when the start arrived. Without such a run nothing changes.
 */
export function delayRun(state: State, rules: Rules, { rid, from, to }: Wait): State {
  const facts = factsOf(state)
  const known = unfinishedRuns(facts, rules)
  const run = known.find(one => one.rid === rid && !one.judged)
  if (!run) return state
  const { ms, until } = run.waited ?? { ms: 0, until: run.at }
  const addedMs = to - Math.max(from, until)
  if (addedMs <= 0) return state
  const waited = { ms: ms + addedMs, until: to }
  const runs = known.map(one => (one === run ? { ...one, waited } : one))
  return settle(withRuns(facts, rules, runs), rules)
}
