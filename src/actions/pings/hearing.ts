import type { Changes } from '../../lib/changes.js'
import type { Clock } from '../../lib/clock.js'
import { partOfCheck } from '../../storage/instance/parts.js'
import { Doors } from './doors.js'
import { MissedPings } from './note-missed-pings.js'
import { Stalls } from './stalls.js'

/** While a ping's body is being read, deadlines wait this long (ms) at most: otherwise a stranger could hold them. */
export const ARRIVING_MS = 1_000

/** The maximum number of checks whose deadlines alone wait; if there are more, all deadlines do. */
const MOST_APART = 1_000

/**
 * The maximum number of checks of one project whose deadlines wait for slow e-mails to them. Anyone can send such to their own checks, and
 * to so many that all deadlines would wait.
 */
const MOST_SLOW_TO_READ = 100

/** What a queue of pings knows of those that are not on disk. */
export interface QueuedPings {
  /** The arrival time (ms) of the oldest for which all deadlines wait, or null. */
  readonly oldestAt: number | null
  /** The arrival times (ms) of the oldest of each check whose deadlines alone wait, as for locked pings, by the check's ID. */
  apartSince(): ReadonlyMap<number, number>
}

/** A check, and the project that has it. */
export interface CheckOfProject {
  checkId: number
  projectId: number
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
  readonly stalls = new Stalls()
  /** The connections through which they come. Whoever serves pings tells it of each. */
  readonly doors = new Doors()
  /** Oldest first. */
  readonly #arriving = new Set<Arriving>()
  /** The projects of the checks with e-mails that could not be read in time, until those are known to be missed. */
  readonly #unread = new Map<number, number>()
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
    const apart = this.#apart(now)
    const oldestApart = apart.size > MOST_APART ? Math.min(...apart.values()) : now
    return Math.min(now, this.#closedAt, read, oldestAt, oldestApart, this.missed.since(noted) ?? now)
  }

  /**
   * The earlier instants, if there are any, of those parts of the checks whose pings cannot be recorded, or whose deadlines alone wait;
   * `noted` as above.
   */
  behind(noted: readonly { from: number }[] = []): Record<string, number> {
    const behind = this.missed.behind(noted)
    const now = this.clock.now()
    const apart = this.#apart(now)
    if (apart.size > MOST_APART) return behind
    for (const [checkId, at] of apart) {
      const part = partOfCheck(checkId)
      behind[part] = Math.min(at, behind[part] ?? now)
    }
    return behind
  }

  /** The instants (ms) before which the pings of those checks are on disk whose deadlines alone wait, by the check's ID. */
  #apart(now: number): Map<number, number> {
    const apart = new Map<number, number>()
    for (const [id, at] of this.queue.apartSince()) apart.set(id, this.missed.movedWithClock(at, now))
    for (const one of this.#arriving) {
      if (one.of === 'all') continue
      for (const { checkId } of one.of) {
        apart.set(checkId, Math.min(apart.get(checkId) ?? now, this.#readUntil(one, now)))
      }
    }
    return apart
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

  /** Those of these checks whose deadlines may wait for an e-mail that is slow to read: only so many of each project. */
  mayWait<T extends CheckOfProject>(checks: readonly T[]): T[] {
    const waiting = this.#slowToRead()
    return checks.filter(({ checkId, projectId }) => {
      const own = waiting.get(projectId) ?? new Set()
      waiting.set(projectId, own)
      return own.has(checkId) || (own.size < MOST_SLOW_TO_READ && own.add(checkId))
    })
  }

  /** The checks whose deadlines wait for e-mails that are slow to read, by project. */
  #slowToRead(): Map<number, Set<number>> {
    const failing = new Set(this.missed.failingParts)
    for (const checkId of this.#unread.keys()) {
      if (!failing.has(partOfCheck(checkId))) this.#unread.delete(checkId)
    }
    const checks = [...this.#unread].map(([checkId, projectId]) => ({ checkId, projectId }))
    for (const { of } of this.#arriving) if (of !== 'all') checks.push(...of)
    const byProject = new Map<number, Set<number>>()
    for (const { checkId, projectId } of checks) {
      const own = byProject.get(projectId) ?? new Set()
      byProject.set(projectId, own.add(checkId))
    }
    return byProject
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
    const isNew = part === null ? !this.missed.isFailing : !this.missed.failingParts.includes(part)
    this.missed.failed(arrivedAt, this.clock.now(), part)
    if (isNew) this.changes.emit('trouble', {})
  }

  /** Notes that a ping of this check that arrived at `arrivedAt` was refused, while those of others are recorded. */
  refused(checkId: number, arrivedAt: number): void {
    const part = partOfCheck(checkId)
    const { failingParts } = this.missed
    const isApart = failingParts.length < MOST_APART || failingParts.includes(part)
    this.failed(arrivedAt, isApart ? part : null)
  }

  /** Notes the same of an e-mail to these checks, of which only those {@link mayWait} that it says. */
  unread(checks: readonly CheckOfProject[], arrivedAt: number): void {
    for (const { checkId, projectId } of this.mayWait(checks)) {
      this.refused(checkId, arrivedAt)
      this.#unread.set(checkId, projectId)
    }
  }

  /** Notes that pings which arrived at `arrivedAt` are on disk. */
  recorded(arrivedAt: number): void {
    if (this.missed.committed(arrivedAt)) this.changes.emit('trouble', {})
  }

  /** From `now` on, no pings reach this process; those under way are still recorded. */
  close(now: number): void {
    this.#closedAt = Math.min(this.#closedAt, now)
  }
}
