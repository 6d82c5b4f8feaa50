/** The stages of messages from waiting to claimed: requested, planned, claimed or dropped. */
import type { AlertClass } from '../../core/alerts/delivery/allowance.js'
import type { DropReason, HoldReason } from '../../core/alerts/delivery/change.js'
import type { ChannelRules } from '../../core/alerts/delivery/channel-rules.js'
import type { Flapping } from '../../core/alerts/delivery/flapping.js'
import type { MessageForm, Plan } from '../../core/alerts/delivery/plan-values.js'
import type { Quota } from '../../core/alerts/delivery/quota.js'
import type { Due } from '../../core/alerts/delivery/reconcile.js'
import type { Announced } from '../announce.js'
import type { Claim } from '../claims.js'
import type { OwnHearing } from '../instance/outages.js'
import type { CountedMessage } from '../people/quotas/counted-messages.js'
import type { QuotaCount } from '../people/quotas.js'
import type { WaitingChannel } from './waiting/waiting-channel.js'
import type { WaitingRow } from './waiting/waiting-row.js'

/** What to take from one channel. */
export interface TakeFrom {
  channelId: number
  /** The rules of its kind and settings; null if this version does not know the kind. */
  rules: ChannelRules | null
  /** The maximum number of messages to claim, and of deliveries to examine. */
  messages: number
  deliveries: number
  /** Whether to take nothing if more is due than `deliveries` and it belongs together; see {@link Taken.large}. */
  leavesLarge?: boolean
  /** This process's messages under way to it. */
  sending: Readonly<Record<AlertClass, number>>
  /** The monthly quota that its messages count against; default null. */
  quota?: Quota | null
  /** Set if everything that may be sent joins this digest, which is being composed; see `Change` for its number. */
  combine?: Pick<ClaimedPart, 'charged'> | null
}

export interface Take extends Omit<Claim, 'limit'> {
  worker: string
  /** In the order of their turns: if channels share a receiver's limit, the first ones send. */
  channels: readonly TakeFrom[]
  /**
   * Deliveries of these channels that this process is still sending: if the clock is set, their leases
   * may seem to have run out.
   */
  inHand: readonly number[]
  /** What the process knows itself if it accepts pings; default null. */
  own?: OwnHearing | null
  /** Claims that ended before this instant (ms) are taken over; default `now`. */
  endedBefore?: number
  /** Whether all is undone at once, by failing with the code `TRIED`. */
  isTrial?: boolean
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
    | 'incidentId'
    | 'incidentOpenedAt'
    | 'flip'
    | 'notice'
    | 'closing'
    | 'attempts'
    | 'charged'
  > {
  /** The row of the attempt. */
  notificationUuid: string
  /** What the plan says about it; null for a notice. */
  due: Due | null
  /** Since when there has been something to send. */
  createdAt: number
  flapping: Flapping | null
  /** When the check changed, newest first; only if the message may report that it is flapping. */
  history: readonly number[]
}

/** A message that this process has to send: one delivery, or several that are combined. */
export interface ClaimedMessage {
  channel: WaitingChannel
  form: MessageForm
  alertClass: AlertClass
  parts: ClaimedPart[]
  /** Set if a monthly quota counts it. */
  counted?: CountedMessage
  /** Set if it is a notice that exceeds this quota: it is not sent. */
  overQuota?: Quota
}

export interface Taken extends Announced {
  messages: ClaimedMessage[]
  /** The dropped deliveries, for the log. */
  dropped: Dropped[]
  /** How many deliveries began to be held, by reason. */
  held: HeldCounts
  /** How many deliveries silences, dependencies and outages put off until later. */
  putOff: number
  /** The channels from which nothing was taken, because too much is due for a transaction shared with others. */
  large: number[]
}

/** Numbers of held deliveries. */
export type HeldCounts = Readonly<{ [R in HoldReason]?: number }>

/** A dropped delivery. */
export interface Dropped {
  channel: { uuid: string; kind: string }
  reason: DropReason
  /** The text for people; empty if they need not know. */
  error: string
  createdAt: number
}

/** The plan for one channel, with the rows that it is about. */
export interface Planned {
  channel: WaitingChannel
  rules: ChannelRules
  quota: Quota | null
  /** What counts its messages; null if nothing does, or if they join one that is counted. */
  count: QuotaCount | null
  /** The message that they join. */
  combine: Pick<ClaimedPart, 'charged'> | null
  plan: Plan
  rows: ReadonlyMap<number, WaitingRow>
  /** By the rows' IDs; see `isFlapping`. */
  history: ReadonlyMap<number, readonly number[]>
  /** Why the channel cannot be used; empty if it can. */
  unusable: string
}
