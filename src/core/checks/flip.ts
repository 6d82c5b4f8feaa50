import type { StoredStatus } from './check.js'
import type { Cause } from './health/cause.js'

/** Why a status changed: the cause of a failure; empty for a recovery, a pause, a resume. */
export type FlipReason = '' | Cause

/** One change of a check's stored status. */
export interface Flip {
  createdAt: number
  oldStatus: StoredStatus
  newStatus: StoredStatus
  reason: FlipReason
  /** Of a flip to down: the first counted failure, if it came earlier. */
  since?: number
}

/**
 * Whether a flip opens or closes an incident, which channels may have to be sent: every flip to or
 * from down, including a pause.
 */
export function concernsIncident(flip: Pick<Flip, 'oldStatus' | 'newStatus'>): boolean {
  return flip.newStatus === 'down' || flip.oldStatus === 'down'
}

/**
 * Whether people are alerted about a flip: every flip to down, and a recovery from down. A first ping and the end of
 * a pause are not alerted. Source: the reference's alert loop.
 */
export function isAlerting(flip: Pick<Flip, 'oldStatus' | 'newStatus'>): boolean {
  if (flip.newStatus === 'down') return true
  return flip.newStatus === 'up' && flip.oldStatus === 'down'
}
