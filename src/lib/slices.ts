const MOST = 300
const LEAST = 30
const FIRST = 100

/**
 * How many things are done in one transaction: as many as take `aimMs`, and at most 300. Others wait for the transaction under way and their
 * own, so on a slow database they would otherwise wait for long. Larger ones are cheaper, and on a quick database all are of the greatest size.
 */
export class Slices {
  #size = FIRST

  constructor(private readonly aimMs: number) {}

  /** The size of the next transaction. */
  get size(): number {
    return this.#size
  }

  /** Notes how long (ms) a full transaction of this size took. */
  took(ms: number): void {
    const wanted = Math.round((this.#size * this.aimMs) / Math.max(1, ms))
    // A single one may have been quick or slow by chance.
    const near = Math.min(this.#size * 2, Math.max(this.#size / 2, wanted))
    this.#size = Math.round(Math.min(MOST, Math.max(LEAST, near)))
  }
}

/** How much is done in one transaction. */
export interface Sizes {
  /** What is done all or none. */
  atOnce: number
  /** The sizes of the transactions of more than that. */
  slices: Pick<Slices, 'size' | 'took'>
}

/** How long (ms) a transaction of one kind of work should take: on SQLite, the pings of others wait for it. */
export const TRANSACTION_MS = {
  /** One of the several that a request makes. */
  change: 100,
  /** Deadlines that have passed: checks of other projects may wait for a second. */
  goingDown: 200,
  /** Steps of policies. */
  escalation: 100,
  /** What follows from changes of many checks, which nobody waits for. */
  followUp: 60,
} as const

/** What is done all or none is about as much as creating 300 checks, or deleting 20 with their logs. Decision 0123. */
export function usualSizes(): Sizes {
  return { atOnce: MOST, slices: new Slices(TRANSACTION_MS.change) }
}

/** The end of the slice that begins at `from` and weighs `size` at most; it has at least one thing. */
export function endOfSlice(weights: readonly number[], from: number, size: number): number {
  let [to, sum] = [from, 0]
  do sum += weights[to++]!
  while (to < weights.length && sum + weights[to]! <= size)
  return to
}
