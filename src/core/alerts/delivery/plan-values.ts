/** The input and the result of planning a channel's messages. Decision 0102. */
import type { AlertClass, SentCounts } from './allowance.js'
import type { Change, DropReason, HoldReason } from './change.js'
import type { ChannelRules } from './channel-rules.js'
import type { Flapping } from './flapping.js'
import type { CheckHold } from './hold.js'
import type { Due, Reported, ReportedStatus } from './reconcile.js'

/** The changes of one check that wait, oldest first; at least one. */
export interface WaitingCheck {
  /** Null if the check was deleted. */
  checkId: number | null
  changes: readonly Change[]
  reported: Reported
  /** Whether the check is down now. */
  isDown: boolean
  /** When its incident ended (ms); null: it is open, or that is not known. */
  overAt: number | null
  /** Whether the channel is linked to the check; if not, it is sent only the end of the incident. */
  isTarget: boolean
  /** The holds of its down alerts for this channel that are active now, without flapping. */
  holds: readonly CheckHold[]
  /** Until when (ms) its down alert waits because Punctual may have missed a ping; null: it does not. See raised-late.ts. */
  outageUntil: number | null
  /** Whether a person has acknowledged its open incident. */
  isAcknowledged: boolean
  flapping: Flapping | null
  /** When it changed, newest first; see `isFlapping`. May be empty if people do not read the channel. */
  history: readonly number[]
}

export interface WaitingNotice {
  id: number
  /** A notice older than a day is dropped, tried or not. */
  createdAt: number
}

/** The channel at the time of the claim. */
export interface ChannelState {
  rules: ChannelRules
  /**
   * Whether it can be used. `not now`: it is disabled or not confirmed; `unknown`: this
   * version does not know its kind.
   */
  usable: 'yes' | 'not now' | 'unknown'
  sent: SentCounts
  /** Until when (ms) nothing is tried, because the channel is unreachable; null if it is reachable. */
  unreachableUntil: number | null
  /** The messages under way. */
  sending: Readonly<Record<AlertClass, number>>
  /** How many messages its receiver accepts now, and when it accepts the next one after those. */
  receiver: { messages: number; until: number }
  /** How many messages are left of its monthly quota, and when (ms) to look again once none is. Infinitely many without a quota. */
  quota: { messages: number; until: number }
}

/** `flapping`: a notice that the check is flapping; `steady`: the status of a check that is stable again. */
export type MessageForm = 'alert' | 'flapping' | 'steady' | 'digest' | 'notice'

export interface PlannedMessage {
  form: MessageForm
  alertClass: AlertClass
  /** The changes in it; empty for a notice. */
  parts: (Due & { checkId: number | null })[]
  /** The delivery of a notice. */
  noticeId: number | null
}

export interface Plan {
  messages: PlannedMessage[]
  /** `due` is null for a notice; `by`: the holds, if `reason` is one. */
  holds: { id: number; due: Due | null; until: number; reason: HoldReason; by?: readonly CheckHold[] }[]
  /** The deliveries that wait until the channel can be used again, or is linked to their check again. */
  parked: number[]
  drops: { id: number; checkId: number | null; reason: DropReason }[]
  /** The checks whose status counts as reported without a message. */
  reported: { checkId: number; status: ReportedStatus }[]
  /** The flapping checks that changed again, and when. */
  stillFlapping: { checkId: number; at: number }[]
  /** Set if the hourly limit is reached: what is held, and until when. */
  limitReached: { holds: 'all' | 'all but down alerts'; until: number } | null
}

/** What to send about a check if the limits allow it. */
export type Part = PlannedMessage['parts'][number] & { form: 'alert' | 'flapping' | 'steady' }
