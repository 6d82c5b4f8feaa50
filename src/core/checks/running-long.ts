import type { Limits, State } from './check.js'
import { runLimitMs } from './status.js'

/** A run up to this long (ms) never counts as long. */
const SHORT_MS = 60_000

type Timed = Pick<State, 'lastStart' | 'lastDurationMs'> & Limits

/**
 * When the run under way begins to count as long (ms): when it has taken twice as long as the last timed run, or half
 * of its limit if there is none. Null if no run is under way.
 */
function longFrom(check: Timed): number | null {
  const { lastStart, lastDurationMs } = check
  if (lastStart === null) return null
  const usual = lastDurationMs === null ? runLimitMs(check) / 2 : lastDurationMs * 2
  return lastStart + Math.max(SHORT_MS, usual)
}

/** Whether a run is under way at `now` that takes much longer than usual. */
export function isRunningLong(check: Timed, now: number): boolean {
  const from = longFrom(check)
  return from !== null && now >= from
}
