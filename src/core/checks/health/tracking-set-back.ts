import type { TrackedRun, Tracking } from './tracking.js'

const DAY_MS = 86_400_000

/**
 * The tracking after a clock that was ahead by `byMs` was set back: instants after `ahead` (ms) move back. Returns
 * the same object if there are none. An occurrence that was satisfied early may be ahead, but by no more than a day.
 */
export function trackingSetBack(tracking: Tracking, ahead: number, byMs: number): Tracking {
  const { coveredUntil, missed, runs, finished, failures } = tracking
  const isAhead = (at: number) => at > ahead
  const occurrences = [coveredUntil, missed].filter(at => at !== null && isAhead(at - DAY_MS))
  const instants = [...runs, ...finished, ...failures].map(({ at }) => at)
  if (occurrences.length === 0 && !instants.some(isAhead)) return tracking
  const back = <T extends { at: number }>(one: T): T =>
    isAhead(one.at) ? { ...one, at: one.at - byMs } : one
  const waitedBack = ({ waited, ...run }: TrackedRun): TrackedRun =>
    waited
      ? { ...run, waited: isAhead(waited.until) ? { ...waited, until: waited.until - byMs } : waited }
      : run
  const occurrenceBack = (at: number | null) => (at !== null && isAhead(at - DAY_MS) ? at - byMs : at)
  return {
    ...tracking,
    coveredUntil: occurrenceBack(coveredUntil),
    missed: occurrenceBack(missed),
    runs: runs.map(run => waitedBack(back(run))),
    finished: finished.map(back),
    failures: failures.map(back),
  }
}
