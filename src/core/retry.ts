/** When a delivery that failed is tried again. */

/** How long a delivery is tried before it is given up. */
const GIVE_UP_AFTER_MS = 86_400_000

const PAUSES_SECONDS = [1, 3, 10, 30, 60, 120, 300, 600, 900, 1_800]

/**
 * The instant of the next attempt after `attempts` failed ones, or null when a day has passed since
 * `createdAt`. The receiver's own wish (`retryAfterMs`) wins where it is longer; the last attempt is made when
 * the day is over, however long the receiver asked to wait.
 */
export function nextAttemptAt(
  createdAt: number,
  attempts: number,
  now: number,
  retryAfterMs = 0,
): number | null {
  const giveUpAt = createdAt + GIVE_UP_AFTER_MS
  if (now >= giveUpAt) return null
  const pause = PAUSES_SECONDS[Math.min(attempts, PAUSES_SECONDS.length) - 1]! * 1000
  return Math.min(now + Math.max(pause, retryAfterMs), giveUpAt)
}
