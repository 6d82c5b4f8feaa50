import type { ArrivedPing, LockedCheck, PingOutcome } from '../../core/pings/arrived-ping.js'
import type { Changes } from '../../lib/changes.js'
import { systemClock } from '../../lib/clock.js'
import { FairQueue } from '../../lib/fair/fair-queue.js'
import { Hearing, type WaitingCheck } from './hearing.js'
import { LockedPings } from './locked-pings.js'
import { ANSWER_WITHIN_MS, isTemporary, NoAnswerYet, QueueFull, StillLocked } from './ping-refusals.js'
import { BatchRecorder, type RecordingStore } from './record-batches.js'
import { type QueueOptions, type Waiting, WaitingPings } from './waiting-pings.js'
import { WaitsLeft } from './waits.js'

/** How often pings that wait too long are looked for. */
const LOOK_EVERY_MS = 250

const ignore = () => {}

/**
 * The ping queue. Pings that arrive while a batch is being committed form the next batch, so that they share one sync
 * to disk. A promise resolves only when its ping is on disk. A batch leaves part of a long queue waiting, so that the
 * database and this process work at the same time. Pings of checks that another transaction has locked wait apart, and
 * with them the deadlines of these checks alone. Decision 0157.
 */
export class PingQueue {
  readonly #waiting = new WaitingPings()
  readonly #batches: BatchRecorder
  readonly #locked: LockedPings
  readonly #waitsLeft = new WaitsLeft()
  #flushing = false
  /** The batch under way, until the outcome of each of its pings is known; then `#batch` resolves. */
  #inHand: readonly Waiting[] = []
  #batch: Promise<void> | null = null
  /** Begins the first batch before the turn of the event loop ends. */
  #begin: (() => void) | null = null
  /** Refuses pings that wait too long; runs while any wait. */
  #watch: NodeJS.Timeout | null = null
  readonly hearing: Hearing
  /** The turns of the projects, by ID, in which large e-mails are recorded. */
  readonly mailTurns = new FairQueue<number>()

  constructor(
    store: RecordingStore,
    changes: Changes,
    onBug: (message: string) => void,
    onBatch: (size: number, ms: number) => void = () => {},
    clock = systemClock,
  ) {
    const hearing = new Hearing(this, changes, clock)
    this.hearing = hearing
    const listeners = {
      byThisClock: (pings: readonly ArrivedPing[]) => hearing.byThisClock(pings),
      onBug,
      onBatch,
      onRecorded: (arrivedAt: number) => hearing.recorded(arrivedAt),
      onFailed: (arrivedAt: number, part?: string) => hearing.failed(arrivedAt, part),
      onWaited: (waits: readonly ArrivedPing[]) => this.#addWaits(waits),
      onDoubt: (waits: readonly ArrivedPing[]) => {
        for (const wait of waits) this.#waitsLeft.add(wait)
      },
    }
    changes.on('trouble', () => this.#addWaitsLeft())
    const again = new BatchRecorder(store, new WaitingPings(), {
      ...listeners,
      onLocked: (waiting, check, isLarge) => this.#locked.putOff(waiting.pings[0]!, check, isLarge),
    })
    this.#locked = new LockedPings({
      recordInLine: (checkId, take) => again.recordInLine(checkId, take),
      record: (batch, isLarge) => again.record(batch, undefined, { isLarge }),
      refuse: (waiting, check) => this.#refuseLocked(waiting, check),
    })
    this.#batches = new BatchRecorder(
      store,
      this.#waiting,
      { ...listeners, onLocked: (waiting, check, isLarge) => this.#putOff(waiting, check, isLarge) },
      () => this.#locked.waitedFor(),
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

  /** The arrival time (ms) of the oldest ping that is not on disk or locked, and for which all deadlines wait, or null. */
  get oldestAt(): number | null {
    let oldest: number | null = null
    for (const { pings, of = 'all' } of this.#unrecorded()) {
      if (of === 'all') oldest = Math.min(oldest ?? pings[0]!.arrivedAt, pings[0]!.arrivedAt)
    }
    return oldest
  }

  /** The other pings that are not on disk: the checks whose deadlines wait for one, and when it arrived (ms). */
  apartSince(): WaitingCheck[] {
    const apart = this.#locked.oldest()
    for (const { pings, of = 'all' } of this.#unrecorded()) {
      const { arrivedAt } = pings[0]!
      if (of !== 'all')
        for (const { checkId, projectId } of of) apart.push({ checkId, projectId, at: arrivedAt })
    }
    return apart
  }

  *#unrecorded(): Iterable<Waiting> {
    yield* this.#inHand
    yield* this.#waiting
  }

  /** Records a ping. Rejects with `QueueFull`, or with the database's error; then nothing was recorded. */
  async record(ping: ArrivedPing): Promise<PingOutcome> {
    return (await this.recordTogether([ping]))[0]!
  }

  /**
   * Records one or more pings in one transaction, in order. Rejects as `record` does; then none of them was recorded, or,
   * if some of their checks were locked, only others, and the sender may send all of them again. Several pings must come from one e-mail: the database may divide a
   * batch, but not an e-mail.
   */
  recordTogether(pings: readonly ArrivedPing[], how: QueueOptions = {}): Promise<PingOutcome[]> {
    if (this.#waiting.isFull) {
      this.hearing.turnedAway(pings[0]!.arrivedAt)
      return Promise.reject(new QueueFull('too many pings are waiting'))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.add({ since: performance.now(), ...how, pings, resolve, reject })
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
    for (const { waiting, check } of this.#locked.find(() => true)) this.#refuseLocked(waiting, check)
  }

  /**
   * Records how long senders have waited for their answers: until then the deadlines of their checks wait as for the pings themselves.
   */
  #addWaits(waits: readonly ArrivedPing[], how: QueueOptions = {}): void {
    const since = performance.now()
    const entryOf = (ping: ArrivedPing): Waiting => {
      const reject = (error: Error) => {
        if (isTemporary(error)) this.#waitsLeft.add(ping)
      }
      return { ...how, pings: [ping], since, resolve: ignore, reject }
    }
    this.#waiting.addFirst(waits.map(entryOf))
    if (!this.#flushing) this.#flush()
  }

  /** Records the waits that are left, unless no ping can be recorded. The outage holds the deadlines of their checks. */
  #addWaitsLeft(): void {
    if (this.hearing.missed.isFailing) return
    const waits = this.#waitsLeft.takeAll()
    if (waits.length > 0) this.#addWaits(waits, { of: [] })
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

  #putOff(waiting: Waiting, check: LockedCheck, isLarge: boolean): void {
    this.#locked.add(waiting, check, isLarge)
    this.#look()
  }

  #refuseLocked(waiting: Waiting, { checkId, projectId }: LockedCheck): void {
    // A check that is not created yet has no deadlines.
    if (checkId !== null) this.hearing.refused([{ checkId, projectId }], waiting.pings[0]!.arrivedAt)
    waiting.reject(new StillLocked(checkId))
  }

  #noteFailed({ pings, of = 'all' }: Waiting): void {
    const { arrivedAt } = pings[0]!
    if (of === 'all') this.hearing.failed(arrivedAt)
    else this.hearing.refused(of, arrivedAt)
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
    for (const { waiting, check } of this.#locked.find(isLate)) this.#refuseLocked(waiting, check)
    const late = [...this.#inHand.filter(isLate), ...this.#waiting.take(isLate)]
    for (const waiting of late) {
      this.#noteFailed(waiting)
      waiting.refused = true
      waiting.reject(new NoAnswerYet('the database has not answered yet'))
    }
  }
}
