import type { Limits, State } from './check.js'
import { runLimitMs } from './status.js'

/** A run that is no longer than this is never called long. */
const SHORT_MS = 60_000

type Timed = Pick<State, 'lastStart' | 'lastDurationMs'> & Limits

/**
 * From when on (ms) a run that is under way counts as running long: when it has taken twice as long as the last one
 * that was timed, or half of its limit where none was. Null where no run is under way.
 */
function longFrom(check: Timed): number | null {
  const { lastStart, lastDurationMs } = check
  if (lastStart === null) return null
  const usual = lastDurationMs === null ? runLimitMs(check) / 2 : lastDurationMs * 2
  return lastStart + Math.max(SHORT_MS, usual)
}

/** Whether a run is under way at `now` that takes much longer than they usually do. */
export function isRunningLong(check: Timed, now: number): boolean {
  const from = longFrom(check)
  return from !== null && now >= from
}
