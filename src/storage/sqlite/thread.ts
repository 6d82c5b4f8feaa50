import type { EventEmitter } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { EventActor } from '../../core/events/actor.js'
import { fromWire } from '../errors.js'
import type { OnPiece } from '../json-bytes.js'
import type { Kind } from '../method.js'
import type { Message, MethodName, Piece, Reply } from '../store.js'
import type { WorkerData } from './serve-database.js'

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
  onPiece: OnPiece | null
  /** Rejects if it may not be done any more; asked once, when it was called long before its turn. */
  requireAccess: (() => Promise<void>) | undefined
  calledAt: number
}

/** How a method is called. */
export interface CallOptions {
  actor?: EventActor | null
  /** Whether it goes before calls that wait. */
  first?: boolean
  requireAccess?: (() => Promise<void>) | undefined
}

/** How long (ms) a call may wait until the access of who called is looked at again. */
const LONG_WAIT_MS = 50

/** The maximum number of messages that may wait for the thread; then `call` refuses. */
const QUEUE_LIMIT = 10_000

/** The maximum number of calls of requests in a batch. */
const MOST = 1_000

/**
 * The memory (MB) for new objects in a thread: with V8's own 48, a thread that was busy once keeps 20 MB more for good.
 */
const YOUNG_MB = 24

/** A running thread: what `Thread` needs of a `Worker`. */
export type DatabaseWorker = EventEmitter & Pick<Worker, 'postMessage'>

/** Starts a thread that owns a connection. */
export type StartWorker = (data: WorkerData) => DatabaseWorker

/** Starts one of its own. */
export const startWorker: StartWorker = data =>
  new Worker(new URL('./worker.js', import.meta.url), {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })

/**
 * One database thread. While it works on a batch, calls are collected; when it answers, they become the next batch.
 * So the size of a batch follows the load, and an idle thread starts at once, with all that was called together.
 * A batch has the calls that go first and as many others as are likely to take `batchMs`, by how long the last ones took.
 */
export class Thread {
  readonly #worker: DatabaseWorker
  readonly #waiting = new Map<number, Waiting>()
  readonly #ready: Promise<ReadonlyMap<MethodName, Kind>>
  /** The calls that wait: those that go before others, and the others. */
  #first: Message[] = []
  #queue: Message[] = []
  /** How many of the others go into the next batch, and how many calls went first in the one under way. */
  #most: number
  #wentFirst = 0
  #longestMs = 0
  #isReady = false
  /** How many wait for a look at their access. */
  #looking = 0
  #busy = true
  #nextId = 1
  #broken: Error | null = null
  #idle: (() => void) | null = null

