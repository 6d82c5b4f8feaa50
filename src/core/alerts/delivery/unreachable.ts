/** When a channel counts as unreachable. Decision 0102. */

/** For so long (ms) nothing must have arrived though it was tried. */
const UNREACHABLE_AFTER_MS = 86_400_000

/** What lies between two attempts counts as tried for at most so long: more than the longest pause of a message. */
const LONGEST_GAP_MS = 3_600_000

/** A channel before an attempt failed: for how long it had been tried in vain, and when the attempt before it ended. */
export interface Failing {
  failingMs: number
  lastAttemptAt: number | null
}

/**
 * For how long (ms) a channel has been tried since anything arrived, once an attempt has failed at `now`. Time in which
 * nobody tried does not count: nothing was to be sent, the channel was disabled, or Punctual did not run.
 */
export function failingFor({ failingMs, lastAttemptAt }: Failing, now: number): number {
  const gap = lastAttemptAt === null ? 0 : now - lastAttemptAt
  return failingMs + Math.min(Math.max(gap, 0), LONGEST_GAP_MS)
}

/** Whether a channel that has been tried in vain for `failingMs` counts as unreachable. */
export function isUnreachable(failingMs: number): boolean {
  return failingMs >= UNREACHABLE_AFTER_MS
}
