import type { Clock } from '../lib/clock.js'
import type { Log } from '../lib/log/log.js'
import { isUnavailable } from '../storage/errors.js'

const INTERVAL_MS = 1_000

/**
 * Logs unexpected errors. While the database is unavailable every request fails alike, so that is logged once a
 * second, with the number of errors since the last line.
 */
export function errorReporter(log: Log, clock: Clock): (error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  let times = 0
  return error => {
    if (!isUnavailable(error)) {
      log.error('unexpected error', { error })
      return
    }
    times++
    const now = clock.now()
    if (Math.abs(now - loggedAt) < INTERVAL_MS) return
    log.error('the database is unavailable', { reason: (error as Error).message, times })
    loggedAt = now
    times = 0
  }
}
