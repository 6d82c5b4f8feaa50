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

/** What a bucket lacked (ms of filling) at an instant (ms). */
interface Lack {
  ms: number
  at: number
}

/** A bucket of `capacity` tokens for each name: full at first, and one more after each `eachMs`. */
export class TokenBuckets {
  readonly #lacks = new Map<string, Lack>()

  constructor(
    private readonly capacity: number,
    private readonly eachMs: number,
  ) {}

  /** Takes `count` tokens, also those that are still to come if the wait is not longer than `longestMs`. */
  take(name: string, now: number, { count = 1, longestMs = 0 } = {}): Taken {
    const { eachMs } = this
    const known = this.#lacks.get(name)
    const before = known ? lackAt(known, now) : 0
    const after = before + count * eachMs
    const waitMs = Math.max(0, after - this.capacity * eachMs)
    const taken = waitMs <= longestMs + eachMs / 2
    const ms = taken ? after : before
    if (!known && this.#lacks.size >= MAX_COUNTED) this.#forget(now)
    this.#lacks.set(name, { ms, at: now })
    return { taken, waitMs, missingMs: ms }
  }

  /** Returns tokens that were taken. */
  giveBack(name: string, count: number): void {
    const known = this.#lacks.get(name)
    if (known) known.ms -= count * this.eachMs
  }

  /** Full buckets need not be kept; if that does not suffice, all start full. */
  #forget(now: number): void {
    for (const [name, lack] of this.#lacks) if (lackAt(lack, now) === 0) this.#lacks.delete(name)
    if (this.#lacks.size >= MAX_COUNTED) this.#lacks.clear()
  }
}

/** If the clock was set back, no time has passed. */
function lackAt({ ms, at }: Lack, now: number): number {
  return Math.max(0, ms - Math.max(0, now - at))
}
