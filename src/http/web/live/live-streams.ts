import { TokenBuckets } from '../../../lib/http/token-buckets.js'

/** The limits of a process. Browsers with more pages fetch them periodically instead. */
const MOST_OF_ONE = 10
const MOST = 300

/**
 * How many streams one person may open at once, and how often (ms) another one: all of them again as often as browsers do it by themselves. To open
 * one, the page is read from the database.
 */
const OPENED_AT_ONCE = 2 * MOST_OF_ONE
const OPENED_EACH_MS = 2_000 / MOST_OF_ONE

/** For all streams together. A page that receives nothing for eight seconds considers itself disconnected. */
const LOOKS_A_SECOND = 50

/** Limits the open streams of live pages, and how often they may read the database, because pings come first. */
export class LiveStreams {
  readonly #ofUser = new Map<number, number>()
  readonly #openings = new TokenBuckets(OPENED_AT_ONCE, OPENED_EACH_MS)
  readonly #mostOfOne: number
  readonly #most: number
  #open = 0
  #lastLook = 0

  constructor({ mostOfOne = MOST_OF_ONE, most = MOST } = {}) {
    this.#mostOfOne = mostOfOne
    this.#most = most
  }

  /**
   * Counts a stream of a user at `now` (ms). The returned function ends it; null if too many are open, or were opened a
   * moment ago.
   */
  open(userId: number, now: number): (() => void) | null {
    const own = this.#ofUser.get(userId) ?? 0
    if (own >= this.#mostOfOne || this.#open >= this.#most) return null
    if (!this.#openings.take(String(userId), now).taken) return null
    this.#open++
    this.#ofUser.set(userId, own + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      this.#open--
      const left = this.#ofUser.get(userId)! - 1
      if (left === 0) this.#ofUser.delete(userId)
      else this.#ofUser.set(userId, left)
    }
  }

  /** How long a stream that wants to read the database at `now` must wait (both in ms of one clock). */
  waitForLook(now: number): number {
    this.#lastLook = Math.max(now, this.#lastLook + 1000 / LOOKS_A_SECOND)
    return this.#lastLook - now
  }
}