  constructor(
    worker: DatabaseWorker,
    private readonly batchMs: number,
  ) {
    this.#worker = worker
    this.#most = batchMs
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.once('message', resolve)
      this.#worker.once('error', error => reject(gone(error)))
      this.#worker.once('exit', () => reject(gone()))
    })
    this.#ready.then(
      () => {
        this.#isReady = true
        this.#worker.on('message', (answer: Reply[] | Piece) => {
          if (Array.isArray(answer)) this.#receive(answer)
          else this.#waiting.get(answer.id)?.onPiece?.(answer.piece)
        })
        this.#flush()
      },
      () => {},
    )
    this.#worker.on('error', error => this.#break(gone(error)))
    this.#worker.on('exit', () => this.#break(gone()))
  }

  /** The names and kinds of the store's methods. Rejects if the thread does not start. */
  methods(): Promise<ReadonlyMap<MethodName, Kind>> {
    return this.#ready
  }

  /** How long (ms) the longest call took that did not go first. */
  get longestMs(): number {
    return this.#longestMs
  }

  /** Whether it has started, which can take a second on a busy machine. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Whether it ended unexpectedly, so that it answers nothing any more. */
  get isBroken(): boolean {
    return this.#broken !== null
  }

  /**
   * Runs a store method in the thread. Rejects with the method's error, with that of `requireAccess`, or if the thread has ended. The last argument may be an
   * `OnPiece`, which must not throw.
   */
  call(
    method: string,
    args: unknown[],
    { actor = null, first = false, requireAccess }: CallOptions = {},
  ): Promise<unknown> {
    if (this.#broken) return Promise.reject(this.#broken)
    const queue = first ? this.#first : this.#queue
    if (queue.length >= QUEUE_LIMIT) {
      return Promise.reject(
        Object.assign(new Error('too much is waiting for the database'), { code: 'BUSY' }),
      )
    }
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      const last = args.at(-1)
      const onPiece = typeof last === 'function' ? (last as OnPiece) : null
      this.#waiting.set(id, { resolve, reject, onPiece, requireAccess, calledAt: performance.now() })
      const sent = onPiece ? args.slice(0, -1) : args
      queue.push({ id, method, args: sent, actor, inPieces: onPiece !== null })
      this.#wake()
    })
  }

  #wake(): void {
    if (this.#busy) return
    this.#busy = true
    queueMicrotask(() => this.#flush())
  }

  /** Lets the thread finish its work, then ends it. */
  async close(): Promise<void> {
    await this.#ready.catch(() => {})
    if (!this.#broken && (this.#busy || this.#waits() || this.#looking > 0)) {
      await new Promise<void>(resolve => {
        this.#idle = resolve
      })
    }
    if (this.#broken) return
    const ended = new Promise<void>(resolve => this.#worker.once('exit', () => resolve()))
    this.#worker.postMessage('close')
    await ended
  }

  #waits(): boolean {
    return this.#first.length + this.#queue.length > 0
  }

  #flush(): void {
    this.#busy = this.#waits()
    if (!this.#busy) {
      if (this.#looking === 0) this.#idle?.()
      return
    }
    const batch = [...this.#first, ...this.#nextOthers()]
    this.#wentFirst = this.#first.length
    this.#first = []
    if (batch.length === 0) {
      this.#busy = false
      return
    }
    try {
      this.#worker.postMessage(batch)
    } catch (error) {
      const sendable = this.#rejectUnsendable(batch)
      if (sendable.length === batch.length) this.#reject(batch, error as Error)
      else this.#first = sendable
      this.#flush()
    }
  }

  /** The next calls of requests, but for those whose access is looked at again first. */
  #nextOthers(): Message[] {
    const now = performance.now()
    const next: Message[] = []
    // What is looked at comes back to its place, in a later turn of the event loop.
    while (next.length < this.#most && this.#queue.length > 0) {
      const message = this.#queue.shift()!
      const waiting = this.#waiting.get(message.id)!
      if (waiting.requireAccess && now - waiting.calledAt > LONG_WAIT_MS)
        void this.#lookAgain(message, waiting)
      else next.push(message)
    }
    return next
  }

  /** Puts it back in its place, or rejects it. */
  async #lookAgain(message: Message, waiting: Waiting): Promise<void> {
    const requireAccess = waiting.requireAccess!
    waiting.requireAccess = undefined
    this.#looking++
    try {
      await requireAccess()
      const later = this.#queue.findIndex(({ id }) => id > message.id)
      if (!this.#broken) this.#queue.splice(later < 0 ? this.#queue.length : later, 0, message)
    } catch (error) {
      this.#reject([message], error as Error)
    }
    this.#looking--
    this.#wake()
  }

  /** Rejects the calls whose arguments cannot be sent to a thread, and returns the others. */
  #rejectUnsendable(batch: readonly Message[]): Message[] {
    return batch.filter(message => {
      try {
        structuredClone(message)
        return true
      } catch (error) {
        this.#reject([message], error as Error)
        return false
      }
    })
  }

  #reject(batch: readonly Message[], error: Error): void {
    for (const { id } of batch) {
      this.#waiting.get(id)?.reject(error)
      this.#waiting.delete(id)
    }
  }

  #receive(replies: Reply[]): void {
    const others = replies.slice(this.#wentFirst)
    this.#longestMs = Math.max(this.#longestMs, ...others.map(({ ms }) => ms))
    const tookMs = others.reduce((sum, { ms }) => sum + ms, 0)
    // Those of a batch that failed took no time of their own.
    if (tookMs > 0) {
      // A short one among long ones says little.
      const likely = Math.round((this.batchMs * others.length) / tookMs)
      this.#most = Math.max(1, Math.min(2 * this.#most, likely, MOST))
    }
    // The next batch is sent first, so that the thread works while this one is settled.
    this.#flush()
    for (const reply of replies) {
      const waiting = this.#waiting.get(reply.id)
      // The thread's last replies may arrive after the event of its end, when every call was already rejected.
      if (!waiting) continue
      this.#waiting.delete(reply.id)
      if ('error' in reply) waiting.reject(fromWire(reply.error))
      else waiting.resolve(reply.value)
    }
  }

  #break(error: Error): void {
    if (this.#broken) return
    this.#broken = error
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
    this.#first = []
    this.#queue = []
    this.#idle?.()
  }
}

/** The error of calls when the thread has ended, with its `cause` if known. */
function gone(cause?: unknown): Error {
  const reason =
    cause === undefined ? '' : `: ${cause instanceof Error ? cause.message : JSON.stringify(cause)}`
  return Object.assign(new Error(`the database thread ended${reason}`), { code: 'GONE' })
}
