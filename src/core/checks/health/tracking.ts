/** What a check remembers for runs, tolerance and early pings besides the rest of its state. See docs/decisions/0114. */

/** A run that has started and not finished. */
export interface TrackedRun {
  rid: string | null
  /** When it started (ms). */
  at: number
  /** Its start stands for an occurrence, so its finish stands for no other. */
  stands?: true
  /** Its deadline has passed, or that of its occurrence: it has none any more. */
  judged?: true
  /** Its occurrence was counted as a failure, and is not counted again. */
  counted?: true
  /** It took the place of another, and nothing tells which of the two a finish belongs to. */
  unsure?: true
}

export interface Finish {
  rid: string
  at: number
}

export interface CountedFailure {
  /** The number of the result that it was, from 1 on. */
  place: number
  at: number
}

/** Never changed: each event makes a new one. */
export interface Tracking {
  /** The instant (ms) up to which every occurrence was satisfied or judged; null: up to the last finish. */
  coveredUntil: number | null
  /** The occurrence (ms) that was counted as missed and for which nothing has come since. */
  missed: number | null
  /** With `each` the unfinished runs, oldest first; with `latest` the one, where there is more to say of it. */
  runs: readonly TrackedRun[]
  /** With `each`: the last finishes, of the last minute. */
  finished: readonly Finish[]
  /** The tally: how many results there were, and which of them were failures. */
  results: number
  failures: readonly CountedFailure[]
  /** While down: the successes in a row. */
  successes: number
  /** The next deadline (ms), if the check stays up when it passes. */
  countAt: number | null
}

/** Nothing to remember. */
export const NO_TRACKING: Tracking = Object.freeze({
  coveredUntil: null,
  missed: null,
  runs: [],
  finished: [],
  results: 0,
  failures: [],
  successes: 0,
  countAt: null,
})

/** Null where there is nothing to remember. */
export function keptTracking(tracking: Tracking): Tracking | null {
  const { coveredUntil, missed, runs, finished, results, failures, successes, countAt } = tracking
  const isEmpty =
    coveredUntil === null &&
    missed === null &&
    countAt === null &&
    results + successes + runs.length + finished.length + failures.length === 0
  return isEmpty ? null : tracking
}
