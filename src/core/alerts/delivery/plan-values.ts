/** What the plan of a channel's messages is made of, and what it says. Decision 0102. */
import type { AlertClass, SentCounts } from './allowance.js'
import type { Change, DropReason, HoldReason } from './change.js'
import type { ChannelRules } from './channel-rules.js'
import type { Flapping } from './flapping.js'
import type { Due, Learns, Reported } from './reconcile.js'

/** What waits about one check, oldest first; at least one change. */
export interface WaitingCheck {
  /** Null where it is deleted. */
  checkId: number | null
  changes: readonly Change[]
  reported: Reported
  /** Whether it is down now: its own status, whatever waits. */
  isDown: boolean
  /** Whether the channel is to hear of it; if not, of the end of its incident alone. */
  isTarget: boolean
  flapping: Flapping | null
  /** When it changed, newest first; see `isFlapping`. May be empty where the channel is not read by people. */
  history: readonly number[]
}

/** A notice that waits. */
export interface WaitingNotice {
  id: number
  /** It is not sent when it is older than a day, tried or not. */
  createdAt: number
}

/** The channel as the claim finds it. */
export interface ChannelState {
  rules: ChannelRules
  /** Whether it can be used; `not now`: not until it is enabled or confirmed; `unknown`: this version does not know its kind. */
  usable: 'yes' | 'not now' | 'unknown'
  sent: SentCounts
  /** Until when (ms) nothing is tried, since nothing has arrived for a day; null where something does. */
  unreachableUntil: number | null
  /** Messages on their way. */
  sending: Readonly<Record<AlertClass, number>>
  /** How many messages its receiver takes now, and when it takes the next one after those. */
  receiver: { messages: number; until: number }
}

/** `flapping`: the message is that the check flaps; `steady`: it flapped, and this is how it is now. */
export type MessageForm = 'alert' | 'flapping' | 'steady' | 'digest' | 'notice'

export interface PlannedMessage {
  form: MessageForm
  alertClass: AlertClass
  /** What it is about; empty for a notice. */
  parts: (Due & { checkId: number | null })[]
  /** The delivery of a notice. */
  noticeId: number | null
}

export interface Plan {
  messages: PlannedMessage[]
  /** `due` is null for a notice. */
  holds: { id: number; due: Due | null; until: number; reason: HoldReason }[]
  /** Deliveries that wait until the channel can be used again. */
  parked: number[]
  drops: { id: number; checkId: number | null; reason: DropReason }[]
  /** Checks of which the channel counts as having learned without a message. */
  learned: { checkId: number; learns: Learns }[]
  /** Checks that changed while the channel waits for them to be steady, and when. */
  stillFlapping: { checkId: number; at: number }[]
  /** Set where the limit an hour is reached: what is held, and until when. */
  limitReached: { holds: 'all' | 'all but down alerts'; until: number } | null
}

/** What is to be said about a check, limits permitting. */
export type Part = PlannedMessage['parts'][number] & { form: 'alert' | 'flapping' | 'steady' }
