/** What runs, tolerance and early pings make a check remember. See docs/decisions/0114. */

/** A run that has started and not finished. */
export interface TrackedRun {
  rid: string | null
  /** When it started (ms). */
  at: number
  /** Its start satisfied an occurrence, so its end satisfies no other. */
  stands?: true
  /** Its deadline, or that of its occurrence, has passed; it has none any more. */
  judged?: true
  /** Its occurrence was counted as a failure and is not counted again. */
  counted?: true
  /** It replaced another run without an end, and nothing tells to which of the two an end belongs. */
  unsure?: true
  /** How long (ms) its job waited for our answers, if that was long, and until when: its deadline is later by as much. */
  waited?: { ms: number; until: number }
}

export interface Finish {
  rid: string
  at: number
}

export interface CountedFailure {
  /** Its place among the results, from 1 on. */
  place: number
  at: number
}

/** The occurrences that wait, or waited, because Punctual could not receive their pings. */
export interface HeldOccurrences {
  /** The only one (ms) that is required when the hold is over. */
  last: number
  /** When the hold ends (ms), as far as is known. */
  until: number
  /** The hold is over. That one is required, and the hold of another outage only delays its deadline. */
  isOver?: true
}

/** Immutable: each event makes a new one. */
export interface Tracking {
  /** The instant (ms) up to which every occurrence was satisfied or judged; null: up to the last end of a run. */
  coveredUntil: number | null
  /** The occurrence (ms) that counted as missed and for which nothing has come since. */
  missed: number | null
  /**
   * With `each`: the unfinished runs, oldest first; with `latest`: the one run, if there is
   * more to remember about it.
   */
  runs: readonly TrackedRun[]
  /** With `each`: the ends of runs in the last minute. */
  finished: readonly Finish[]
  /** The tally: the number of results, and which of them were failures. */
  results: number
  failures: readonly CountedFailure[]
  /** While down: the number of successes in a row. */
  successes: number
  /** The next deadline (ms), if the check stays up when it passes. */
  countAt: number | null
  /** Absent unless an outage holds several occurrences that are neither satisfied nor judged, or the last of them is still required. */
  held?: HeldOccurrences
}

/** The tracking of a check with nothing to remember. */
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

/** The tracking, or null if there is nothing to remember. */
export function trackingOrNull(tracking: Tracking): Tracking | null {
  const { coveredUntil, missed, runs, finished, results, failures, successes, countAt, held } = tracking
  const isEmpty =
    coveredUntil === null &&
    missed === null &&
    countAt === null &&
    held === undefined &&
    results + successes + runs.length + finished.length + failures.length === 0
  return isEmpty ? null : tracking
}
