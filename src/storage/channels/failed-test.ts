/** The newest test notification of a channel, if it failed: it is shown as the last attempt, but is none. Decision 0153. */
import { type SqlBool, sql } from 'kysely'

/** A channel without one. */
export const NO_FAILED_TEST = { test_failed_at: null, test_error: '' }

/** A condition on `channels`: it failed later than the newest attempt was made. */
export const failedTestIsShown = sql<SqlBool>`(test_failed_at > coalesce(last_notify, 0))`

interface Attempts {
  last_notify: number | null
  last_duration: number | null
  last_error: string
  test_failed_at: number | null
  test_error: string
}

/** The attempt that is shown: when it began, its duration (ms), and its error. */
export function shownAttempt(row: Attempts) {
  const { last_notify, last_duration, last_error, test_failed_at, test_error } = row
  if (test_failed_at !== null && test_failed_at > (last_notify ?? 0))
    return { lastNotify: test_failed_at, lastDurationMs: null, lastError: test_error }
  return { lastNotify: last_notify, lastDurationMs: last_duration, lastError: last_error }
}
