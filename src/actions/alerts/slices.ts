/** The maximum number of deliveries that a transaction creates, and of checks that it examines. */
const MOST = 300
const LEAST = 30
const FIRST = 100
/** How long (ms) a transaction should take. */
const AIM_MS = 200

/**
 * How many checks are declared down in one transaction: as many as take a fifth of a second. A check of another project
 * that comes due in the meantime waits for the transaction under way and its own, so in a storm on a slow database it would otherwise
 * wait longer than the second that it may. Larger ones are cheaper, and on a quick database all are of the greatest size.
 */
export class Slices {
  #size = FIRST

  /** The size of the next transaction. */
  get size(): number {
    return this.#size
  }

  /** Notes how long (ms) a full transaction of this size took. */
  took(ms: number): void {
    const wanted = Math.round((this.#size * AIM_MS) / Math.max(1, ms))
    // A single one may have been quick or slow by chance.
    const near = Math.min(this.#size * 2, Math.max(this.#size / 2, wanted))
    this.#size = Math.round(Math.min(MOST, Math.max(LEAST, near)))
  }
}
