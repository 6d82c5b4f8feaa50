/**
 * What happened to a check, as far as a channel may have to hear of it. `down` opens an incident, the others close it.
 * `deleted`: for this channel, which is not linked to it any more, or for all.
 */
export type ChangeStatus = 'down' | 'up' | 'paused' | 'deleted'

/** A change of one check that waits for one channel. Instants in ms. */
export interface Change {
  id: number
  status: ChangeStatus
  /** The status change that it is about; null where the check is deleted. */
  flipId: number | null
  at: number
  /** Attempts that failed, or whose outcome is not known: the message may have arrived. */
  attempts: number
  /** The rule that held it back last; null: none ever did. */
  heldBy: HoldReason | null
  /** How many older changes it replaces that were never sent. */
  superseded: number
  /** Whether one of those could not be delivered, or was overtaken: it was not held alone. */
  missed: boolean
  /** Since when there has been something to send. */
  createdAt: number
}

/**
 * Why something waits although it is due. `minute`, `hour`: the limits of a channel that people read; `receiver`: those of its
 * receiver; `unreachable`: one delivery is tried for all; `unknown`: this version does not know the channel's kind.
 */
export type HoldReason = 'flapping' | 'minute' | 'hour' | 'receiver' | 'unreachable' | 'unknown'

/**
 * Whether what waited is kept back, so that what is over in the meantime is not sent at all. The other reasons only delay:
 * people fear a missed alert most, so they still hear that the check was down.
 */
export function isHold(reason: HoldReason | null): boolean {
  return reason === 'flapping'
}

/** Why something is not sent. */
export type DropReason =
  /** The channel does not want this direction. */
  | 'unwanted'
  /** A newer change is sent instead. */
  | 'superseded'
  /** It was over before the hold ended. */
  | 'held'
  /** The check was paused or deleted before it was sent. */
  | 'closed'
  /** The check is not down any more, though nothing that waits says so. */
  | 'over'
  /** The channel is not to hear of the check any more. */
  | 'unlinked'
  /** It ends what the channel never learned of. */
  | 'unreported'
  /** The channel already learned of it. */
  | 'reported'
  /** It is no longer true, and could not be delivered for a day. */
  | 'too-late'
  /** The channel cannot be used: disabled or not confirmed. */
  | 'unusable'
