/** How long this process may take the deliveries of a message for its own. Decision 0102. */
import { uptime } from 'node:os'
import type { Clock } from '../../lib/clock.js'

/** Others may have claimed the deliveries in the meantime. */
export class LeaseOver extends Error {
  override readonly name = 'LeaseOver'
}

/** Counts while the machine sleeps, which `performance.now()` does not, and is not set. In ms. */
const steadyClock: Clock = { now: () => uptime() * 1_000 }

/** An instant by both clocks. */
export interface Instant {
  wall: number
  steady: number
}

export class Lease {
  /** `own` cuts off what is done with the deliveries; `begun`: an instant before they were claimed, for `lengthMs`. */
  constructor(
    private readonly own: AbortController,
    private readonly clock: Clock,
    private begun: Instant,
    private lengthMs: number,
  ) {}

  /** The claim was renewed, which began at an instant, for `lengthMs`. */
  renew(from: Instant, lengthMs: number): void {
    this.begun = from
    this.lengthMs = lengthMs
  }

  /** The claim is lost: what is done is cut off. */
  end(): void {
    this.own.abort(new LeaseOver('others may have claimed what is sent'))
  }

  /** Cuts off what is done if time has run out. A wall clock that is set cuts off nothing that has begun. */
  watch(): void {
    if (steadyClock.now() - this.begun.steady >= this.lengthMs) this.end()
  }

  /** Called just before something is sent: ends the lease if it is over by either clock. */
  check(): void {
    if (this.clock.now() - this.begun.wall >= this.lengthMs) this.end()
    else this.watch()
    this.own.signal.throwIfAborted()
  }
}

/** Now, by both clocks. */
export function instant(clock: Clock): Instant {
  return { wall: clock.now(), steady: steadyClock.now() }
}
