import type { StoredStatus } from './check.js'

/**
 * Why a status changed. `timeout`: the due time and its grace passed. `overrun`: a run that had started did
 * not finish within the grace time. `fail`: a failure signal. Empty: a recovery, a pause, a resume.
 */
export type FlipReason = '' | 'timeout' | 'overrun' | 'fail'

/** One change of a check's stored status. */
export interface Flip {
  createdAt: number
  oldStatus: StoredStatus
  newStatus: StoredStatus
  reason: FlipReason
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
