/** When a channel is unreachable. Decision 0102. */

/** A channel is unreachable when it was tried for this long (ms) and nothing arrived. */
const UNREACHABLE_AFTER_MS = 86_400_000

/**
 * The longest time (ms) between two attempts that counts as tried: as long as the longest pause of a message, see retry.ts.
 */
const LONGEST_GAP_MS = 3_600_000

/** A channel before an attempt failed: how long it had been failing, and when the attempt before ended. */
export interface Failing {
  failingMs: number
  lastAttemptAt: number | null
}

/**
 * How long (ms) a channel has been failing, after an attempt failed at `now`. Time without attempts does not count:
 * nothing was to be sent, the channel was disabled, or Punctual did not run.
 */
export function failingFor({ failingMs, lastAttemptAt }: Failing, now: number): number {
  const gap = lastAttemptAt === null ? 0 : now - lastAttemptAt
  return failingMs + Math.min(Math.max(gap, 0), LONGEST_GAP_MS)
}

/** The shortest and the longest time (ms) until an unreachable channel is tried again. */
const PROBE_AFTER_MS = { least: 1_800_000, most: LONGEST_GAP_MS }

/** An attempt at a message that failed. */
interface Failed {
  /** When its deliveries are retried (ms); null: never. */
  retryAts: readonly (number | null)[]
  /** Whether the receiver answered, and refused this message alone. */
  refused: boolean
}

/**
 * When an unreachable channel is tried next. What is no longer true may wait longer if the receiver asks for that; the channel
 * does not. A receiver that answers is tried at once with the messages of other checks.
 */
export function nextProbeAt({ retryAts, refused }: Failed, now: number): number {
  if (refused) return now
  const latest = Math.max(now, ...retryAts.map(at => at ?? now + PROBE_AFTER_MS.least))
  return Math.min(latest, now + PROBE_AFTER_MS.most)
}

/** Whether a channel that has been failing for `failingMs` is unreachable. */
export function isUnreachable(failingMs: number): boolean {
  return failingMs >= UNREACHABLE_AFTER_MS
}
