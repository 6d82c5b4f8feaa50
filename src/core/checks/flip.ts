import type { StoredStatus } from './check.js'
import type { Cause } from './health/cause.js'

/** Why a status changed: the cause of a failure. Empty: a recovery, a pause, a resume. */
export type FlipReason = '' | Cause

/** One change of a check's stored status. */
export interface Flip {
  createdAt: number
  oldStatus: StoredStatus
  newStatus: StoredStatus
  reason: FlipReason
  /** Of a fall to down: the first failure that was counted, where that came before. */
  since?: number
}

/**
 * Whether a flip opens or closes an incident, which channels may have to hear of: every fall to down, and every change
 * from down, also a pause.
 */
export function concernsIncident(flip: Pick<Flip, 'oldStatus' | 'newStatus'>): boolean {
  return flip.newStatus === 'down' || flip.oldStatus === 'down'
}

/**
 * Whether people are told of a flip: every fall to down, and a recovery from down. A first ping and the end
 * of a pause are no news. Source: behaviour of the reference's alert loop.
 */
export function isAlerting(flip: Pick<Flip, 'oldStatus' | 'newStatus'>): boolean {
  if (flip.newStatus === 'down') return true
  return flip.newStatus === 'up' && flip.oldStatus === 'down'
}
