import type { Missed } from '../../core/instance/outage.js'
import type { ArrivedPing, CheckOfProject } from '../../core/pings/arrived-ping.js'
import type { Changes } from '../../lib/changes.js'
import type { Clock } from '../../lib/clock.js'
import { type Behind, behindOf } from '../../storage/instance/behind.js'
import { inFewParts } from '../../storage/instance/few-parts.js'
import { partOfCheck } from '../../storage/instance/parts.js'
import { Doors } from './doors.js'
import { MissedPings } from './note-missed-pings.js'
import { Stalls } from './stalls.js'

/** While a ping's body is being read, deadlines wait this long (ms) at most: otherwise a stranger could hold them. */
export const ARRIVING_MS = 1_000

/** What a queue of pings knows of those that are not on disk. */
export interface QueuedPings {
  /** The arrival time (ms) of the oldest for which all deadlines wait, or null. */
  readonly oldestAt: number | null
  /** The checks whose deadlines alone wait, as for locked pings; each may be named several times. */
  apartSince(): readonly WaitingCheck[]
}

/** A check whose deadlines wait for a ping that arrived at an instant (ms). */
export interface WaitingCheck extends CheckOfProject {
  at: number
}

/** The checks whose deadlines wait for a ping. */
export type Held = 'all' | readonly CheckOfProject[]

/** A ping that is being read: when it arrived, how long (ms) deadlines wait for it, and those of which checks. */
interface Arriving {
  at: number
  holdsMs: number
  of: Held
}

/** Knows until when the pings that reached this process are on disk: deadlines after that wait. Decision 0104. */
export class Hearing {
  /** The times in which pings could not be recorded. */
  readonly missed = new MissedPings()
  /** The moments in which they could not be read. Whoever serves pings starts it. */
  readonly stalls = new Stalls(stalledMs => this.missed.frozen(this.clock.now(), stalledMs))
  /** The connections through which they come. Whoever serves pings tells it of each. */
  readonly doors = new Doors()
  /** Oldest first. */
  readonly #arriving = new Set<Arriving>()
  #closedAt = Number.POSITIVE_INFINITY

  constructor(
    private readonly queue: QueuedPings,
    private readonly changes: Changes,
    private readonly clock: Clock,
  ) {}

  /**
   * The instant (ms) before which every ping that reached this process is on disk, but those of the checks that are
   * `behind`; at most `now`. `noted`: times in which pings were missed, or may have been, to leave out.
   */
  heardUntil(now: number, noted: readonly { from: number }[] = []): number {
    this.missed.follow(this.clock.now())
    this.missed.awake(now)
    let read = now - Math.ceil(Math.max(this.stalls.unreadFor(), this.doors.waitingFor()))
    for (const one of this.#arriving) {
      if (one.of === 'all') read = Math.min(read, this.#readUntil(one, now))
    }
    const oldestAt = this.missed.movedWithClock(this.queue.oldestAt ?? now, now)
    const ofAll = this.#apart(now, noted).find(({ part }) => part === undefined)
    return Math.min(now, this.#closedAt, read, oldestAt, ofAll?.from ?? now, this.missed.since(noted) ?? now)
  }

  /**
   * The earlier instants, if there are any, of those parts of the checks whose pings cannot be recorded, or whose deadlines alone wait;
   * `noted` as above.
   */
  behind(noted: readonly { from: number }[] = []): Behind {
    return behindOf(this.#apart(this.clock.now(), noted))
  }

  /** The pings of parts of the checks that were missed, or wait. If there are too many parts, one of these is of all checks. */
  #apart(now: number, noted: readonly { from: number }[]): readonly Missed[] {
    const apart = this.missed.left(noted).filter(({ part }) => part !== undefined)
    const wait = ({ checkId, projectId }: CheckOfProject, from: number) =>
      apart.push({ from, to: now, part: partOfCheck(checkId), projectId })
    for (const { at, ...check } of this.queue.apartSince()) wait(check, this.missed.movedWithClock(at, now))
    for (const one of this.#arriving) {
      if (one.of === 'all') continue
      const from = this.#readUntil(one, now)
      for (const check of one.of) wait(check, from)
    }
    return inFewParts(apart)
  }

  #readUntil({ at, holdsMs }: Arriving, now: number): number {
    return Math.max(this.missed.movedWithClock(at, now), now - holdsMs)
  }

  /**
   * Notes that a ping that arrived at `at` is being read; deadlines wait for it for `holdsMs` at most: all, or those of these checks. Call
   * the returned function when it is in the queue or turns out not to be a ping.
   */
  arriving(at: number, holdsMs = ARRIVING_MS, of: Held = 'all'): () => void {
    const entry = { at, holdsMs, of }
    this.#arriving.add(entry)
    return () => this.#arriving.delete(entry)
  }

  /**
   * Notes that a ping that arrived at `at`, or a connection that may have carried one, was refused
   * while others are recorded.
   */
  turnedAway(at = this.clock.now()): void {
    this.missed.turnedAway(at, this.clock.now())
  }

  /** Notes that a ping that arrived at `arrivedAt`, of this part of the checks, could not be recorded. */
  failed(arrivedAt: number, part: string | null = null): void {
    const isNew = part === null ? !this.missed.isFailing : !this.missed.isFailingPart(part)
    this.missed.failed(arrivedAt, this.clock.now(), part)
    if (isNew) this.changes.emit('trouble', {})
  }

  /** Notes that pings of these checks that arrived at `arrivedAt` were refused, while those of others are recorded. */
  refused(checks: readonly CheckOfProject[], arrivedAt: number): void {
    const areNew = checks.some(({ checkId }) => !this.missed.isFailingPart(partOfCheck(checkId)))
    for (const check of checks) this.missed.refused(check, arrivedAt, this.clock.now())
    if (areNew) this.changes.emit('trouble', {})
  }

  /**
   * Pings with their arrivals by the clock as it is now, if it was set back since: what they cause would wait until it is there again.
   * Decision 0008.
   */
  byThisClock(pings: readonly ArrivedPing[]): readonly ArrivedPing[] {
    const now = this.clock.now()
    if (pings.every(({ arrivedAt }) => arrivedAt <= now)) return pings
    this.missed.follow(now)
    return pings.map(ping => ({ ...ping, arrivedAt: this.missed.movedWithClock(ping.arrivedAt, now) }))
  }

  /** Notes that pings which arrived at `arrivedAt` are on disk. */
  recorded(arrivedAt: number): void {
    this.missed.recorded(arrivedAt)
  }

  /** From `now` on, no pings reach this process; those under way are still recorded. */
  close(now: number): void {
    this.#closedAt = Math.min(this.#closedAt, now)
  }
}
