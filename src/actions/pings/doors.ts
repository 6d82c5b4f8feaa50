import { setImmediate } from 'node:timers/promises'

/** How long (ms) to look for connections that wait: pages and deadlines wait for that. */
const LOOK_MS = 500

/** How long (ms) connections that wait hold deadlines at most: senders give up by then, and strangers must not hold them for ever. */
const HOLDS_MS = 10_000

/** The turns of the event loop in which what came through connections that are accepted is read. */
const READING_TURNS = 2

/**
 * Knows whether connections wait to be accepted: the pings that come through them are not heard yet. The event loop accepts as little as one
 * connection a turn, so thousands that come at once wait for seconds.
 */
export class Doors {
  #came = 0
  /** When none waited the last time (monotonic, ms), if some did since; else null. */
  #waitSince: number | null = null
  #emptyAt = performance.now()

  /** Notes that a connection was accepted, or closed at once. */
  came(): void {
    this.#came++
  }

  /** Accepts and reads what has already reached the system, or, if that is much, some of it. */
  async settle(): Promise<void> {
    // The next turn may be over already when it is asked for.
    await setImmediate()
    const until = performance.now() + LOOK_MS
    for (;;) {
      const [before, now] = [this.#came, performance.now()]
      await setImmediate()
      if (this.#came === before) {
        this.#emptyAt = now
        this.#waitSince = null
        break
      }
      if (now > until) {
        this.#waitSince ??= this.#emptyAt
        break
      }
    }
    for (let turn = 0; turn < READING_TURNS; turn++) await setImmediate()
  }

  /** For how long (ms) connections may have waited that are not accepted; 0 if none did when it was last looked. */
  waitingFor(now = performance.now()): number {
    return this.#waitSince === null ? 0 : Math.min(now - this.#waitSince, HOLDS_MS)
  }
}
