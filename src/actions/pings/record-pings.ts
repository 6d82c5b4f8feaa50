import type { ArrivedPing, PingOutcome, RecordedPings } from '../../core/pings/arrived-ping.js'
import type { Changes } from '../../lib/changes.js'
import { systemClock } from '../../lib/clock.js'
import { hadNoAnswer, isDatabaseAtFault, isUnavailable } from '../../storage/errors.js'
import type { StoreWith } from '../../storage/store.js'
import { MissedPings } from './note-missed-pings.js'

/** Pings that are recorded together or not at all; usually one. */
interface Waiting {
  pings: readonly ArrivedPing[]
  /** When they entered the queue, by `performance.now()`. */
  since: number
  /** Whether they were refused because they waited too long. */
  refused?: boolean
  resolve(outcomes: PingOutcome[]): void
  reject(error: Error): void
}

/** The maximum number of pings in one transaction (an e-mail may have more), and the maximum that may wait. */
const BATCH = 512
const QUEUE_LIMIT = 20_000

/** The maximum number of bytes of bodies in one transaction (a ping may have more), for which alerts have to wait. */
const BATCH_BYTES = 4_000_000

/** A batch begins as soon as this many wait. It takes half of the queue, but at least this many. */
const SMALL_BATCH = 32

/** Senders give up after ten seconds (docs/pinging.md), so they get an answer before that. */
export const ANSWER_WITHIN_MS = 8_000
const LOOK_EVERY_MS = 250

/** While a ping's body is being read, deadlines wait this long (ms) at most: otherwise a stranger could hold them. */
const ARRIVING_MS = 1_000

const isRecorded = (outcome: PingOutcome) => outcome === 'ok' || outcome === 'created'

/** The queue is full: the sender should try again later. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/** Whether a valid ping was refused with `error` only for now, so that its sender should send it again. */
export function isTemporary(error: unknown): boolean {
  return error instanceof QueueFull || isDatabaseAtFault(error)
}

/** The database has not answered in the time that senders wait: it is not known whether the ping was recorded. */
export class NoAnswerYet extends Error {
  override readonly name = 'NoAnswerYet'
  readonly code = 'BUSY'
}

/**
 * The ping queue. Pings that arrive while a batch is being committed form the next batch, so that they share one sync
 * to disk. A promise resolves only when its ping is on disk. A batch leaves part of a long queue waiting, so that the
 * database and this process work at the same time.
 */
export class PingQueue {
  #waiting: Waiting[] = []
  #length = 0
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
    private readonly store: StoreWith<'pings.record'>,
    private readonly changes: Changes,
    private readonly onBug: (message: string) => void,
    private readonly onBatch: (size: number, ms: number) => void = () => {},
    private readonly clock = systemClock,
  ) {}

  /** The number of pings that wait for a batch. */
  get length(): number {
    return this.#length
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

  /** Notes that a ping that arrived at `arrivedAt` could not be recorded. */
  failed(arrivedAt: number): void {
    const isNew = !this.missed.isFailing
    this.missed.failed(arrivedAt, this.clock.now())
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
    if (this.#length >= QUEUE_LIMIT) {
      this.turnedAway(pings[0]!.arrivedAt)
      return Promise.reject(new QueueFull('too many pings are waiting'))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ pings, since, resolve, reject })
      this.#length += pings.length
      if (!this.#flushing) this.#flush()
      if (this.#length >= SMALL_BATCH) this.#begin?.()
    })
  }

  /** Resolves when every ping taken before this call is on disk, or was refused. */
  async settled(): Promise<void> {
    const last = this.#waiting.at(-1)
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
    const batch = this.#takeBatch()
    this.#inHand = batch
    const startedAt = performance.now()
    const pings = batch.flatMap(waiting => waiting.pings)
    this.#batch = this.store.pings.record(pings).then(
      recorded => {
        this.onBatch(pings.length, performance.now() - startedAt)
        const { refusal } = recorded
        // The next batch starts first, so that the database works while this process answers.
        if (!refusal) this.#next()
        const refused = this.#settle(batch, recorded)
        return refusal && this.#retryOrRefuse(refused, refusal).finally(() => this.#next())
      },
      error => this.#retryOrRefuse(batch, error as Error).finally(() => this.#next()),
    )
  }

  #takeBatch(): Waiting[] {
    const most = Math.min(BATCH, Math.max(SMALL_BATCH, Math.ceil(this.#length / 2)))
    let size = 0
    let bytes = 0
    let end = 0
    for (const { pings } of this.#waiting) {
      bytes += bytesOf(pings)
      if (end > 0 && (size + pings.length > most || bytes > BATCH_BYTES)) break
      size += pings.length
      end++
    }
    const batch = this.#waiting.slice(0, end)
    this.#waiting = this.#waiting.slice(end)
    this.#length -= size
    return batch
  }

  /** Resolves the pings of a batch with their outcomes, and returns those that the database refused. */
  #settle(batch: readonly Waiting[], recorded: RecordedPings): Waiting[] {
    const refused: Waiting[] = []
    let from = 0
    let last: number | null = null
    for (const waiting of batch) {
      const outcomes = recorded.outcomes.slice(from, from + waiting.pings.length)
      from += outcomes.length
      if (outcomes.every(outcome => outcome !== 'refused')) {
        waiting.resolve(outcomes)
        // A ping without a check writes nothing.
        if (outcomes.some(isRecorded)) last = waiting.pings[0]!.arrivedAt
      } else refused.push(waiting)
    }
    for (const error of recorded.errors) this.onBug(error)
    if (last !== null && this.missed.committed(last)) this.changes.emit('trouble', {})
    return refused
  }

  async #record(batch: readonly Waiting[]): Promise<void> {
    try {
      const recorded = await this.store.pings.record(batch.flatMap(waiting => waiting.pings))
      const refused = this.#settle(batch, recorded)
      if (recorded.refusal) await this.#retryOrRefuse(refused, recorded.refusal)
    } catch (error) {
      await this.#retryOrRefuse(batch, error as Error)
    }
  }

  /** One ping that the database refuses must not make the others fail, so the batch is tried in halves. */
  async #retryOrRefuse(tried: readonly Waiting[], error: Error): Promise<void> {
    // Pings behind a batch that got no answer have waited long enough.
    const batch = hadNoAnswer(error) ? [...tried, ...this.#waiting.splice(0)] : tried
    if (batch.length > tried.length) this.#length = 0
    if (batch.length === 1 || isUnavailable(error)) {
      if (isDatabaseAtFault(error)) for (const { pings } of batch) this.failed(pings[0]!.arrivedAt)
      for (const waiting of batch) waiting.reject(error)
      return
    }
    const half = Math.ceil(batch.length / 2)
    for (const some of [batch.slice(0, half), batch.slice(half)]) {
      const left = some.filter(({ refused }) => !refused)
      if (left.length > 0) await this.#record(left)
    }
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
    const late = this.#waiting.filter(isLate)
    this.#waiting = this.#waiting.filter(waiting => !isLate(waiting))
    for (const { pings } of late) this.#length -= pings.length
    for (const waiting of [...this.#inHand.filter(isLate), ...late]) {
      this.failed(waiting.pings[0]!.arrivedAt)
      waiting.refused = true
      waiting.reject(new NoAnswerYet('the database has not answered yet'))
    }
  }
}

/** The size of the bodies together. */
function bytesOf(pings: readonly ArrivedPing[]): number {
  return pings.reduce((bytes, { body }) => bytes + (body?.length ?? 0), 0)
}
