import { SMALL } from '../actions/alerts/take-messages.js'
import type { Clock } from '../lib/clock.js'
import type { FairQueue } from '../lib/fair-queue.js'
import type { ClaimedMessage } from '../storage/alerts/messages.js'
import type { StoreWith } from '../storage/store.js'

/** How long deliveries are claimed, and after how long a claim is renewed; those of large messages cost more to renew. */
export const LEASE_MS = { small: 10_000, large: 60_000 }
const RENEW_AFTER_MS = { small: 2_500, large: 20_000 }
const LOOK_EVERY_MS = 3_000
/** How many claims of large messages are renewed in one transaction. */
const AT_ONCE = 500
/** Renewals have turns like a project. */
const OWN_TURN = 0

interface ClaimsDeps {
  store: StoreWith<'alerts.renewClaims'>
  clock: Clock
  worker: string
  onError(error: unknown): void
}

/** The deliveries that this process is sending. Their claims are renewed until they are settled. */
export class ClaimsInHand {
  /** By channel: the messages, each with when it was last renewed (of `performance.now()`). */
  readonly #ofChannel = new Map<number, Map<ClaimedMessage, number>>()
  #timer: NodeJS.Timeout | null = null
  #renewing = false

  /** `large`: what large writes have their turns in. */
  constructor(
    private readonly deps: ClaimsDeps,
    private readonly large: FairQueue,
  ) {}

  add(message: ClaimedMessage): void {
    const { id } = message.channel
    const messages = this.#ofChannel.get(id) ?? new Map<ClaimedMessage, number>()
    this.#ofChannel.set(id, messages.set(message, performance.now()))
  }

  delete(message: ClaimedMessage): void {
    const { id } = message.channel
    const messages = this.#ofChannel.get(id)
    messages?.delete(message)
    if (messages?.size === 0) this.#ofChannel.delete(id)
  }

  /** The deliveries of some channels. */
  ofChannels(channelIds: readonly number[]): number[] {
    return channelIds.flatMap(id => [...(this.#ofChannel.get(id)?.keys() ?? [])].flatMap(deliveriesOf))
  }

  start(): void {
    this.#timer = setInterval(() => {
      if (this.#renewing) return
      this.#renewing = true
      this.#renew()
        .catch(this.deps.onError)
        .finally(() => {
          this.#renewing = false
        })
    }, LOOK_EVERY_MS)
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
  }

  async #renew(): Promise<void> {
    const now = performance.now()
    const small: number[] = []
    const large: number[] = []
    for (const messages of this.#ofChannel.values()) {
      for (const [message, renewedAt] of messages) {
        const isLarge = message.parts.length > SMALL
        if (now - renewedAt < RENEW_AFTER_MS[isLarge ? 'large' : 'small']) continue
        messages.set(message, now)
        for (const id of deliveriesOf(message)) (isLarge ? large : small).push(id)
      }
    }
    if (small.length > 0) await this.#claimAgain(small, LEASE_MS.small)
    for (let from = 0; from < large.length; from += AT_ONCE) {
      const some = large.slice(from, from + AT_ONCE)
      await this.large.run(OWN_TURN, () => this.#claimAgain(some, LEASE_MS.large))
    }
  }

  async #claimAgain(ids: number[], leaseMs: number): Promise<void> {
    const { store, clock, worker } = this.deps
    await store.alerts.renewClaims({ worker, ids, until: clock.now() + leaseMs })
  }
}

function deliveriesOf({ parts }: ClaimedMessage): number[] {
  return parts.map(({ id }) => id)
}
