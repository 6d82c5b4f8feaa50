import type { Changes } from '../lib/changes.js'
import { hadNoAnswer, isUnavailable } from '../storage/errors.js'
import type { ArrivedPing, PingOutcome, RecordedPings } from '../storage/pings.js'
import type { Store } from '../storage/store.js'
import { MissedPings } from './missed-pings.js'

/** Pings that are recorded together or not at all; most often one. */
interface Waiting {
  pings: readonly ArrivedPing[]
  resolve(outcomes: PingOutcome[]): void
  reject(error: Error): void
}

/** The most pings in one transaction, unless more belong together, and the most that may wait. */
const BATCH = 512
const QUEUE_LIMIT = 20_000

/** A batch begins as soon as so many wait, and takes half of what waits but no fewer. */
const SMALL_BATCH = 32

/** More is waiting than is taken in: the sender should come again. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/**
 * The ping queue. Pings that arrive while a batch is being committed gather and become the next batch, so that
 * one sync to disk serves them all. A promise resolves only when its ping is on disk. A batch leaves some of many
 * at hand, so that the database and this process work at the same time.
 */
export class PingQueue {
  #waiting: Waiting[] = []
  #length = 0
  #flushing = false
  /** Ends when what became of every ping of the batch under way is known. */
  #batch: Promise<void> | null = null
  /** Begins the first batch before the turn of the event loop is over. */
  #begin: (() => void) | null = null
  /** When the first ping of the batch that is being committed arrived. */
  #underWay: number | null = null
  /** What could not be committed. */
  readonly missed = new MissedPings()

  constructor(
    private readonly store: Pick<Store, 'recordPings'>,
    private readonly changes: Changes,
    private readonly onBug: (message: string) => void,
    private readonly onBatch: (size: number, ms: number) => void = () => {},
  ) {}

  /** How many pings wait for a batch. */
  get length(): number {
    return this.#length
  }

  /** When the oldest ping arrived that is not on disk (ms), or null. */
  get oldestAt(): number | null {
    return this.#underWay ?? this.#waiting[0]?.pings[0]?.arrivedAt ?? null
  }

  /** Records a ping. Rejects with `QueueFull`, or with what the database said; then nothing was recorded. */
  async record(ping: ArrivedPing): Promise<PingOutcome> {
    return (await this.recordTogether([ping]))[0]!
  }

  /**
   * Records pings in one transaction, in their order; at least one. Rejects as `record` does, and then none of them
   * was recorded, so that whoever sent them may send all of them again. More than one must come from one e-mail: the
   * database may divide a batch, but leaves e-mails whole.
   */
  recordTogether(pings: readonly ArrivedPing[]): Promise<PingOutcome[]> {
    if (this.#length >= QUEUE_LIMIT) return Promise.reject(new QueueFull('too many pings are waiting'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ pings, resolve, reject })
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
    // Pings that come in the same turn of the event loop share the first batch.
    const turn = setImmediate(() => this.#begin?.())
    this.#begin = () => {
      clearImmediate(turn)
      this.#begin = null
      this.#next()
    }
  }

  #next(): void {
    if (this.#waiting.length === 0) {
      this.#underWay = null
      this.#batch = null
      this.#flushing = false
      return
    }
    const batch = this.#takeBatch()
    this.#underWay = batch[0]!.pings[0]!.arrivedAt
    const startedAt = performance.now()
    const pings = batch.flatMap(waiting => waiting.pings)
    this.#batch = this.store.recordPings(pings).then(
      recorded => {
        this.onBatch(pings.length, performance.now() - startedAt)
        const { refusal } = recorded
        // The next batch goes first: the database works while this process answers.
        if (!refusal) this.#next()
        const refused = this.#settle(batch, recorded)
        return refusal && this.#retryOrRefuse(refused, refusal).finally(() => this.#next())
      },
      error => this.#retryOrRefuse(batch, error as Error).finally(() => this.#next()),
    )
  }

  #takeBatch(): Waiting[] {
    const most = Math.min(BATCH, Math.max(SMALL_BATCH, Math.ceil(this.#length / 2)))
    let size = this.#waiting[0]!.pings.length
    let end = 1
    for (; end < this.#waiting.length; end++) {
      const more = this.#waiting[end]!.pings.length
      if (size + more > most) break
      size += more
    }
    const batch = this.#waiting.slice(0, end)
    this.#waiting = this.#waiting.slice(end)
    this.#length -= size
    return batch
  }

  /** Tells what became of the pings of a batch, and returns those that the database refused. */
  #settle(batch: Waiting[], recorded: RecordedPings): Waiting[] {
    const refused: Waiting[] = []
    let from = 0
    let last = 0
    for (const waiting of batch) {
      const outcomes = recorded.outcomes.slice(from, from + waiting.pings.length)
      from += outcomes.length
      if (outcomes.every(outcome => outcome !== 'refused')) {
        waiting.resolve(outcomes)
        last = waiting.pings[0]!.arrivedAt
      } else refused.push(waiting)
    }
    for (const error of recorded.errors) this.onBug(error)
    if (this.missed.committed(last)) this.changes.tell('recovered', {})
    if (recorded.wakeAt !== null) this.changes.tell('deadline', { at: recorded.wakeAt })
    if (recorded.alerts) this.changes.tell('deliveries', {})
    this.changes.tell('checks', {})
    return refused
  }

  async #record(batch: Waiting[]): Promise<void> {
    try {
      const recorded = await this.store.recordPings(batch.flatMap(waiting => waiting.pings))
      const refused = this.#settle(batch, recorded)
      if (recorded.refusal) await this.#retryOrRefuse(refused, recorded.refusal)
    } catch (error) {
      await this.#retryOrRefuse(batch, error as Error)
    }
  }

  /** One ping that the database refuses must not take the others with it: the batch is tried in halves. */
  async #retryOrRefuse(tried: Waiting[], error: Error): Promise<void> {
    // What waited behind a batch that had no answer has waited long enough.
    const batch = hadNoAnswer(error) ? [...tried, ...this.#waiting.splice(0)] : tried
    if (batch.length > tried.length) this.#length = 0
    if (isUnavailable(error)) {
      this.missed.failed(batch[0]!.pings[0]!.arrivedAt, batch.at(-1)!.pings[0]!.arrivedAt)
    }
    if (batch.length === 1 || isUnavailable(error)) {
      for (const waiting of batch) waiting.reject(error)
      return
    }
    const half = Math.ceil(batch.length / 2)
    await this.#record(batch.slice(0, half))
    await this.#record(batch.slice(half))
  }
}
