import type {
  ArrivedPing,
  EarlierPings,
  LockedCheck,
  PingOutcome,
  RecordedPings,
} from '../../core/pings/arrived-ping.js'
import { hadNoAnswer, isDatabaseAtFault, isLocked, isUnavailable } from '../../storage/errors.js'
import type { StoreWith } from '../../storage/store.js'
import { apart } from './apart.js'
import type { InLine } from './locked-pings.js'
import { RefusesEveryPing } from './ping-refusals.js'
import type { Waiting, WaitingPings } from './waiting-pings.js'
import { waitsInDoubt, waitsSince, withWaits } from './waits.js'

/** Called with the results of batches. */
export interface BatchListeners {
  /** Called with pings that are recorded now. Returns them with their arrivals by the clock as it is now. */
  byThisClock(pings: readonly ArrivedPing[]): readonly ArrivedPing[]
  /** A batch of `size` pings took `ms`. */
  onBatch(size: number, ms: number): void
  /** Pings of a batch are on disk; its last one arrived at `arrivedAt`. */
  onRecorded(arrivedAt: number): void
  /** A ping that arrived at `arrivedAt` could not be recorded, because of the database; `part`: of which part of the checks. */
  onFailed(arrivedAt: number, part?: string): void
  /**
   * A ping has to wait, because another transaction has locked what it changes, or because it is `isLarge`: too much for one.
   */
  onLocked(waiting: Waiting, check: LockedCheck, isLarge: boolean): void
  /** The senders of pings that are on disk have waited for long, which has to be recorded before what comes next. */
  onWaited(waits: readonly ArrivedPing[]): void
  /** As `onWaited`, of pings that were refused, but may be on disk. It is to be recorded when the database answers again. */
  onDoubt(waits: readonly ArrivedPing[]): void
  /** Recording a ping failed because of an error in this program. */
  onBug(message: string): void
}

const isRecorded = (outcome: RecordedPings['outcomes'][number]) => outcome === 'ok' || outcome === 'created'

/** What recording pings needs of the store. */
export type RecordingStore = StoreWith<
  'pings.record' | 'pings.recordLarge' | 'pings.recordInLine' | 'pings.probe'
>

/** Records batches of pings, and resolves or rejects each of their pings. */
export class BatchRecorder {
  constructor(
    private readonly store: RecordingStore,
    private readonly waiting: WaitingPings,
    private readonly listeners: BatchListeners,
    /** What the earlier pings wait for that are locked; null: these are the earlier ones. */
    private readonly waitedFor: () => EarlierPings | null = () => null,
  ) {}

