import type { ArrivedPing, PingOutcome } from '../../core/pings/arrived-ping.js'
import type { Changes } from '../../lib/changes.js'
import { systemClock } from '../../lib/clock.js'
import { partOfCheck } from '../../storage/instance/parts.js'
import type { StoreWith } from '../../storage/store.js'
import { Doors } from './doors.js'
import { LockedPings } from './locked-pings.js'
import { MissedPings } from './note-missed-pings.js'
import { ANSWER_WITHIN_MS, NoAnswerYet, QueueFull, StillLocked } from './ping-refusals.js'
import { BatchRecorder } from './record-batches.js'
import { Stalls } from './stalls.js'
import { type Waiting, WaitingPings } from './waiting-pings.js'

/** How often pings that wait too long are looked for. */
const LOOK_EVERY_MS = 250

/** While a ping's body is being read, deadlines wait this long (ms) at most: otherwise a stranger could hold them. */
export const ARRIVING_MS = 1_000

/** The maximum number of checks whose deadlines alone wait; if there are more, all deadlines do. */
const MOST_APART = 1_000

/** A ping that is being read: when it arrived, how long (ms) deadlines wait for it, and those of which checks; null: of all. */
interface Arriving {
  at: number
  holdsMs: number
  checkIds: readonly number[] | null
}

const ignore = () => {}

/**
 * The ping queue. Pings that arrive while a batch is being committed form the next batch, so that they share one sync
 * to disk. A promise resolves only when its ping is on disk. A batch leaves part of a long queue waiting, so that the
 * database and this process work at the same time. Pings of checks that another transaction has locked wait apart, and
 * with them the deadlines of these checks alone. Decision 0040.
 */
export class PingQueue {
  readonly #waiting = new WaitingPings()
  readonly #batches: BatchRecorder
  readonly #locked: LockedPings
  #flushing = false
  /** The batch under way, until the outcome of each of its pings is known; then `#batch` resolves. */
  #inHand: readonly Waiting[] = []
  #batch: Promise<void> | null = null
  /** Begins the first batch before the turn of the event loop ends. */
  #begin: (() => void) | null = null
  /** Refuses pings that wait too long; runs while any wait. */
  #watch: NodeJS.Timeout | null = null
  /** The arrival times of pings that are still being read, oldest first. */
  readonly #arriving = new Set<Arriving>()
  #closedAt = Number.POSITIVE_INFINITY
  /** The times in which pings could not be recorded. */
  readonly missed = new MissedPings()
  /** The moments in which they could not be read. Whoever serves pings starts it. */
  readonly stalls = new Stalls()
  /** The connections through which they come. Whoever serves pings tells it of each. */
  readonly doors = new Doors()

