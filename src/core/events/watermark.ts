/**
 * Which events a reader may pass. On PostgreSQL, IDs are not committed in order: one that is smaller than the newest may
 * still come, from a transaction that is under way. Decision 0121.
 */

/** What the database says at one instant. Transactions are numbered in the order of their beginnings. */
export interface FeedHead {
  /** The greatest ID. */
  newest: number
  /** A transaction that began after that ID was read; null if there is nothing new, or all writes are in order. */
  begun: number | null
  /** Every transaction before this one is over; null if all writes are in order. */
  over: number | null
}

export interface Watermark {
  /** Every event up to this ID has been committed, or never will be. */
  final: number
  /** The IDs up to `newest` are final when every transaction before `begun` is over. */
  waiting: { newest: number; begun: number } | null
}

export const NO_WATERMARK: Watermark = { final: 0, waiting: null }

/** The watermark after a look at the database. */
export function advanced({ final, waiting }: Watermark, { newest, begun, over }: FeedHead): Watermark {
  if (over === null) return { final: Math.max(final, newest), waiting: null }
  const reached = waiting !== null && over >= waiting.begun ? waiting.newest : final
  const still = waiting !== null && over < waiting.begun ? waiting : null
  if (still || begun === null || newest <= reached) return { final: reached, waiting: still }
  return { final: reached, waiting: { newest, begun } }
}
