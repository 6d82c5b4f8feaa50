/** A check that a channel is linked to again before the end of its incident was sent. Pure. Decision 0110. */
import type { Change } from './change.js'
import type { WaitingCheck } from './plan-values.js'

/** What a check is in while it is down: the flip that it began with, and when that was (ms). */
export interface Incident {
  flipId: number
  at: number
}

/**
 * Whether what waits about a check comes to its end for the channel although the channel is to hear of it, and it is down. Then
 * a down alert takes its place; see {@link renewedAlert}.
 */
export function isRenewed({
  changes,
  isDown,
  isTarget,
}: Pick<WaitingCheck, 'changes' | 'isDown' | 'isTarget'>): boolean {
  return isTarget && isDown && changes.at(-1)!.status === 'deleted'
}

/**
 * Whether the end may have arrived, since it was tried. Then the channel counts as having learned nothing, and is sent the down
 * alert again; else that is dropped where the channel has learned of this incident.
 */
export function mayHaveEnded(changes: readonly Change[]): boolean {
  return changes.some(({ status, attempts }) => status === 'deleted' && attempts > 0)
}

/** The down alert that takes the place of `changes`, in that of the newest. */
export function renewedAlert(changes: readonly Change[], { flipId, at }: Incident, now: number): Change {
  return {
    id: changes.at(-1)!.id,
    status: 'down',
    flipId,
    at,
    attempts: 0,
    heldBy: null,
    superseded: 0,
    missed: changes.some(({ attempts, missed }) => attempts > 0 || missed),
    createdAt: now,
  }
}
