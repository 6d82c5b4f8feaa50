import type { Clock } from '../lib/clock.js'

/** The longest sleep, so that changes by other processes and by commands are noticed within a second. */
const LONGEST_SLEEP_MS = 1_000

/**
 * A loop that runs a pass, then sleeps until the instant that the pass returned or until it is woken, but at most a
 * second. A pass that fails is reported and repeated after a second.
 */
export class Loop {
  #timer: NodeJS.Timeout | null = null
  #wakeAt = Number.POSITIVE_INFINITY
  #looking: Promise<void> | null = null
  #again = false
  #stopped = true
  #looks = 0

  /**
   * `look` is one pass: it does what is due and returns the instant (ms) at which something is next
   * known to be due, or null.
   */
  constructor(
    private readonly look: () => Promise<number | null>,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** The number of passes that succeeded so far. */
  get looks(): number {
    return this.#looks
  }

  start(): void {
    this.#stopped = false
    this.wake()
  }

  /** Starts a pass now, or another one at once if one is under way. */
  wake(): void {
    if (this.#stopped) return
    if (this.#looking) this.#again = true
    else this.#looking = this.#run()
  }

  /** Starts a pass at `at` at the latest. */
  wakeAt(at: number): void {
    if (this.#stopped || at >= this.#wakeAt) return
    if (this.#looking) this.#again = true
    else this.#sleepUntil(at)
  }

  /** Ends the loop; resolves when the pass under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#looking
  }

  async #run(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#wakeAt = Number.NEGATIVE_INFINITY
    let next: number | null = null
    try {
      do {
        this.#again = false
        next = await this.look()
        this.#looks++
      } while (this.#again && !this.#stopped)
    } catch (error) {
      this.onError(error)
    }
    this.#looking = null
    if (!this.#stopped) this.#sleepUntil(next ?? Number.POSITIVE_INFINITY)
  }

  #sleepUntil(at: number): void {
    const now = this.clock.now()
    this.#wakeAt = Math.min(at, now + LONGEST_SLEEP_MS)
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), Math.max(0, this.#wakeAt - now))
  }
}
