import { setMaxListeners } from 'node:events'
import { type DeliverDeps, deliver } from '../../actions/alerts/deliver.js'
import { type InTurn, Settlements } from '../../actions/alerts/settle-messages.js'
import { SMALL } from '../../actions/alerts/take-messages.js'
import type { Transports } from '../../integrations/transports.js'
import type { FairQueue } from '../../lib/fair/fair-queue.js'
import type { Lease } from '../../lib/lease.js'
import type { ClaimedMessage } from '../../storage/alerts/messages.js'
import type { Settlement } from '../../storage/alerts/settle/settlement.js'
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
}

/** The claimed messages that are being sent, until each is settled. */
export class Sending {
  /** Their claims, which are renewed. */
  readonly inHand: ClaimsInHand
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
        inHand.delete(message)
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

  #recordingOf({ channel, parts }: ClaimedMessage) {
    // Settling does not wait until everything due is claimed: it has turns of its own.
    const inTurn: InTurn = write => this.large.run(-channel.projectId, write)
    if (parts.length > SMALL) {
      return { settle: (one: Settlement) => this.#settlements.settle(one, inTurn), inTurn }
    }
    return { settle: (one: Settlement) => this.#settlements.settle(one) }
  }
}

const TOO_MANY_BYTES = ', and many large requests wait for answers'
