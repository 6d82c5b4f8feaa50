import type { ArrivedPing, PingOutcome } from '../../core/pings/arrived-ping.js'
import type { Held } from './hearing.js'

/** How pings wait in the queue. */
export interface QueueOptions {
  /** When they entered the queue, or their sender began to wait, by `performance.now()`; now by default. */
  since?: number
  /** The checks whose deadlines wait for them; all by default. */
  of?: Held
  /** Called when one of them waits apart from others, because what it changes is locked. */
  putOff?(): void
}

/** Pings that are recorded together or not at all; usually one. */
export interface Waiting extends QueueOptions {
  pings: readonly ArrivedPing[]
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
export const BATCH_BYTES = 4_000_000

/** A batch begins as soon as this many wait. It takes half of the queue, but at least this many. */
const SMALL_BATCH = 32

/** The pings that wait for a batch, in the order in which they came. */
export class WaitingPings {
  #entries: Waiting[] = []
  #length = 0

  /** The number of pings. */
  get length(): number {
    return this.#length
  }

  get isFull(): boolean {
    return this.#length >= QUEUE_LIMIT
  }

  /** Whether enough pings wait for a batch to begin at once. */
  get areEnough(): boolean {
    return this.#length >= SMALL_BATCH
  }

  get last(): Waiting | undefined {
    return this.#entries.at(-1)
  }

  add(waiting: Waiting): void {
    this.#entries.push(waiting)
    this.#length += waiting.pings.length
  }

  /** Adds pings that come before all others. */
  addFirst(entries: readonly Waiting[]): void {
    this.#entries = [...entries, ...this.#entries]
    for (const { pings } of entries) this.#length += pings.length
  }

  /** Removes and returns the next batch: part of a long queue, so that the rest can be taken while it is committed. */
  takeBatch(): Waiting[] {
    const most = Math.min(BATCH, Math.max(SMALL_BATCH, Math.ceil(this.#length / 2)))
    let size = 0
    let bytes = 0
    let end = 0
    for (const { pings } of this.#entries) {
      bytes += bytesOf(pings)
      if (end > 0 && (size + pings.length > most || bytes > BATCH_BYTES)) break
      size += pings.length
      end++
    }
    const batch = this.#entries.slice(0, end)
    this.#entries = this.#entries.slice(end)
    this.#length -= size
    return batch
  }

  /** Removes and returns all pings. */
  takeAll(): Waiting[] {
    this.#length = 0
    return this.#entries.splice(0)
  }

  /** Removes and returns those that match. */
  take(matches: (waiting: Waiting) => boolean): Waiting[] {
    const taken = this.#entries.filter(matches)
    this.#entries = this.#entries.filter(waiting => !matches(waiting))
    for (const { pings } of taken) this.#length -= pings.length
    return taken
  }

  [Symbol.iterator](): Iterator<Waiting> {
    return this.#entries[Symbol.iterator]()
  }
}

/** The size of the bodies together. */
export function bytesOf(pings: readonly ArrivedPing[]): number {
  return pings.reduce((bytes, { body }) => bytes + (body?.length ?? 0), 0)
}
