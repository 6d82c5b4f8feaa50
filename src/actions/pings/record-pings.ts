import type { ArrivedPing, PingOutcome } from '../../core/pings/arrived-ping.js'
import type { Changes } from '../../lib/changes.js'
import { systemClock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'
import { MissedPings } from './note-missed-pings.js'
import { ANSWER_WITHIN_MS, NoAnswerYet, QueueFull } from './ping-refusals.js'
import { BatchRecorder } from './record-batches.js'
import { type Waiting, WaitingPings } from './waiting-pings.js'

/** How often pings that wait too long are looked for. */
const LOOK_EVERY_MS = 250

/** While a ping's body is being read, deadlines wait this long (ms) at most: otherwise a stranger could hold them. */
export const ARRIVING_MS = 1_000

/**
 * The ping queue. Pings that arrive while a batch is being committed form the next batch, so that they share one sync
 * to disk. A promise resolves only when its ping is on disk. A batch leaves part of a long queue waiting, so that the
 * database and this process work at the same time.
 */
export class PingQueue {
  readonly #waiting = new WaitingPings()
  readonly #batches: BatchRecorder
  #flushing = false
  /** The batch under way, until the outcome of each of its pings is known; then `#batch` resolves. */
  #inHand: readonly Waiting[] = []
  #batch: Promise<void> | null = null
  /** Begins the first batch before the turn of the event loop ends. */
  #begin: (() => void) | null = null
  /** Refuses pings that wait too long; runs while any wait. */
  #watch: NodeJS.Timeout | null = null
  /** The arrival times of pings that are still being read, oldest first. */
  readonly #arriving = new Set<{ at: number; holdsMs: number }>()
  #closedAt = Number.POSITIVE_INFINITY
  /** The times in which pings could not be recorded. */
  readonly missed = new MissedPings()

  constructor(
    store: StoreWith<'pings.record' | 'pings.probe'>,
    private readonly changes: Changes,
    onBug: (message: string) => void,
    onBatch: (size: number, ms: number) => void = () => {},
    private readonly clock = systemClock,
  ) {
    this.#batches = new BatchRecorder(store, this.#waiting, {
      onBug,
      onBatch,
      onRecorded: arrivedAt => this.#recorded(arrivedAt),
      onFailed: (arrivedAt, part) => this.failed(arrivedAt, part),
    })
  }

  /** The number of pings that wait for a batch. */
  get length(): number {
    return this.#waiting.length
  }

  /** The arrival time (ms) of the oldest ping that is not on disk, or null. */
  get oldestAt(): number | null {
    let oldest: number | null = null
    for (const some of [this.#inHand, this.#waiting]) {
      for (const { pings } of some) oldest = Math.min(oldest ?? pings[0]!.arrivedAt, pings[0]!.arrivedAt)
    }
    return oldest
  }

  /**
   * The instant (ms) before which every ping that reached this process is on disk; at most `now`. `noted`: times in
   * which pings were missed, or may have been, to leave out.
   */
  heardUntil(now: number, noted: readonly { from: number }[] = []): number {
    this.missed.follow(this.clock.now())
    this.missed.awake(now)
    const moved = (at: number) => this.missed.movedWithClock(at, now)
    let read = now
    for (const { at, holdsMs } of this.#arriving) read = Math.min(read, Math.max(moved(at), now - holdsMs))
    const oldestAt = moved(this.oldestAt ?? now)
    return Math.min(now, this.#closedAt, read, oldestAt, this.missed.since(noted) ?? now)
  }

  /** The earlier instants, if there are any, of those parts of the checks whose pings cannot be recorded; `noted` as above. */
  behind(noted: readonly { from: number }[] = []): Record<string, number> {
    return this.missed.behind(noted)
  }

  /**
   * Notes that a ping that arrived at `at` is being read; deadlines wait for it for `holdsMs` at most. Call the
   * returned function when it is recorded or turns out not to be a ping.
   */
  arriving(at: number, holdsMs = ARRIVING_MS): () => void {
    const entry = { at, holdsMs }
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

  /** From `now` on, no pings reach this process; those under way are still recorded. */
  close(now: number): void {
    this.#closedAt = Math.min(this.#closedAt, now)
  }

  /** Records a ping. Rejects with `QueueFull`, or with the database's error; then nothing was recorded. */
  async record(ping: ArrivedPing): Promise<PingOutcome> {
    return (await this.recordTogether([ping]))[0]!
  }

  /**
   * Records one or more pings in one transaction, in order. Rejects as `record` does; then none of them was recorded,
   * and the sender may send all of them again. Several pings must come from one e-mail: the database may divide a
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

  /** Resolves when every ping taken before this call is on disk, or was refused. */
  async settled(): Promise<void> {
    const { last } = this.#waiting
    if (!last) return await (this.#batch ?? undefined)
    await new Promise<void>(resolve => {
      const { resolve: ok, reject: failed } = last
      last.resolve = outcomes => {
        ok(outcomes)
        resolve()
      }
      last.reject = error => {
        failed(error)
        resolve()
      }
    })
  }

  #flush(): void {
    this.#flushing = true
    this.#watch ??= setInterval(() => this.#refuseLate(), LOOK_EVERY_MS).unref()
    // Pings that arrive in the same turn of the event loop share the first batch.
    const turn = setImmediate(() => this.#begin?.())
    this.#begin = () => {
      clearImmediate(turn)
      this.#begin = null
      this.#next()
    }
  }

  #next(): void {
    if (this.#waiting.length === 0) {
      this.#inHand = []
      this.#batch = null
      this.#flushing = false
      return
    }
    this.#inHand = this.#waiting.takeBatch()
    this.#batch = this.#batches.record(this.#inHand, () => this.#next())
  }

  /** Notes that pings which arrived at `arrivedAt` are on disk. */
  #recorded(arrivedAt: number): void {
    if (this.missed.committed(arrivedAt)) this.changes.emit('trouble', {})
  }

  /** Refuses pings that have waited as long as clients wait. Those being recorded may still succeed. */
  #refuseLate(): void {
    if (!this.#flushing) {
      clearInterval(this.#watch!)
      this.#watch = null
      return
    }
    const before = performance.now() - ANSWER_WITHIN_MS
    const isLate = ({ since, refused }: Waiting) => since < before && !refused
    const late = [...this.#inHand.filter(isLate), ...this.#waiting.take(isLate)]
    for (const waiting of late) {
      this.failed(waiting.pings[0]!.arrivedAt)
      waiting.refused = true
      waiting.reject(new NoAnswerYet('the database has not answered yet'))
    }
  }
}
