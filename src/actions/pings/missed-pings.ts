import type { Doubt, Missed } from '../../core/instance/outage.js'
import { CLOCK_SET_BACK_MS } from '../../core/pings/ping.js'

/** A process that did nothing for longer than this (ms) heard no pings in that time. */
const FROZEN_MS = 3_000

/** Times that lie closer together than this (ms) are noted as one. */
const APART_MS = 1_000

/** The pings that this process could not record, until that is on record. Instants in ms. */
export class MissedPings {
  /** Pings fail since its beginning; the newest failed at its end. */
  #failing: Missed | null = null
  #over: Missed[] = []
  #awakeAt: number | null = null
  #recordedAt = Number.NEGATIVE_INFINITY
  #failures = 0
  /** Whether anyone took pings before this process started, until that is known. */
  doubt: Doubt | null = null

  /** A ping that arrived at `arrivedAt` could not be recorded, as is known at `now`. */
  failed(arrivedAt: number, now: number): void {
    this.#failures++
    const { from, to } = this.#failing ?? { from: arrivedAt, to: now }
    this.#failing = { from: Math.min(from, arrivedAt), to: Math.max(to, now) }
  }

  /** Pings are recorded again, those that arrived at `arrivedAt` among them. Returns whether they failed before. */
  committed(arrivedAt: number): boolean {
    this.#recordedAt = arrivedAt
    if (this.#failing === null) return false
    const { from, to } = this.#failing
    this.#failing = null
    this.#add({ from, to: Math.max(from + 1, to, arrivedAt) })
    return true
  }

  /** The process ends at `now`: others hear what comes after that. */
  end(now: number): void {
    if (this.#failing) this.#add({ from: this.#failing.from, to: Math.max(now, this.#failing.to) })
    this.#failing = null
  }

  /** The process is awake at `now`. If it was not for long before, pings could not reach it. */
  awake(now: number): void {
    const before = this.#awakeAt ?? now
    // Long work asks again with the instant at which it began, unless the clock was set back.
    if (now < before && before - now <= CLOCK_SET_BACK_MS) return
    this.#awakeAt = now
    if (now - before > FROZEN_MS) this.#add({ from: before, to: now })
  }

  /** How many have failed so far. */
  get failures(): number {
    return this.#failures
  }

  /** Whether the newest ping failed. */
  get isFailing(): boolean {
    return this.#failing !== null
  }

  /** Whether a ping that arrived at `at` or later is on disk. */
  hasRecorded(at: number): boolean {
    return this.#recordedAt >= at
  }

  /** When the first ping arrived, or may have, that failed and is not on record nor in one of `noted`; or null. */
  since(noted: readonly { from: number }[] = []): number | null {
    const left = [...this.#over, this.#failing, this.doubt].filter(
      missed => missed !== null && !noted.includes(missed),
    )
    return left.length === 0 ? null : Math.min(...left.map(missed => missed!.from))
  }

  /** The times that are over and not on record. */
  over(): readonly Missed[] {
    return this.#over
  }

  /** `missed` are on record. */
  recorded(missed: readonly Missed[]): void {
    this.#over = this.#over.filter(one => !missed.includes(one))
  }

  #add(missed: Missed): void {
    const last = this.#over.at(-1)
    if (last && missed.from - last.to < APART_MS) {
      const merged = { from: Math.min(last.from, missed.from), to: Math.max(last.to, missed.to) }
      this.#over = [...this.#over.slice(0, -1), merged]
    } else this.#over = [...this.#over, missed]
  }
}
