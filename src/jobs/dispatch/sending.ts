import { setMaxListeners } from 'node:events'
import { type DeliverDeps, deliver } from '../../actions/alerts/deliver.js'
import { type InTurn, Settlements } from '../../actions/alerts/settle-messages.js'
import { SMALL } from '../../actions/alerts/take-messages.js'
import type { Transports } from '../../integrations/transports.js'
import type { FairQueue } from '../../lib/fair/fair-queue.js'
import type { Lease } from '../../lib/lease.js'
import type { ClaimedMessage } from '../../storage/alerts/messages.js'
import type { Settlement } from '../../storage/alerts/settle/settlement.js'
import type { Settled } from '../../storage/alerts/settle-message.js'
import { mayBeOneRow } from '../../storage/errors.js'
import { type Failed, SetAside } from '../../storage/set-aside.js'
import type { StoreWith } from '../../storage/store.js'
import { ClaimsInHand } from './claims-in-hand.js'
import { finishUnderWay } from './finish-under-way.js'
import { withCountedBytes } from './request-bytes.js'
import type { Granted, Grants } from './slots/grants.js'
import { tookTooLong } from './slots/took-too-long.js'

/** Makes the lease of a message whose sending `own` aborts. */
export type MakeLease = (own: AbortController) => Lease

export interface SendingDeps extends DeliverDeps {
  store: DeliverDeps['store'] & StoreWith<'alerts.renewClaims'>
  /** Called when something cannot be claimed or settled, for a row that cannot be written or read. */
  onSetAside(failed: Failed): void
}

/** The claimed messages that are being sent, until each is settled. */
export class Sending {
  /** Their claims, which are renewed. */
  readonly inHand: ClaimsInHand
  /** The first deliveries of messages that cannot be settled. */
  readonly unsettled: SetAside
  readonly #settlingLater = new Set<ClaimedMessage>()
  readonly #settlements: Settlements
  readonly #running = new Set<Promise<unknown>>()
  readonly #abort = new AbortController()

  /** `large`: the queue in which large writes take turns; `onFree` is called when more may be claimed. */
  constructor(
    private readonly deps: SendingDeps,
    private readonly grants: Grants,
    private readonly large: FairQueue,
    private readonly onFree: () => void,
  ) {
    this.inHand = new ClaimsInHand(deps, large)
    this.unsettled = new SetAside('delivery', deps.onSetAside)
    this.#settlements = new Settlements(deps.store, this.#abort.signal)
    // Every exchange in progress listens to this signal, which is not a leak.
    setMaxListeners(0, this.#abort.signal)
  }

  /** Starts sending a message. */
  start(message: ClaimedMessage, makeLease: MakeLease): void {
    const { deps, inHand } = this
    const own = new AbortController()
    const lease = makeLease(own)
    const granted = this.grants.begin(message, tookMs => own.abort(tookTooLong(tookMs)))
    inHand.add(message, lease)
    const signal = AbortSignal.any([this.#abort.signal, own.signal])
    const noted = this.#noting(message, granted, tookMs => own.abort(tookTooLong(tookMs, TOO_MANY_BYTES)))
    const attempt: Promise<unknown> = deliver(noted, message, signal, lease, this.#recordingOf(message))
      .catch(error => {
        deps.onError(error)
        return null
      })
      .then(sent => {
        this.#running.delete(attempt)
        if (!this.#settlingLater.has(message)) inHand.delete(message)
        if (granted.end(sent)) this.onFree()
      })
    this.#running.add(attempt)
  }

  /** Waits a moment for messages under way, and aborts the rest. */
  async stop(): Promise<void> {
    await finishUnderWay(Promise.all(this.#running), () => this.#abort.abort())
    this.inHand.stop()
  }

  /** What sends a message, and notes for its slots how many bytes are under way and whether a mail server has it. */
  #noting(
    { channel }: ClaimedMessage,
    { handedOver }: Granted,
    cutOff: (tookMs: number) => void,
  ): SendingDeps {
    const { deps } = this
    const begin = (bytes: number) => this.grants.bytes.begin(channel.projectId, bytes, cutOff)
    const noting = (transports: Transports): Transports => ({
      ...withCountedBytes(transports, begin),
      mail: message => transports.mail({ ...message, onHandedOver: handedOver }),
    })
    return { ...deps, transports: (signal, begins) => noting(deps.transports(signal, begins)) }
  }

  #recordingOf(message: ClaimedMessage) {
    const { channel, parts } = message
    // Settling does not wait until everything due is claimed: it has turns of its own.
    const inTurn: InTurn = write => this.large.run(-channel.projectId, write)
    if (parts.length > SMALL) {
      return { settle: (one: Settlement) => this.#settle(message, one, inTurn), inTurn }
    }
    return { settle: (one: Settlement) => this.#settle(message, one) }
  }

  /** Settles a message. One that cannot be settled for a row of it gives its slot back, and is settled later. */
  async #settle(
    message: ClaimedMessage,
    settlement: Settlement,
    inTurn?: InTurn,
  ): Promise<Pick<Settled, 'unreachable'>> {
    try {
      return await this.#settlements.settle(settlement, inTurn)
    } catch (error) {
      if (!mayBeOneRow(error)) throw error
      this.unsettled.fail(message.parts[0]!.id, error)
      this.#settlingLater.add(message)
      void this.#settleLater(message, () => this.#settlements.settle(settlement, inTurn))
      return { unreachable: false }
    }
  }

  /** Tries again and again. As long as it is in hand it is not claimed again, which would send it again. */
  async #settleLater(message: ClaimedMessage, settle: () => Promise<unknown>): Promise<void> {
    const { id } = message.parts[0]!
    const { signal } = this.#abort
    try {
      while (this.unsettled.has(id)) {
        await this.unsettled.wait(id, signal)
        if (signal.aborted) return
        await settle().then(
          () => this.unsettled.succeed(id),
          error => this.unsettled.fail(id, error),
        )
      }
    } catch (error) {
      this.deps.onError(error)
    } finally {
      this.#settlingLater.delete(message)
      this.inHand.delete(message)
      this.onFree()
    }
  }
}

const TOO_MANY_BYTES = ', and many large requests wait for answers'
