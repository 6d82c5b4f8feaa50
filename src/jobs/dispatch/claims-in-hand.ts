import { SMALL } from '../../actions/alerts/take-messages.js'
import type { Clock } from '../../lib/clock.js'
import type { FairQueue } from '../../lib/fair/fair-queue.js'
import { LATE_MS } from '../../lib/http/deadline.js'
import { type Instant, instant, type Lease } from '../../lib/lease.js'
import type { ClaimedMessage } from '../../storage/alerts/messages.js'
import type { RenewedClaims } from '../../storage/alerts/release-claims.js'
import { mayBeOneRow } from '../../storage/errors.js'
import type { StoreWith } from '../../storage/store.js'

/** How long deliveries are claimed, and the age at which a claim is renewed; renewing a large message costs more. */
export const LEASE_MS = { small: 10_000, large: 60_000 }
export const RENEW_AFTER_MS = { small: 2_500, large: 20_000 }
const LOOK_EVERY_MS = 3_000
/** How often leases are checked for having run out. */
const WATCH_EVERY_MS = 1_000
/** The claims of large messages renewed per transaction. */
const AT_ONCE = 500
/** Renewals take turns with the projects. */
const OWN_TURN = 0

interface ClaimsDeps {
  store: StoreWith<'alerts.renewClaims'>
  clock: Clock
  worker: string
  onError(error: unknown): void
}

interface Held {
  lease: Lease
  /** When the last renewal began (ms), by the steady clock of leases. */
  renewedAt: number
}

/**
 * The deliveries that this process is sending. Their claims are renewed until they are settled. If a claim was not
 * renewed in time, or is another process's now, the sending is aborted. A process that was frozen first reads what has arrived, and
 * renews the claims that no other process has.
 */
export class ClaimsInHand {
  /** By channel ID. */
  readonly #ofChannel = new Map<number, Map<ClaimedMessage, Held>>()
  #timers: NodeJS.Timeout[] = []
  /**
   * Whether claims of small or of large messages are being renewed. Large ones wait for their turn and
   * must not delay small ones.
   */
  readonly #renewing = { small: false, large: false }

  /** `large`: the queue in which large writes take turns. */
  constructor(
    private readonly deps: ClaimsDeps,
    private readonly large: FairQueue,
  ) {}

  /** `lease`: the one of its claim. */
  add(message: ClaimedMessage, lease: Lease): void {
    const { id } = message.channel
    const messages = this.#ofChannel.get(id) ?? new Map<ClaimedMessage, Held>()
    this.#ofChannel.set(id, messages.set(message, { lease, renewedAt: this.#steadyNow() }))
  }

  delete(message: ClaimedMessage): void {
    const { id } = message.channel
    const messages = this.#ofChannel.get(id)
    messages?.delete(message)
    if (messages?.size === 0) this.#ofChannel.delete(id)
  }

  /** The deliveries of these channels. */
  ofChannels(channelIds: readonly number[]): number[] {
    return channelIds.flatMap(id => [...(this.#ofChannel.get(id)?.keys() ?? [])].flatMap(deliveriesOf))
  }

  start(): void {
    let watchedAt = this.#steadyNow()
    const watch = () => {
      const now = this.#steadyNow()
      const wasFrozen = now - watchedAt > WATCH_EVERY_MS + LATE_MS
      watchedAt = now
      if (wasFrozen) this.#renew()
      else this.#endOverdue()
    }
    this.#timers = [setInterval(() => this.#renew(), LOOK_EVERY_MS), setInterval(watch, WATCH_EVERY_MS)]
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers = []
  }

  #steadyNow(): number {
    return instant(this.deps.clock).steady
  }

  #endOverdue(): void {
    for (const messages of this.#ofChannel.values()) {
      for (const { lease } of messages.values()) lease.watch()
    }
  }

  #renew(): void {
    this.#unlessRunning('small', () => this.#renewSmall())
    this.#unlessRunning('large', () => this.#renewLarge())
  }

  #unlessRunning(size: Size, renew: () => Promise<void>): void {
    if (this.#renewing[size]) return
    this.#renewing[size] = true
    const from = this.#steadyNow()
    renew()
      .catch(this.deps.onError)
      .finally(() => {
        this.#renewing[size] = false
        // Claims last from the start of their renewal, so those that had to wait may have ended already.
        if (this.#timers.length > 0 && this.#steadyNow() - from >= RENEW_AFTER_MS[size]) this.#renew()
      })
  }

  async #renewSmall(): Promise<void> {
    const renewals = this.#due('small')
    if (renewals.length === 0) return
    const from = instant(this.deps.clock)
    const ids = renewals.flatMap(one => one.ids)
    applyRenewal(renewals, from, LEASE_MS.small, await this.#claimAgain(ids, LEASE_MS.small))
  }

  async #renewLarge(): Promise<void> {
    for (const one of this.#due('large')) {
      const from = instant(this.deps.clock)
      const claims: RenewedClaims = { renewed: [], locked: [] }
      for (let at = 0; at < one.ids.length; at += AT_ONCE) {
        const ids = one.ids.slice(at, at + AT_ONCE)
        const some = await this.large.run(OWN_TURN, () => this.#claimAgain(ids, LEASE_MS.large))
        claims.renewed.push(...some.renewed)
        claims.locked.push(...some.locked)
      }
      applyRenewal([one], from, LEASE_MS.large, claims)
    }
  }

  /** The claims to renew now; notes that their renewal begins. */
  #due(size: Size): Renewal[] {
    const now = this.#steadyNow()
    const due: Renewal[] = []
    for (const messages of this.#ofChannel.values()) {
      for (const [message, held] of messages) {
        if (sizeOf(message) !== size || now - held.renewedAt < RENEW_AFTER_MS[size]) continue
        held.renewedAt = now
        due.push({ lease: held.lease, ids: deliveriesOf(message) })
      }
    }
    return due
  }

  /** A claim that cannot be renewed for its row ends when it would have ended, as one that is locked does. */
  async #claimAgain(ids: readonly number[], leaseMs: number): Promise<RenewedClaims> {
    const { store, clock, worker } = this.deps
    try {
      return await store.alerts.renewClaims({ worker, ids, until: clock.now() + leaseMs })
    } catch (error) {
      if (!mayBeOneRow(error)) throw error
      if (ids.length === 1) return { renewed: [], locked: [...ids] }
      const half = Math.ceil(ids.length / 2)
      const first = await this.#claimAgain(ids.slice(0, half), leaseMs)
      const second = await this.#claimAgain(ids.slice(half), leaseMs)
      return {
        renewed: [...first.renewed, ...second.renewed],
        locked: [...first.locked, ...second.locked],
      }
    }
  }
}

interface Renewal {
  lease: Lease
  ids: readonly number[]
}

/**
 * Extends the leases of messages whose claims were renewed from `from` on. One of which a claim could not be renewed, because
 * another transaction has locked it, keeps its lease as it is. A message without any claim is another process's now.
 */
function applyRenewal(
  renewals: readonly Renewal[],
  from: Instant,
  leaseMs: number,
  claims: RenewedClaims,
): void {
  const renewed = new Set(claims.renewed)
  const locked = new Set(claims.locked)
  for (const { lease, ids } of renewals) {
    if (ids.some(id => locked.has(id))) continue
    if (ids.some(id => renewed.has(id))) lease.renew(from, leaseMs)
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
