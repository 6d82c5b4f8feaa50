/** When a delivery that failed is tried again. */

/** What is no longer true, or never was more than a notice, is tried for so long. */
export const TRY_FOR_MS = 86_400_000

const PAUSES_SECONDS = [1, 3, 10, 30, 60, 120, 300, 600, 900, 1_800]

/** The longest pauses of what is tried for as long as it takes, whatever its receiver asks for: on the first day, and later. */
const LONGEST_PAUSE_MS = 1_800_000
const LATER_LONGEST_PAUSE_MS = 3_600_000

export interface Retry {
  /** Since when it is tried: the time counts of which {@link TRY_FOR_MS} is the limit. */
  since: number
  /** How many attempts have failed. */
  attempts: number
  /** Whether it is tried until it succeeds. */
  lasting: boolean
  /** The pause that the receiver asks for (ms). */
  retryAfterMs?: number
}

/**
 * The instant of the next attempt, or null when it is given up. The receiver's own wish wins where it is longer, up to the
 * longest pause where it is tried for as long as it takes; the first day ends with an attempt.
 */
export function nextAttemptAt(
  { since, attempts, lasting, retryAfterMs = 0 }: Retry,
  now: number,
): number | null {
  const dayOver = since + TRY_FOR_MS
  const asked = Math.max(pauseAfter(attempts), retryAfterMs)
  const longest = now < dayOver ? LONGEST_PAUSE_MS : LATER_LONGEST_PAUSE_MS
  const pause = lasting ? Math.min(asked, longest) : asked
  if (now < dayOver) return Math.min(now + pause, dayOver)
  return lasting ? now + pause : null
}

function pauseAfter(attempts: number): number {
  return PAUSES_SECONDS[Math.min(attempts, PAUSES_SECONDS.length) - 1]! * 1000
}
