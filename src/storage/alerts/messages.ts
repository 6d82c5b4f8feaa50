/** Messages on their way from what waits to what is claimed: asked for, planned, claimed or dropped. */
import type { AlertClass } from '../../core/alerts/delivery/allowance.js'
import type { DropReason } from '../../core/alerts/delivery/change.js'
import type { ChannelRules } from '../../core/alerts/delivery/channel-rules.js'
import type { Flapping } from '../../core/alerts/delivery/flapping.js'
import type { MessageForm, Plan } from '../../core/alerts/delivery/plan-values.js'
import type { Due } from '../../core/alerts/delivery/reconcile.js'
import type { Claim } from '../claims.js'
import type { WaitingRow } from './waiting.js'
import type { WaitingChannel } from './waiting-channel.js'

/** What is asked for, of one channel. */
export interface TakeFrom {
  channelId: number
  /** What its kind and settings say; null where this version does not know the kind. */
  rules: ChannelRules | null
  /** The most messages, and the most deliveries that are looked at. */
  messages: number
  deliveries: number
  /** Whether nothing is taken where all that is due belongs together and is more than that; see {@link Taken.large}. */
  leavesLarge?: boolean
  /** This process's messages on their way to it. */
  sending: Readonly<Record<AlertClass, number>>
  /** Whether what may be sent joins a message about many that is being put together. */
  combine?: boolean
}

export interface Take extends Omit<Claim, 'limit'> {
  worker: string
  /** In the order of their turns: where channels share a receiver's limit, the first ones send. */
  channels: readonly TakeFrom[]
  /** Deliveries of these channels that this process is still sending: their leases may seem to be over when the clock is set. */
  inHand: readonly number[]
}

/** One delivery in a message. */
export interface ClaimedPart
  extends Pick<
    WaitingRow,
    | 'id'
    | 'uuid'
    | 'channelId'
    | 'change'
    | 'groupId'
    | 'checkId'
    | 'flipId'
    | 'flip'
    | 'notice'
    | 'closing'
    | 'attempts'
  > {
  /** The row of the attempt that is about to be made. */
  notificationUuid: string
  /** What it changes for the channel; null for a notice. */
  due: Due | null
  /** Since when there has been something to send. */
  createdAt: number
  flapping: Flapping | null
  /** When the check changed, newest first; only where the message may say that it flaps. */
  history: readonly number[]
}

/** A message that this process is to send: one delivery, or several that are combined. */
export interface ClaimedMessage {
  channel: WaitingChannel
  form: MessageForm
  alertClass: AlertClass
  parts: ClaimedPart[]
}

export interface Taken {
  messages: ClaimedMessage[]
  /** What is not sent at all, for the log. */
  dropped: Dropped[]
  /** Channels from which nothing was taken, since too much is due for one transaction with others. */
  large: number[]
}

/** A delivery that is not sent at all. */
export interface Dropped {
  channel: { uuid: string; kind: string }
  reason: DropReason
  /** For people; empty where nobody needs to know. */
  error: string
  createdAt: number
}

/** What is to be done for one channel, with the rows that it is about. */
export interface Planned {
  channel: WaitingChannel
  rules: ChannelRules
  plan: Plan
  rows: ReadonlyMap<number, WaitingRow>
  /** By the rows' ids; see `isFlapping`. */
  history: ReadonlyMap<number, readonly number[]>
  /** Why the channel cannot be used; empty where it can. */
  unusable: string
}
