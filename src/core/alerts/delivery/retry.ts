/** When a failed delivery, or an e-mail to a person, is retried. */

/** How long a delivery is retried that is no longer true, or is only a notice, and an e-mail that is not `lasting`. */
export const TRY_FOR_MS = 86_400_000

/** How long (ms) the attempt with which that ends may wait for its turn. */
const LAST_ATTEMPT_MS = 600_000

const PAUSES_SECONDS = [1, 3, 10, 30, 60, 120, 300, 600, 900, 1_800]

/**
 * The longest pauses before a delivery that is retried until it succeeds, even if its receiver asks for more: on the
 * first day, and later.
 */
const LONGEST_PAUSE_MS = 1_800_000
const LATER_LONGEST_PAUSE_MS = 3_600_000

/** The longest pause before an e-mail to a person that is retried until it succeeds. */
const LONGEST_MAIL_PAUSE_MS = 86_400_000

export interface Retry {
  /** Since when it has been tried; {@link TRY_FOR_MS} counts from here. */
  since: number
  /** The number of failed attempts. */
  attempts: number
  /** Whether it is retried until it succeeds, or is not true any more. */
  lasting: boolean
  /** The pause (ms) that the receiver asks for. */
  retryAfterMs?: number
}

/**
 * The instant of the next attempt, or null to give up. A longer pause that the receiver asks for wins; if the
 * delivery is retried until it succeeds, at most the longest pause. The first day ends with an attempt.
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

/**
 * The same of an e-mail to a person. After the first day, the pause of one that is `lasting` is a seventh of its age, from three hours
 * to a day: its mail server may refuse it for good, for years.
 */
export function nextMailAttemptAt(mail: Omit<Retry, 'retryAfterMs'>, now: number): number | null {
  const age = now - mail.since
  if (!mail.lasting || age < TRY_FOR_MS) return nextAttemptAt(mail, now)
  return now + Math.min(Math.ceil(age / 7), LONGEST_MAIL_PAUSE_MS)
}

/** Whether a delivery that is no longer true, or is only a notice, has been tried for long enough since `since` (ms). */
export function isTooLate(since: number, now: number): boolean {
  return now - since >= TRY_FOR_MS + LAST_ATTEMPT_MS
}

function pauseAfter(attempts: number): number {
  return PAUSES_SECONDS[Math.min(attempts, PAUSES_SECONDS.length) - 1]! * 1000
}
