import type { Doubt } from '../../core/instance/absences.js'
import type { Missed } from '../../core/instance/outage.js'
import type { CheckOfProject } from '../../core/pings/arrived-ping.js'
import { CLOCK_SET_BACK_MS } from '../../core/pings/ping.js'
import { type Behind, behindOf } from '../../storage/instance/behind.js'
import { inFewParts } from '../../storage/instance/few-parts.js'
import { partOfCheck } from '../../storage/instance/parts.js'

/** A process that was frozen for longer than this (ms) could not receive pings in that time. */
export const FROZEN_MS = 3_000

/** Gaps shorter than this (ms) are merged. */
const APART_MS = 1_000

/** Pings that began to arrive before the clock was set back are on disk or refused after this time (ms). */
const REMEMBERED_MS = 75_000

/** The maximum number of steps of the clock that are remembered while no beat succeeds. */
const MAX_SET_BACKS = 100

/** The times in which this process could not record pings, until they are stored as outages. Instants in ms. */
export class MissedPings {
  /** The failures under way, by the part of the checks or null: from the first ping that failed to the newest. */
  readonly #failing = new Map<string | null, Missed>()
  #over: readonly Missed[] = []
  /** Those of `#over` that are being stored. */
  #handedOut: readonly Missed[] = []
  #awakeAt: number | null = null
  #recordedAt = Number.NEGATIVE_INFINITY
  /** When the first ping arrived that was recorded after the newest failure; null: none was. */
  #heardAgainAt: number | null = null
  #failures = 0
  /** The wall clock when it was last read, and the monotonic time (ms) then. */
  #lookedAt: { now: number; ticks: number } | null = null
  /** The newest step: how far (ms) the clock was set back, and the monotonic time then. */
  #setBack = { byMs: 0, ticks: Number.NEGATIVE_INFINITY }
  #setBacks: readonly number[] = []
  /** Until it is known whether any process accepted pings before this one started: what is known so far. */
  doubt: Doubt | null = null

