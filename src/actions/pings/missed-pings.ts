import type { Doubt } from '../../core/instance/absences.js'
import type { Missed } from '../../core/instance/outage.js'
import { CLOCK_SET_BACK_MS } from '../../core/pings/ping.js'

/** A process that did nothing for longer than this (ms) heard no pings in that time. */
const FROZEN_MS = 3_000

/** Times that lie closer together than this (ms) are noted as one. */
const APART_MS = 1_000

/** Pings that arrived before the clock was set back are on disk or refused after this time (ms). */
const REMEMBERED_MS = 60_000

/** A clock that is set back again and again while no beat succeeds is followed this often. */
const MOST_SET_BACKS = 100

/** The pings that this process could not record, until that is on record. Instants in ms. */
export class MissedPings {
  /** Pings fail since its beginning; the newest failed at its end. */
  #failing: Missed | null = null
  #over: readonly Missed[] = []
  /** Those of `#over` that are being put on record. */
  #handedOut: readonly Missed[] = []
  #awakeAt: number | null = null
  #recordedAt = Number.NEGATIVE_INFINITY
  #failures = 0
  /** The time of day as it was last looked at, and the monotonic time (ms) then. */
  #lookedAt: { now: number; ticks: number } | null = null
  /** How far the clock was set back (ms) when it last was, and the monotonic time then. */
  #setBack = { byMs: 0, ticks: Number.NEGATIVE_INFINITY }
  #setBacks: readonly number[] = []
  /** Whether anyone took pings before this process started, until that is known. */
  doubt: Doubt | null = null

  /**
   * Notices at `now`, the present instant, that the clock was set back since this was last called, and moves with it every
   * instant that is remembered. `ticks` is the monotonic time (ms), by which the length of the step is known.
   */
  follow(now: number, ticks = performance.now()): void {
    const before = this.#lookedAt ?? { now, ticks }
    this.#lookedAt = { now, ticks }
    if (now >= before.now) return
    const byMs = Math.round(before.now + ticks - before.ticks - now)
    this.#setBack = { byMs, ticks }
    this.#setBacks = [...this.#setBacks, byMs].slice(-MOST_SET_BACKS)
    const moved = <T extends Missed>(one: T): T => ({ ...one, from: one.from - byMs, to: one.to - byMs })
    if (this.#failing) this.#failing = moved(this.#failing)
    this.#over = this.#over.map(moved)
    if (this.#awakeAt !== null) this.#awakeAt -= byMs
    this.#recordedAt -= byMs
    if (this.doubt) {
      const { at, from, beats } = this.doubt
      // What others said before this process began may be of a clock that was right.
      const set = (instant: number) => (instant > now ? instant - byMs : instant)
      const said = beats.map(beat => ({
        ...beat,
        beatAt: set(beat.beatAt),
        heardAt: set(beat.heardAt),
        ...(beat.heardFrom !== undefined && { heardFrom: set(beat.heardFrom) }),
      }))
      this.doubt = { at: at - byMs, from: set(from), beats: said }
    }
  }

  /** The instant `at` of an arrival as the clock has it at `now`, which may have been set back since. */
  movedWithClock(at: number, now: number): number {
    const isRecent = performance.now() - this.#setBack.ticks < REMEMBERED_MS
    return at > now && isRecent ? Math.min(now, at - this.#setBack.byMs) : at
  }

  /** A ping that arrived at `arrivedAt` could not be recorded, as is known at `now`. */
  failed(arrivedAt: number, now: number): void {
    this.#failures++
    this.follow(now)
    const arrived = this.movedWithClock(arrivedAt, now)
    const { from, to } = this.#failing ?? { from: arrived, to: now }
    this.#failing = { from: Math.min(from, arrived), to: Math.max(to, now) }
  }

  /** A ping that arrived at `arrivedAt` was refused, as is known at `now`, while others are recorded. */
  turnedAway(arrivedAt: number, now: number): void {
    this.#failures++
    this.follow(now)
    const from = this.movedWithClock(arrivedAt, now)
    this.#add({ from, to: Math.max(now, from + 1), partial: true })
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

  /** The times that are over and not on record. They do not change any more while they are put there. */
  over(): readonly Missed[] {
    const all = this.#over
    this.#over = []
    this.#handedOut = []
    for (const one of all) this.#add(one)
    this.#handedOut = this.#over
    return this.#over
  }

  /** How far the clock was set back (ms) each time since the last beat, newest last. */
  get setBacks(): readonly number[] {
    return this.#setBacks
  }

  /** `missed` are on record, and what lay ahead after the clock was set back by `setBacks` is put right. */
  recorded(missed: readonly Missed[], setBacks = this.#setBacks): void {
    if (this.#setBacks === setBacks) this.#setBacks = []
    this.#over = this.#over.filter(one => !missed.includes(one))
  }

  #add(missed: Missed): void {
    const last = this.#over.findLast(one => (one.partial === true) === (missed.partial === true))
    if (!last || missed.from - last.to >= APART_MS || this.#handedOut.includes(last)) {
      this.#over = [...this.#over, missed]
    } else {
      const heardMs = (last.heardMs ?? 0) + (missed.heardMs ?? 0) + Math.max(0, missed.from - last.to)
      const merged = {
        from: Math.min(last.from, missed.from),
        to: Math.max(last.to, missed.to),
        ...(last.partial ? { partial: true } : heardMs > 0 && { heardMs }),
      }
      this.#over = this.#over.map(one => (one === last ? merged : one))
    }
  }
}
