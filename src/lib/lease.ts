/** How long the deliveries of a message belong to this process. Decision 0102. */
import { uptime } from 'node:os'
import type { Clock } from './clock.js'

/** Another process may have claimed the deliveries. */
export class LeaseOver extends Error {
  override readonly name = 'LeaseOver'
}

/** A clock (ms) that nobody can set and that, unlike `performance.now()`, also counts while the machine sleeps. */
const steadyClock: Clock = { now: () => uptime() * 1_000 }

/** An instant on both clocks (ms). */
export interface Instant {
  wall: number
  steady: number
}

export class Lease {
  /**
   * `own` aborts the work on the deliveries. They are claimed for `lengthMs` from `begun`, an instant before the
   * claim was written.
   */
  constructor(
    private readonly own: AbortController,
    private readonly clock: Clock,
    private begun: Instant,
    private lengthMs: number,
  ) {}

  /** The claim was renewed for `lengthMs`; the renewal began at `from`. */
  renew(from: Instant, lengthMs: number): void {
    this.begun = from
    this.lengthMs = lengthMs
  }

  /** The claim is lost: aborts the work. */
  end(): void {
    this.own.abort(new LeaseOver('others may have claimed what is sent'))
  }

  /** Aborts the work if the lease has run out. Setting the wall clock does not abort work that has begun. */
  watch(): void {
    if (steadyClock.now() - this.begun.steady >= this.lengthMs) this.end()
  }

  /** Called just before something is sent. Ends the lease, and throws, if it has run out on either clock. */
  check(): void {
    if (this.clock.now() - this.begun.wall >= this.lengthMs) this.end()
    else this.watch()
    this.own.signal.throwIfAborted()
  }
}

/** Now, on both clocks. */
export function instant(clock: Clock): Instant {
  return { wall: clock.now(), steady: steadyClock.now() }
}