  /**
   * Called with the current instant. If the clock was set back since the last call, shifts every remembered instant
   * by the same amount. `ticks` is the monotonic time (ms), which gives the size of the step.
   */
  follow(now: number, ticks = performance.now()): void {
    const before = this.#lookedAt ?? { now, ticks }
    this.#lookedAt = { now, ticks }
    if (now >= before.now) return
    const byMs = Math.round(before.now + ticks - before.ticks - now)
    this.#setBack = { byMs, ticks }
    this.#setBacks = [...this.#setBacks, byMs].slice(-MAX_SET_BACKS)
    const moved = <T extends Missed>(one: T): T => ({ ...one, from: one.from - byMs, to: one.to - byMs })
    for (const [part, missed] of this.#failing) this.#failing.set(part, moved(missed))
    this.#over = this.#over.map(moved)
    if (this.#awakeAt !== null) this.#awakeAt -= byMs
    this.#recordedAt -= byMs
    if (this.#heardAgainAt !== null) this.#heardAgainAt -= byMs
    if (this.doubt) {
      const { at, from, beats } = this.doubt
      // The beats of other processes may come from a clock that was right.
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

  /** The arrival time `at`, corrected if the clock has been set back since. `now` is the current instant. */
  movedWithClock(at: number, now: number): number {
    const isRecent = performance.now() - this.#setBack.ticks < REMEMBERED_MS
    return at > now && isRecent ? Math.min(now, at - this.#setBack.byMs) : at
  }

  /** Notes at `now` that a ping that arrived at `arrivedAt`, of this part of the checks, could not be recorded. */
  failed(arrivedAt: number, now: number, part: string | null = null): void {
    this.#fail(arrivedAt, now, part === null ? {} : { part })
  }

  /** Notes at `now` that a ping of this check that arrived at `arrivedAt` was refused, while those of others are recorded. */
  refused({ checkId, projectId }: CheckOfProject, arrivedAt: number, now: number): void {
    this.#fail(arrivedAt, now, { part: partOfCheck(checkId), projectId })
  }

  #fail(arrivedAt: number, now: number, of: Pick<Missed, 'part' | 'projectId'>): void {
    this.#failures++
    this.follow(now)
    const arrived = this.movedWithClock(arrivedAt, now)
    const part = of.part ?? null
    const { from, to } = this.#failing.get(part) ?? { from: arrived, to: now }
    this.#failing.set(part, { from: Math.min(from, arrived), to: Math.max(to, now), ...of })
    if (part === null) this.#heardAgainAt = null
  }

  /** Notes at `now` that a ping that arrived at `arrivedAt` was refused while others are recorded. */
  turnedAway(arrivedAt: number, now: number): void {
    this.#failures++
    this.follow(now)
    const from = this.movedWithClock(arrivedAt, now)
    this.#add({ from, to: Math.max(now, from + 1), partial: true })
  }

  /** Notes that some pings which arrived at `arrivedAt` are recorded. Others may fail still: they may need other tables. */
  recorded(arrivedAt: number): void {
    this.#recordedAt = Math.max(this.#recordedAt, arrivedAt)
    const failing = this.#failing.get(null)
    if (failing && arrivedAt > failing.to) this.#heardAgainAt ??= arrivedAt
  }

  /**
   * Notes that all pings which arrive at `at` are recorded, whatever they need: so they are since the first one that was after the newest
   * failure. Returns whether any failed before.
   */
  committed(at: number): boolean {
    this.recorded(at)
    return this.#endFailures([null], this.#heardAgainAt ?? at)
  }

  /** Notes that all pings which arrive at `at` for the checks of these parts are recorded. Returns whether such pings failed before. */
  recovered(parts: readonly string[], at: number): boolean {
    return this.#endFailures(parts, at)
  }

  /** The process ends at `now`: from then on, other processes accept the pings. */
  end(now: number): void {
    this.#endFailures([...this.#failing.keys()], now)
  }

  #endFailures(parts: readonly (string | null)[], at: number): boolean {
    const ended: Missed[] = []
    for (const part of parts) {
      const failing = this.#failing.get(part)
      if (!failing) continue
      this.#failing.delete(part)
      ended.push({ ...failing, to: Math.max(failing.from + 1, failing.to, at) })
    }
    for (const missed of inFewParts(ended)) this.#add(missed)
    return ended.length > 0
  }

  /** Notes that the process runs at `now`. After a long gap, it was frozen, and pings could not reach it. */
  awake(now: number): void {
    const before = this.#awakeAt ?? now
    // A long task may pass the instant at which it began, unless the clock was set back.
    if (now < before && before - now <= CLOCK_SET_BACK_MS) return
    this.#awakeAt = now
    if (now - before > FROZEN_MS) this.#add({ from: before, to: now })
  }

  /**
   * Notes at `now` that the process has just been frozen for `frozenMs` by the monotonic clock. `awake` knows only by how much the time of day
   * has advanced, which is less if it was set back meanwhile, and more if the machine was asleep.
   */
  frozen(now: number, frozenMs: number): void {
    this.follow(now)
    this.#add({ from: now - Math.round(frozenMs), to: now })
  }

  /** The number of failed pings so far. */
  get failures(): number {
    return this.#failures
  }

  /** Whether pings fail, whichever check they are for: until it is found out that all are recorded again. */
  get isFailing(): boolean {
    return this.#failing.has(null)
  }

  /** The parts of the checks whose pings fail. */
  get failingParts(): string[] {
    return [...this.#failing.keys()].filter(part => part !== null)
  }

  /** Whether pings of this part of the checks fail. */
  isFailingPart(part: string): boolean {
    return this.#failing.has(part)
  }

  /** Whether a ping that arrived at `at` or later is on disk. */
  hasRecorded(at: number): boolean {
    return this.#recordedAt >= at
  }

  /**
   * When the first ping arrived, or may have, that failed and is not covered by an outage in the
   * database or in `noted`; or null.
   */
  since(noted: readonly { from: number }[] = []): number | null {
    const left = inFewParts(this.left(noted)).filter(({ part }) => part === undefined)
    const instants = left.map(({ from }) => from)
    if (this.doubt && !noted.includes(this.doubt)) instants.push(this.doubt.from)
    return instants.length === 0 ? null : Math.min(...instants)
  }

  /** As `since`, of the pings of each part of the checks of which some failed. */
  behind(noted: readonly { from: number }[] = []): Behind {
    return behindOf(inFewParts(this.left(noted)))
  }

  /** The times that are not covered by an outage in the database or in `noted`, of as many parts as there are. */
  left(noted: readonly { from: number }[]): Missed[] {
    const without = new Set(noted)
    return [...this.#over, ...this.#failing.values()].filter(missed => !without.has(missed))
  }

  /** The failures that are over and not stored yet. They do not change while they are being stored. */
  over(): readonly Missed[] {
    const all = this.#over
    this.#over = []
    this.#handedOut = []
    for (const one of all) this.#add(one)
    this.#handedOut = this.#over
    return this.#over
  }

  /** The steps (ms) by which the clock was set back since the last beat, newest last. */
  get setBacks(): readonly number[] {
    return this.#setBacks
  }

  /** Notes that `missed` are stored, and that the database was repaired after the steps `setBacks` of the clock. */
  stored(missed: readonly Missed[], setBacks = this.#setBacks): void {
    if (this.#setBacks === setBacks) this.#setBacks = []
    this.#over = this.#over.filter(one => !missed.includes(one))
  }

  #add(missed: Missed): void {
    const last = this.#over.findLast(
      one => one.part === missed.part && (one.partial === true) === (missed.partial === true),
    )
    if (!last || missed.from - last.to >= APART_MS || this.#handedOut.includes(last)) {
      this.#over = [...this.#over, missed]
    } else {
      const heardMs = (last.heardMs ?? 0) + (missed.heardMs ?? 0) + Math.max(0, missed.from - last.to)
      const merged = {
        from: Math.min(last.from, missed.from),
        to: Math.max(last.to, missed.to),
        ...(last.partial ? { partial: true } : heardMs > 0 && { heardMs }),
        ...(last.part !== undefined && { part: last.part }),
        ...(last.projectId !== undefined && { projectId: last.projectId }),
      }
      this.#over = this.#over.map(one => (one === last ? merged : one))
    }
  }
}
