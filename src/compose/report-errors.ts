import type { Clock } from '../lib/clock.js'
import type { Log } from '../lib/log/log.js'
import { isUnavailable } from '../storage/errors.js'

const INTERVAL_MS = 1_000

/**
 * Writes what went wrong to the log. While the database is away, which fails every request alike, one line a
 * second says so, and how often it was missed since the line before.
 */
export function errorReporter(log: Log, clock: Clock): (error: unknown) => void {
  let told = Number.NEGATIVE_INFINITY
  let times = 0
  return error => {
    if (!isUnavailable(error)) {
      log.error('unexpected error', { error })
      return
    }
    times++
    const now = clock.now()
    if (Math.abs(now - told) < INTERVAL_MS) return
    log.error('the database is unavailable', { reason: (error as Error).message, times })
    told = now
    times = 0
  }
}