  constructor(
    store: StoreWith<'pings.record' | 'pings.recordInLine' | 'pings.probe'>,
    private readonly changes: Changes,
    onBug: (message: string) => void,
    onBatch: (size: number, ms: number) => void = () => {},
    private readonly clock = systemClock,
  ) {
    const listeners = {
      onBug,
      onBatch,
      onRecorded: (arrivedAt: number) => this.#recorded(arrivedAt),
      onFailed: (arrivedAt: number, part?: string) => this.failed(arrivedAt, part),
      onWaited: (waits: readonly ArrivedPing[]) => this.#addWaits(waits),
    }
    const again = new BatchRecorder(store, new WaitingPings(), {
      ...listeners,
      onLocked: (waiting, checkId) => this.#locked.learn(waiting, checkId),
    })
    this.#locked = new LockedPings({
      recordInLine: (checkId, take) => again.recordInLine(checkId, take),
      record: batch => again.record(batch, () => {}),
      refuse: (waiting, checkId) => this.#refuseLocked(waiting, checkId),
    })
    this.#batches = new BatchRecorder(
      store,
      this.#waiting,
      { ...listeners, onLocked: (waiting, checkId) => this.#putOff(waiting, checkId) },
      () => this.#locked.checkIds(),
    )
  }

  /** The number of pings that wait for a batch. */
  get length(): number {
    return this.#waiting.length
  }

  /** The number of pings that wait because another transaction has locked what they change. */
  get locked(): number {
    return this.#locked.length
  }

  /** The arrival time (ms) of the oldest ping that is not on disk and not locked, or null. */
  get oldestAt(): number | null {
    let oldest: number | null = null
    for (const some of [this.#inHand, this.#waiting]) {
      for (const { pings } of some) oldest = Math.min(oldest ?? pings[0]!.arrivedAt, pings[0]!.arrivedAt)
    }
    return oldest
  }

  /**
   * The instant (ms) before which every ping that reached this process is on disk, but those of the checks that are
   * `behind`; at most `now`. `noted`: times in which pings were missed, or may have been, to leave out.
   */
  heardUntil(now: number, noted: readonly { from: number }[] = []): number {
    this.missed.follow(this.clock.now())
    this.missed.awake(now)
    const moved = (at: number) => this.missed.movedWithClock(at, now)
    let read = now - Math.ceil(Math.max(this.stalls.unreadFor(), this.doors.waitingFor()))
    for (const one of this.#arriving) {
      if (one.checkIds === null) read = Math.min(read, this.#readUntil(one, now))
    }
    const oldestAt = moved(this.oldestAt ?? now)
    const apart = this.#apart(now)
    const oldestApart = apart.size > MOST_APART ? Math.min(...apart.values()) : now
    return Math.min(now, this.#closedAt, read, oldestAt, oldestApart, this.missed.since(noted) ?? now)
  }

  /** The instants (ms) before which the pings of those checks are on disk that are locked, or that are being read, by the check's ID. */
  #apart(now: number): Map<number, number> {
    const apart = this.#locked.oldest()
    for (const [id, at] of apart) apart.set(id, this.missed.movedWithClock(at, now))
    for (const one of this.#arriving) {
      for (const id of one.checkIds ?? []) {
        apart.set(id, Math.min(apart.get(id) ?? now, this.#readUntil(one, now)))
      }
    }
    return apart
  }

  #readUntil({ at, holdsMs }: Arriving, now: number): number {
    return Math.max(this.missed.movedWithClock(at, now), now - holdsMs)
  }

  /**
   * The earlier instants, if there are any, of those parts of the checks whose pings cannot be recorded, are locked, or are being read apart;
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

  /**
   * Notes that a ping that arrived at `at` is being read; deadlines wait for it for `holdsMs` at most: those of the checks `checkIds`, by
   * default all. Call the returned function when it is in the queue or turns out not to be a ping.
   */
  arriving(at: number, holdsMs = ARRIVING_MS, checkIds: readonly number[] | null = null): () => void {
    const entry = { at, holdsMs, checkIds }
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
    const isNew = part === null ? !this.missed.isFailing : !this.missed.failingParts.includes(part)
    this.missed.failed(arrivedAt, this.clock.now(), part)
    if (isNew) this.changes.emit('trouble', {})
  }

  /** Notes that a ping of this check that arrived at `arrivedAt` was refused, while those of others are recorded. */
  refused(checkId: number, arrivedAt: number): void {
    this.failed(arrivedAt, this.#partOf(checkId))
  }

  /** From `now` on, no pings reach this process; those under way are still recorded. */
  close(now: number): void {
    this.#closedAt = Math.min(this.#closedAt, now)
  }

  /** Records a ping. Rejects with `QueueFull`, or with the database's error; then nothing was recorded. */
  async record(ping: ArrivedPing): Promise<PingOutcome> {
    return (await this.recordTogether([ping]))[0]!
  }

  /**
   * Records one or more pings in one transaction, in order. Rejects as `record` does; then none of them was recorded, or,
   * if some of their checks were locked, only others, and the sender may send all of them again. Several pings must come from one e-mail: the database may divide a
   * batch, but not an e-mail. The sender has waited since `since`, by `performance.now()`.
   */
  recordTogether(pings: readonly ArrivedPing[], since = performance.now()): Promise<PingOutcome[]> {
    if (this.#waiting.isFull) {
      this.turnedAway(pings[0]!.arrivedAt)
      return Promise.reject(new QueueFull('too many pings are waiting'))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.add({ pings, since, resolve, reject })
      if (!this.#flushing) this.#flush()
      if (this.#waiting.areEnough) this.#begin?.()
    })
  }

  /** Resolves when every ping taken before this call is on disk, was refused, or is locked. */
  async settled(): Promise<void> {
    const { last } = this.#waiting
    if (!last) return await (this.#batch ?? undefined)
    await new Promise<void>(resolve => {
      const { resolve: ok, reject: failed, putOff } = last
      last.putOff = () => {
        putOff?.()
        resolve()
      }
      last.resolve = outcomes => {
        ok(outcomes)
        resolve()
      }
      last.reject = error => {
        failed(error)
        resolve()
      }
    })
    // If it is locked, those before it may still be in hand.
    await this.#batch
  }

  /** Refuses the pings that are locked, because the process ends. */
  refuseLocked(): void {
    for (const { waiting, checkId } of this.#locked.find(() => true)) this.#refuseLocked(waiting, checkId)
  }

  /**
   * Records how long senders have waited for their answers: until then the deadlines of their checks wait as for the pings themselves.
   */
  #addWaits(waits: readonly ArrivedPing[]): void {
    const since = performance.now()
    this.#waiting.addFirst(waits.map(ping => ({ pings: [ping], since, resolve: ignore, reject: ignore })))
    if (!this.#flushing) this.#flush()
  }

  #flush(): void {
    this.#flushing = true
    this.#look()
    // Pings that arrive in the same turn of the event loop share the first batch.
    const turn = setImmediate(() => this.#begin?.())
    this.#begin = () => {
      clearImmediate(turn)
      this.#begin = null
      this.#next()
    }
  }

  #look(): void {
    this.#watch ??= setInterval(() => this.#refuseLate(), LOOK_EVERY_MS).unref()
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      this.#inHand = this.#locked.withoutFollowers(this.#waiting.takeBatch())
      if (this.#inHand.length === 0) continue
      this.#batch = this.#batches.record(this.#inHand, () => this.#next())
      return
    }
    this.#inHand = []
    this.#batch = null
    this.#flushing = false
  }

  #putOff(waiting: Waiting, checkId: number | null): void {
    this.#locked.add(waiting, checkId)
    this.#look()
  }

  #refuseLocked(waiting: Waiting, checkId: number | null): void {
    // A check that is not created yet has no deadlines.
    if (checkId !== null) this.refused(checkId, waiting.pings[0]!.arrivedAt)
    waiting.reject(new StillLocked(checkId))
  }

  /** The part of the checks whose deadlines wait because pings of this check are refused. */
  #partOf(checkId: number): string | null {
    const part = partOfCheck(checkId)
    const { failingParts } = this.missed
    return failingParts.length < MOST_APART || failingParts.includes(part) ? part : null
  }

  /** Notes that pings which arrived at `arrivedAt` are on disk. */
  #recorded(arrivedAt: number): void {
    if (this.missed.committed(arrivedAt)) this.changes.emit('trouble', {})
  }

  /** Refuses pings that have waited as long as clients wait. Those being recorded may still succeed. */
  #refuseLate(): void {
    if (!this.#flushing && this.#locked.length === 0) {
      clearInterval(this.#watch!)
      this.#watch = null
      return
    }
    const before = performance.now() - ANSWER_WITHIN_MS
    const isLate = ({ since, refused }: Waiting) => since < before && !refused
    for (const { waiting, checkId } of this.#locked.find(isLate)) this.#refuseLocked(waiting, checkId)
    const late = [...this.#inHand.filter(isLate), ...this.#waiting.take(isLate)]
    for (const waiting of late) {
      this.failed(waiting.pings[0]!.arrivedAt)
      waiting.refused = true
      waiting.reject(new NoAnswerYet('the database has not answered yet'))
    }
  }
}
