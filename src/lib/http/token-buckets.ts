/** What a taker was told. */
export interface Taken {
  /** Whether they were taken. */
  taken: boolean
  /** When they may be used, or when to try again, in ms from now; 0: at once. */
  waitMs: number
  /** When the bucket is full again, in ms from now. */
  missingMs: number
}

/** The maximum number of names that are counted at once. */
const MAX_COUNTED = 10_000

/** A bucket of `capacity` tokens for each name: full at first, and one more after each `eachMs`. */
export class TokenBuckets {
  /** When each bucket is full again. */
  readonly #fullAt = new Map<string, number>()

  constructor(
    private readonly capacity: number,
    private readonly eachMs: number,
  ) {}

  /** Takes `count` tokens, also those that are still to come if the wait is not longer than `longestMs`. */
  take(name: string, now: number, { count = 1, longestMs = 0 } = {}): Taken {
    const { eachMs } = this
    const spanMs = this.capacity * eachMs
    // A clock that was set back leaves a bucket empty at most.
    const fullAt = Math.min(Math.max(now, this.#fullAt.get(name) ?? 0), now + spanMs + longestMs)
    const after = fullAt + count * eachMs
    const waitMs = Math.max(0, after - now - spanMs)
    if (waitMs > longestMs + eachMs / 2) return { taken: false, waitMs, missingMs: fullAt - now }
    if (this.#fullAt.size >= MAX_COUNTED) this.#forget(now)
    this.#fullAt.set(name, after)
    return { taken: true, waitMs, missingMs: after - now }
  }

  /** Returns tokens that were taken. */
  giveBack(name: string, count: number): void {
    const fullAt = this.#fullAt.get(name)
    if (fullAt !== undefined) this.#fullAt.set(name, fullAt - count * this.eachMs)
  }

  /** Full buckets need not be kept; if that does not suffice, all start full. */
  #forget(now: number): void {
    for (const [name, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(name)
    if (this.#fullAt.size >= MAX_COUNTED) this.#fullAt.clear()
  }
}
