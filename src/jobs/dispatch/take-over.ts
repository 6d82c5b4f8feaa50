import { isLocked, mayPass } from '../../storage/errors.js'
import { LEASE_MS, RENEW_AFTER_MS } from './claims-in-hand.js'

/** A query of deliveries that takes longer (ms) may have waited for a lock behind which claims were not renewed either. */
const SLOW_MS = RENEW_AFTER_MS.small

/** How long (ms) other processes have after that to renew what they claim, or to settle it. */
const GRACE_MS = LEASE_MS.small

/** The longest time (ms) in which nothing is taken over: a process tries for as long to settle a message. */
const LONGEST_MS = 5 * 60_000

/**
 * Which claims of other processes have ended. While deliveries are locked or the database is out of reach, no process can renew
 * its claims or settle what has arrived, so a claim that ends then does not say that its process has. Decision 0102.
 */
export class TakeOver {
  /** When the trouble began and when it is over, of `performance.now()` (ms). */
  #trouble = { from: 0, until: Number.NEGATIVE_INFINITY }

  constructor(private readonly now = () => performance.now()) {}

  /** Runs a query of deliveries. One that fails or takes long means trouble. */
  async watch<R>(query: () => Promise<R>): Promise<R> {
    const from = this.now()
    try {
      const result = await query()
      if (this.now() - from > SLOW_MS) this.note()
      return result
    } catch (error) {
      if (mayPass(error)) this.note()
      throw error
    }
  }

  /**
   * During trouble, finds out whether it is over. `write` writes nothing to deliveries, and fails if they are locked: a lock may
   * let queries pass.
   */
  async probe(write: () => Promise<void>): Promise<void> {
    if (this.now() >= this.#trouble.until) return
    try {
      await write()
    } catch (error) {
      if (!isLocked(error)) throw error
      this.note()
    }
  }

  /** Notes that deliveries are locked. */
  note(): void {
    const now = this.now()
    const { from, until } = this.#trouble
    this.#trouble = { from: now < until ? from : now, until: now + GRACE_MS }
  }

  /** Claims that ended before this instant (ms) may be taken over at `now`. */
  endedBefore(now: number): number {
    const at = this.now()
    const { from, until } = this.#trouble
    return at < until && at - from < LONGEST_MS ? 0 : now
  }
}
