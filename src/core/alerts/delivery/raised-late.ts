/** Down alerts that are raised late, when an outage of Punctual may have hidden that the check is up again. Pure. Decision 0104. */

import type { FlipReason } from '../../checks/flip.js'
import type { heldUpTo } from '../../instance/outage.js'
import { type Change, isHold } from './change.js'
import type { Reported } from './reconcile.js'

/** What is known about pings that Punctual may not have heard. Instants in ms. */
export interface Hearing {
  /** Every ping that arrived before it is on disk. */
  heardUntil: number
  /** Whether pings fail now, or it has not been known for longer than usual that they are heard: an outage may not be on record yet. */
  isTroubled: boolean
  /** The outage that ended last of those whose holds last at `heardUntil`; null: there is none. */
  outage: { startedAt: number; endedAt: number } | null
  /** Until when (ms) a deadline waits by those holds; null: it does not. */
  heldUntil(deadline: number): number | null
  /** When the last hold ended for which a deadline waited, see {@link heldUpTo}; null: none did in that time. */
  heldUpTo(deadline: number, within: { since: number; until: number }): number | null
}

/** What waits about a check for a channel, oldest first. */
export interface RaisedCheck {
  changes: readonly Change[]
  reported: Reported
  /** Why it went down; empty: not known. */
  cause: FlipReason
  /** Its last ping (ms); null: it has had none. */
  lastPing: number | null
  /** When its alert was first held for an outage (ms); null: it was not. */
  heldSince: number | null
}

/** A check that goes down is alerted sooner than that (ms); one that goes down that long before an outage, after its end. */
const PROMPT_MS = 15_000

/** How soon (ms) an alert is looked at again while pings are not heard. */
const LOOK_AGAIN_MS = 1_000

/**
 * Whether a down alert may have been raised late: a hold or an acknowledgement ended, a step or a repeat is due, or the channel can be
 * used again. It is not if the channel was sent another incident and not its end, or is sent this one even when it is over.
 */
export function mayBeLate({ changes, reported }: Pick<RaisedCheck, 'changes' | 'reported'>): boolean {
  const newest = changes.at(-1)!
  if (newest.status !== 'down') return false
  if (changes.some(({ attempts, missed, delayed }) => attempts > 0 || missed || delayed)) return false
  if (newest.again !== null) return true
  return reported === null && (isHold(newest.heldBy) || newest.createdAt - newest.at > PROMPT_MS)
}

/**
 * Until when (ms) a down alert that {@link mayBeLate} waits, because the check was not heard since an outage; null: it
 * does not wait. The instant at which it was raised counts as a deadline, so it waits no longer than deadlines do.
 */
export function waitsUntil(check: RaisedCheck, hearing: Hearing, now: number): number | null {
  const { changes, cause, lastPing, heldSince } = check
  const { heardUntil, isTroubled, outage } = hearing
  const { again, heldBy } = changes.at(-1)!
  if (again === null && !isHold(heldBy) && isPrompt(changes.at(-1)!, cause, hearing)) return null
  const raisedAt = heldSince ?? now
  const soon = now + LOOK_AGAIN_MS
  if (isTroubled && raisedAt > heardUntil) return soon
  if (outage === null || (lastPing !== null && lastPing >= outage.endedAt)) return null
  const until = hearing.heldUntil(raisedAt)
  return until === null ? null : Math.max(until, soon)
}

/**
 * Whether a check went down so short a time before its alert was raised. If it went down by a deadline, that is no earlier than the end of the
 * hold for which the deadline waited, nor, if it passed just before an outage, than the end of that.
 */
function isPrompt({ at, createdAt }: Change, cause: FlipReason, { outage, heldUpTo }: Hearing): boolean {
  if (cause !== 'missed' && cause !== 'overrun') return createdAt - at <= PROMPT_MS
  const isOver = outage !== null && createdAt >= outage.endedAt
  const since = (isOver ? outage.startedAt : createdAt) - PROMPT_MS
  const dueAt = heldUpTo(at, { since, until: createdAt }) ?? at
  const couldBeRaisedAt =
    isOver && dueAt > outage.startedAt - PROMPT_MS ? Math.max(dueAt, outage.endedAt) : dueAt
  return createdAt - couldBeRaisedAt <= PROMPT_MS
}
