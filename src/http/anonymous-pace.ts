import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { TokenBuckets } from '../lib/http/token-buckets.js'
import { LARGEST_BODY } from './body.js'
import { TooManyRequests } from './errors.js'

/** How many requests are answered at once after a pause: what a few people send who open pages at the same time. */
const AT_ONCE = 20

/** How long a request may wait for its turn; those that would wait longer are refused after one to two of these times. */
const LONGEST_WAIT_MS = 2_000

/** A body counts as one more request for each of these bytes, because receiving it takes as long. */
const BYTES_A_REQUEST = 65_536

/**
 * The pace at which requests are answered whose sender is unknown: each network of clients has its own, so that pings
 * and the requests of known callers are not delayed by strangers. Pings, probes, badges and static files have no pace.
 * Decision 0144.
 */
export class AnonymousPace {
  readonly #buckets: TokenBuckets | null
  /** As how many requests one counts at most: with a slow pace, a large body could never wait long enough. */
  readonly #most: number
  /** As how many requests each counts. */
  readonly #counted = new WeakMap<IncomingMessage, number>()

  /** `rate`: in a second; null: any number. `networkOf`: the network from which a request comes. */
  constructor(
    rate: number | null,
    private readonly networkOf: (request: IncomingMessage) => string,
    private readonly now: () => number = () => performance.now(),
    private readonly wait: (ms: number) => Promise<unknown> = sleep,
  ) {
    const atOnce = Math.min(AT_ONCE, rate ?? AT_ONCE)
    this.#buckets = rate === null ? null : new TokenBuckets(atOnce, 1_000 / rate)
    this.#most = atOnce + ((rate ?? 0) * LONGEST_WAIT_MS) / 1_000
  }

  /**
   * Resolves when it is the request's turn, at once if it had one before. Called as soon as its sender turns out to be
   * unknown, before anything costly. Throws `TooManyRequests` if too many requests of the network wait.
   */
  async turn(request: IncomingMessage): Promise<void> {
    if (!this.#buckets || this.#counted.has(request)) return
    const count = Math.min(countOf(request), this.#most)
    const asked = { count, longestMs: LONGEST_WAIT_MS }
    const { taken, waitMs } = this.#buckets.take(this.networkOf(request), this.now(), asked)
    if (taken) {
      this.#counted.set(request, count)
      if (waitMs > 0) await this.wait(waitMs)
      return
    }
    // Refused at once, the same sender would ask again at once; and many who are refused together, all together.
    await this.wait(LONGEST_WAIT_MS * (1 + Math.random()))
    throw new TooManyRequests(LONGEST_WAIT_MS / 1_000)
  }

  /** The error with which to answer a request that is refused, once it is its turn: `refusal`, or that too many wait. */
  async refusalInTurn(request: IncomingMessage, refusal: unknown): Promise<unknown> {
    return await this.turn(request).then(
      () => refusal,
      tooMany => tooMany,
    )
  }

  /** The sender has proven to be known: the request does not count. */
  forgive(request: IncomingMessage): void {
    const count = this.#counted.get(request)
    if (count === undefined) return
    this.#counted.delete(request)
    this.#buckets!.giveBack(this.networkOf(request), count)
  }
}

/** As how many requests one counts; with a body of unknown length, as the largest that anyone may send. */
function countOf({ headers }: IncomingMessage): number {
  const bytes =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : LARGEST_BODY
  return 1 + Math.floor(Math.min(bytes, LARGEST_BODY) / BYTES_A_REQUEST)
}
