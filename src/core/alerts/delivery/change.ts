import type { CheckHoldReason } from './hold.js'

/**
 * A change of a check that a channel may have to be sent. `down` opens an incident, the others close it. `deleted`:
 * the check was deleted, or this channel is not linked to it any more.
 */
export type ChangeStatus = 'down' | 'up' | 'paused' | 'deleted'

/** A change of one check that waits for one channel. Instants in ms. */
export interface Change {
  id: number
  status: ChangeStatus
  /** The flip; null if the check was deleted. */
  flipId: number | null
  at: number
  /** The number of attempts that failed or whose result is unknown: the message may have arrived. */
  attempts: number
  /** The number of the message with it that was counted against the monthly quota, see quota.ts; 0: none. */
  charged: number
  /** What it waits for since it was planned; null: nothing, or its next attempt. */
  heldBy: HoldReason | null
  /** Whether anything but a hold ever delayed it. */
  delayed: boolean
  /** How many older, unsent changes it replaces. */
  superseded: number
  /** Whether one of those could not be delivered or was superseded, rather than only held. */
  missed: boolean
  /** Since when there has been something to send. */
  createdAt: number
  /** Set if nothing changed: a step or a repeat of a policy asks that the open incident is sent once more. */
  again: Again | null
}

/** What asks that an open incident is sent once more. */
export type Again = 'step' | 'repeat'

/**
 * Why a delivery waits although it is due. `silence`, `dependency`: see hold.ts; `outage`: see raised-late.ts; `acknowledged`: see again.ts; `quota`: see quota.ts; `minute`, `hour`: the limits of a channel that people read; `receiver`:
 * the rate limit of its receiver; `unreachable`: one delivery is tried on behalf of all; `unknown`: this version does
 * not know the channel's kind.
 */
export type HoldReason =
  | CheckHoldReason
  | 'outage'
  | 'acknowledged'
  | 'flapping'
  | 'quota'
  | 'minute'
  | 'hour'
  | 'receiver'
  | 'unreachable'
  | 'unknown'

/** The reasons that are holds; see {@link isHold}. */
export const HOLDS = [
  'flapping',
  'outage',
  'acknowledged',
  'quota',
  'silence',
  'dependency',
] as const satisfies HoldReason[]

/**
 * Whether the reason is a hold, after which changes that are over are not sent. Other reasons only delay: people fear
 * missed alerts most, so they still learn that the check was down.
 */
export function isHold(reason: HoldReason | null): boolean {
  return HOLDS.some(hold => hold === reason)
}

/** Why a delivery is dropped. */
export type DropReason =
  /** The channel does not want alerts of this status. */
  | 'unwanted'
  /** A newer change is sent instead. */
  | 'superseded'
  /** The incident was over before the hold ended. */
  | 'held'
  /** The check was paused or deleted before it was sent. */
  | 'closed'
  /** The check is no longer down, although no waiting change records that. */
  | 'over'
  /** The channel is not linked to the check any more. */
  | 'unlinked'
  /** It would send an incident once more that a person has acknowledged. */
  | 'acknowledged'
  /** It ends an incident that was never reported to the channel. */
  | 'unreported'
  /** The channel was already sent it. */
  | 'reported'
  /** It is no longer true, and could not be delivered for a day. */
  | 'too-late'
  /** The channel cannot be used: disabled or not confirmed. */
  | 'unusable'
