import type { Clock } from './clock.js'

/**
 * Stops calls to something that has just failed several times. Opens after `failures` failures within `windowMs`, and
 * closes when the oldest of them is older than that.
 */
export class CircuitBreaker {
  #failedAt: number[] = []

  constructor(
    private readonly clock: Clock,
    private readonly failures: number,
    private readonly windowMs: number,
  ) {}

  /** Whether to fail without trying. */
  get isOpen(): boolean {
    const now = this.clock.now()
    // A failure in the future was recorded before the clock was set back.
    this.#failedAt = this.#failedAt.filter(at => at <= now && now - at < this.windowMs)
    return this.#failedAt.length >= this.failures
  }

  noteFailure(): void {
    this.#failedAt.push(this.clock.now())
  }
}
