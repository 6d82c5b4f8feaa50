import type { LiveStreams } from './live-streams.js'

/** How often there is a turn, and while this process keeps writing, how far apart turns are. */
export interface Pace {
  everyMs: number
  apartMs: number
}

const PACE: Pace = { everyMs: 1_000, apartMs: 500 }

/** Writes of this process within this time are shown together. */
const GATHER_MS = 100

/**
 * A stream rests so many times as long as its last look took, at most for `MOST_REST_MS`: pages with a thousand entries would otherwise take all
 * the time of the thread that also takes pings in. A page that receives nothing for eight seconds considers itself disconnected.
 */
const RESTS = 4
const MOST_REST_MS = 5_000

/** How long (ms) a stream rests after a look that took `lookMs`. */
export function restAfter(lookMs: number): number {
  return Math.min(lookMs * RESTS, MOST_REST_MS)
}

/** After this time the browser reconnects. */
const LONGEST_MS = 300_000

/** The times at which one stream reads the database: once a second, and soon after this process has written. */
export class LiveTurns {
  readonly #endAt = performance.now() + LONGEST_MS
  #isOpen = true
  #isIdle = false
  #isNudged = false
  #lookedAt = Number.NEGATIVE_INFINITY
  #wake = () => {}

  constructor(
    private readonly streams: Pick<LiveStreams, 'waitForLook'>,
    private readonly pace = PACE,
  ) {}

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Makes the next turn come soon, because something was written. */
  nudge(): void {
    this.#isNudged = true
    if (this.#isIdle) this.#wake()
  }

  /** Ends the stream: there are no more turns. */
  close(): void {
    this.#isOpen = false
    this.#wake()
  }

  /**
   * Waits for the next turn. Returns false if there is none, because the stream was closed or has reached its maximum
   * age.
   */
  async next(): Promise<boolean> {
    const now = performance.now()
    const isFirst = this.#lookedAt === Number.NEGATIVE_INFINITY
    const restUntil = isFirst ? now : now + restAfter(now - this.#lookedAt)
    this.#isIdle = true
    if (!this.#isNudged) await this.#sleep(this.pace.everyMs)
    this.#isIdle = false
    if (this.#isNudged) {
      await this.#sleep(Math.max(GATHER_MS, this.#lookedAt + this.pace.apartMs - performance.now()))
    }
    await this.#sleep(restUntil - performance.now())
    await this.#sleep(this.streams.waitForLook(performance.now()))
    this.#isNudged = false
    this.#lookedAt = performance.now()
    return this.#isOpen && this.#lookedAt < this.#endAt
  }

  async #sleep(ms: number): Promise<void> {
    if (!this.#isOpen || ms <= 0) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
