/** When nothing arrives through a channel, when it is unreachable, and when its recipient is gone. Decision 0102. */

/**
 * A channel fails for a day when it was tried for this long (ms) and nothing arrived: a minute less, because the first attempt may have taken
 * longer than the last.
 */
const FAILING_MS = 86_400_000 - 60_000

/**
 * The longest time (ms) between two attempts that counts as tried: as long as the longest pause of a message, see retry.ts.
 */
const LONGEST_GAP_MS = 3_600_000

/** A channel before an attempt failed: how long (ms) it had been failing, and when its newest attempt ended, if that failed. */
export interface Failing {
  failingMs: number
  lastFailureAt: number | null
}

/**
 * How long (ms) a channel has been failing, after an attempt failed at `now`. Time without attempts does not count:
 * nothing was to be sent, the channel was disabled, or Punctual did not run. If that attempt was the last one of an alert (`gaveUp`), it
 * was a day, however few attempts there were, because the receiver asked for long pauses or Punctual did not run: people are told of an
 * alert that is given up. Unless something arrived within the last hour: then only this one does not.
 */
export function failingFor({ failingMs, lastFailureAt }: Failing, now: number, gaveUp = false): number {
  const gap = lastFailureAt === null ? 0 : now - lastFailureAt
  const tried = failingMs + Math.min(Math.max(gap, 0), LONGEST_GAP_MS)
  return gaveUp && tried >= LONGEST_GAP_MS ? Math.max(tried, FAILING_MS) : tried
}

/** The shortest and the longest time (ms) until an unreachable channel is tried again. */
const PROBE_AFTER_MS = { least: 1_800_000, most: LONGEST_GAP_MS }

/**
 * When an unreachable channel is tried next, if the deliveries of the failed message are retried then (ms; null: never).
 * What is no longer true may wait longer if the receiver asks for that; the channel does not.
 */
export function nextProbeAt(retryAts: readonly (number | null)[], now: number): number {
  const latest = Math.max(now, ...retryAts.map(at => at ?? now + PROBE_AFTER_MS.least))
  return Math.min(latest, now + PROBE_AFTER_MS.most)
}

/**
 * Whether nothing has arrived through a channel for a day. It is unreachable if its receiver did not even answer the last
 * message. One that answers may refuse only some messages, so the others do not wait for it.
 */
export function failsForADay(failingMs: number): boolean {
  return failingMs >= FAILING_MS
}

/**
 * The longest time (ms) between two attempts of an hour of attempts: the longest pause of a message, and what it may wait for its turn
 * after that. If more has passed, nothing was to be sent, or Punctual did not run.
 */
const LONGEST_BREAK_MS = LONGEST_GAP_MS + 600_000

/**
 * A channel before an attempt was refused because its recipient does not exist. `unknownSince` (ms): null if the attempt before was refused
 * for another reason.
 */
export interface Unknown {
  unknownSince: number | null
  failing: Pick<Failing, 'lastFailureAt'>
}

/** Since when (ms) every attempt through a channel was refused because its recipient does not exist, after one was at `now`. */
export function unknownSince(
  { unknownSince: since, failing: { lastFailureAt } }: Unknown,
  now: number,
): number {
  const isPause = lastFailureAt !== null && now - lastFailureAt <= LONGEST_BREAK_MS
  return since !== null && isPause ? since : now
}

/** What a mail server accepted has arrived if it did not bounce within this time (ms). */
export const BOUNCES_SOON_MS = 1_800_000

/** A server without its table of users refuses every recipient as unknown, so an address is gone if it is refused for this long (ms). */
const REFUSED_MS = 3_600_000

/** Whether a recipient is gone if every attempt from `since` (ms) to one at `now` was refused because it does not exist. */
export function isGone(since: number, now: number): boolean {
  return now - since >= REFUSED_MS
}
