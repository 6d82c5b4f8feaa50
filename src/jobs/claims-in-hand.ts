import { SMALL } from '../actions/alerts/take-messages.js'
import type { Clock } from '../lib/clock.js'
import type { FairQueue } from '../lib/fair-queue.js'
import { type Instant, instant, type Lease } from '../lib/lease.js'
import type { ClaimedMessage } from '../storage/alerts/messages.js'
import type { StoreWith } from '../storage/store.js'

/** How long deliveries are claimed, and after how long a claim is renewed; those of large messages cost more to renew. */
export const LEASE_MS = { small: 10_000, large: 60_000 }
const RENEW_AFTER_MS = { small: 2_500, large: 20_000 }
const LOOK_EVERY_MS = 3_000
/** How often leases are looked at that could not be renewed. */
const WATCH_EVERY_MS = 1_000
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

interface Held {
  lease: Lease
  /** When a renewal was last begun (of `performance.now()`). */
  renewedAt: number
}

/**
 * The deliveries that this process is sending. Their claims are renewed until they are settled; what could not be renewed in
 * time, or is not this process's any more, is cut off.
 */
export class ClaimsInHand {
  /** By channel. */
  readonly #ofChannel = new Map<number, Map<ClaimedMessage, Held>>()
  #timers: NodeJS.Timeout[] = []
  /** Whether small, and large, ones are being renewed: those that wait for their turn do not hold up the others. */
  readonly #renewing = { small: false, large: false }

  /** `large`: what large writes have their turns in. */
  constructor(
    private readonly deps: ClaimsDeps,
    private readonly large: FairQueue,
  ) {}

  /** `lease`: as it was claimed. */
  add(message: ClaimedMessage, lease: Lease): void {
    const { id } = message.channel
    const messages = this.#ofChannel.get(id) ?? new Map<ClaimedMessage, Held>()
    this.#ofChannel.set(id, messages.set(message, { lease, renewedAt: performance.now() }))
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
    const renewal = setInterval(() => {
      this.#once('small', () => this.#renewSmall())
      this.#once('large', () => this.#renewLarge())
    }, LOOK_EVERY_MS)
    const watch = setInterval(() => {
      for (const messages of this.#ofChannel.values()) {
        for (const { lease } of messages.values()) lease.watch()
      }
    }, WATCH_EVERY_MS)
    this.#timers = [renewal, watch]
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #once(size: Size, renew: () => Promise<void>): void {
    if (this.#renewing[size]) return
    this.#renewing[size] = true
    renew()
      .catch(this.deps.onError)
      .finally(() => {
        this.#renewing[size] = false
      })
  }

  async #renewSmall(): Promise<void> {
    const asked = this.#due('small')
    if (asked.length === 0) return
    const from = instant(this.deps.clock)
    const ids = asked.flatMap(one => one.ids)
    note(asked, from, LEASE_MS.small, await this.#claimAgain(ids, LEASE_MS.small))
  }

  async #renewLarge(): Promise<void> {
    for (const one of this.#due('large')) {
      const from = instant(this.deps.clock)
      const kept: number[] = []
      for (let at = 0; at < one.ids.length; at += AT_ONCE) {
        const ids = one.ids.slice(at, at + AT_ONCE)
        kept.push(...(await this.large.run(OWN_TURN, () => this.#claimAgain(ids, LEASE_MS.large))))
      }
      note([one], from, LEASE_MS.large, kept)
    }
  }

  /** What is to be renewed now, and is then begun. */
  #due(size: Size): Asked[] {
    const now = performance.now()
    const due: Asked[] = []
    for (const messages of this.#ofChannel.values()) {
      for (const [message, held] of messages) {
        if (sizeOf(message) !== size || now - held.renewedAt < RENEW_AFTER_MS[size]) continue
        held.renewedAt = now
        due.push({ lease: held.lease, ids: deliveriesOf(message) })
      }
    }
    return due
  }

  async #claimAgain(ids: readonly number[], leaseMs: number): Promise<number[]> {
    const { store, clock, worker } = this.deps
    return await store.alerts.renewClaims({ worker, ids, until: clock.now() + leaseMs })
  }
}

interface Asked {
  lease: Lease
  ids: readonly number[]
}

/** A renewal that began at `from` kept these deliveries. A message of which none was kept is not this process's any more. */
function note(asked: readonly Asked[], from: Instant, leaseMs: number, kept: readonly number[]): void {
  const mine = new Set(kept)
  for (const { lease, ids } of asked) {
    if (ids.some(id => mine.has(id))) lease.renew(from, leaseMs)
    else lease.end()
  }
}

type Size = 'small' | 'large'

function sizeOf({ parts }: ClaimedMessage): Size {
  return parts.length > SMALL ? 'large' : 'small'
}

function deliveriesOf({ parts }: ClaimedMessage): number[] {
  return parts.map(({ id }) => id)
}