  /**
   * Resolves when the outcome of each ping is known. Calls `next` as soon as the database is free: before the senders
   * get their answers, so that it works while this process answers. `isLarge`: they were too much for a batch of others.
   */
  async record(
    batch: readonly Waiting[],
    next: () => void = () => {},
    { isLarge = false } = {},
  ): Promise<void> {
    const startedAt = performance.now()
    await this.#store(batch, isLarge).then(
      recorded => {
        const { refusal, locked } = recorded
        this.#count(startedAt, batch, recorded)
        // What is locked has to be known before the next batch begins.
        const isWhole = !refusal && !locked
        if (isWhole) next()
        const refused = this.#settle(batch, recorded)
        if (refused.length > 0) return this.#retryOrRefuse(refused, refusal!).finally(next)
        if (!isWhole) next()
        return undefined
      },
      error => this.#retryOrRefuse(batch, error as Error).finally(next),
    )
  }

  /**
   * Records what `take` returns when nobody else has locked this check any more, after those who waited for that before. Resolves with
   * what came of it; what was neither recorded nor refused may be tried again.
   */
  async recordInLine(checkId: number, take: () => readonly Waiting[]): Promise<InLine> {
    let startedAt = 0
    let batch: readonly Waiting[] = []
    const takePings = () => {
      startedAt = performance.now()
      batch = take()
      return this.#toRecord(batch, startedAt)
    }
    try {
      const recorded = await this.store.pings.recordInLine(checkId, takePings)
      const { refusal, locked } = recorded
      this.#count(startedAt, batch, recorded)
      this.#noteWaits(startedAt, batch, recorded)
      const refused = this.#settle(batch, recorded)
      if (refused.length > 0) await this.#retryOrRefuse(refused, refusal!)
      return locked ? 'locked' : 'recorded'
    } catch (error) {
      if (isLocked(error)) return 'locked'
      if (batch.length > 0) await this.#retryOrRefuse(batch, error as Error)
      return 'failed'
    }
  }

  async #store(batch: readonly Waiting[], isLarge = false): Promise<RecordedPings> {
    let startedAt = 0
    const take = () => {
      startedAt = performance.now()
      return this.#toRecord(batch, startedAt)
    }
    const { pings } = this.store
    const recorded = await (isLarge ? pings.recordLarge(take) : pings.record(take(), this.waitedFor()))
    this.#noteWaits(startedAt, batch, recorded)
    return recorded
  }

  #toRecord(batch: readonly Waiting[], startedAt: number): ArrivedPing[] {
    for (const waiting of batch) waiting.pings = this.listeners.byThisClock(waiting.pings)
    return withWaits(batch, startedAt)
  }

  /** Counts a batch: each ping once, when it is not locked any more. */
  #count(startedAt: number, batch: readonly Waiting[], { outcomes }: RecordedPings): void {
    let [place, size] = [0, 0]
    for (const { pings } of batch) {
      for (const ping of pings) if (outcomes[place++] !== 'locked' && !ping.isRecorded) size++
    }
    if (size > 0) this.listeners.onBatch(size, performance.now() - startedAt)
  }

  #noteWaits(startedAt: number, batch: readonly Waiting[], { outcomes }: RecordedPings): void {
    const waits = waitsSince(startedAt, batch, outcomes)
    if (waits.length > 0) this.listeners.onWaited(waits)
  }

  /** Resolves the pings of a batch with their outcomes, or puts them off, and returns those that the database refused. */
  #settle(batch: readonly Waiting[], recorded: RecordedPings): Waiting[] {
    const refused: Waiting[] = []
    let from = 0
    let last: number | null = null
    for (const waiting of batch) {
      const outcomes = recorded.outcomes.slice(from, from + waiting.pings.length)
      from += outcomes.length
      const first = from - outcomes.length
      if (!outcomes.includes('refused')) {
        // A ping without a check writes nothing.
        if (outcomes.some(isRecorded)) last = waiting.pings[0]!.arrivedAt
        if (!outcomes.includes('locked')) waiting.resolve(outcomes as PingOutcome[])
        else if (!waiting.refused)
          for (const one of apart(waiting, outcomes)) {
            const place = first + one.place
            this.listeners.onLocked(
              one.waiting,
              recorded.locked!.get(place)!,
              recorded.large?.has(place) ?? false,
            )
          }
        continue
      }
      const parts = outcomes.flatMap((outcome, place) =>
        outcome === 'refused' ? [recorded.away?.get(first + place)] : [],
      )
      if (parts.includes(undefined)) refused.push(waiting)
      else this.#refuseParts(waiting, parts as string[], recorded.refusal!)
    }
    for (const error of recorded.errors) this.listeners.onBug(error)
    if (last !== null) this.listeners.onRecorded(last)
    return refused
  }

  /** Refuses what cannot be recorded because parts of the checks cannot be reached: trying again would take as long. */
  #refuseParts(waiting: Waiting, parts: readonly string[], error: Error): void {
    for (const part of parts) this.listeners.onFailed(waiting.pings[0]!.arrivedAt, part)
    this.listeners.onDoubt(waitsInDoubt([waiting]))
    waiting.reject(error)
  }

  /**
   * One ping that the database refuses must not make the others fail, so the batch is tried in halves. `isProven`: since
   * the batch failed, the database has taken a trial ping.
   */
  async #retryOrRefuse(tried: readonly Waiting[], reason: Error, isProven = false): Promise<void> {
    const isInDoubt = !isProven && !isDatabaseAtFault(reason)
    const error = (isInDoubt && (await this.#faultOfDatabase(tried, reason))) || reason
    // Pings behind a batch that got no answer have waited long enough. Those behind a lock may need other rows.
    const batch = hadNoAnswer(error) && !isLocked(error) ? [...tried, ...this.waiting.takeAll()] : tried
    if (batch.length === 1 || isUnavailable(error)) {
      if (isDatabaseAtFault(error))
        for (const { pings } of batch) this.listeners.onFailed(pings[0]!.arrivedAt)
      if (isUnavailable(error)) this.listeners.onDoubt(waitsInDoubt(tried))
      for (const waiting of batch) waiting.reject(error)
      return
    }
    const half = Math.ceil(batch.length / 2)
    for (const some of [batch.slice(0, half), batch.slice(half)]) {
      const left = some.filter(({ refused }) => !refused)
      if (left.length > 0) await this.#recordAgain(left, isProven || isInDoubt)
    }
  }

  /** Why the database would refuse any ping, if it refused these for a reason that their content may have; or null. */
  async #faultOfDatabase(refused: readonly Waiting[], reason: Error): Promise<Error | null> {
    try {
      await this.store.pings.probe(refused[0]!.pings[0]!.arrivedAt)
      return null
    } catch (error) {
      return isUnavailable(error) ? (error as Error) : new RefusesEveryPing(reason)
    }
  }

  async #recordAgain(batch: readonly Waiting[], isProven: boolean): Promise<void> {
    try {
      const recorded = await this.#store(batch)
      const refused = this.#settle(batch, recorded)
      if (refused.length > 0) await this.#retryOrRefuse(refused, recorded.refusal!, isProven)
    } catch (error) {
      await this.#retryOrRefuse(batch, error as Error, isProven)
    }
  }
}
