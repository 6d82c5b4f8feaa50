/** A channel is linked again to a check that is down, before the end of its incident was sent. Pure. Decision 0110. */
import type { Change } from './change.js'
import type { WaitingCheck } from './plan-values.js'

/** The incident of a check that is down: the flip that began it, and when that was (ms). */
export interface Incident {
  flipId: number
  at: number
}

/**
 * Whether the waiting changes end the check for the channel, although the channel is linked to it and it is down. A
 * down alert then replaces them; see {@link renewedAlert}.
 */
export function isRenewed({
  changes,
  isDown,
  isTarget,
}: Pick<WaitingCheck, 'changes' | 'isDown' | 'isTarget'>): boolean {
  return isTarget && isDown && changes.findLast(({ again }) => again === null)?.status === 'deleted'
}

/**
 * Whether the end may have arrived, because it was tried. Then nothing counts as reported, and the down alert is sent
 * again; otherwise it is dropped if this incident was reported.
 */
export function mayHaveEnded(changes: readonly Change[]): boolean {
  return changes.some(({ status, attempts }) => status === 'deleted' && attempts > 0)
}

/** The down alert that replaces `changes`, with the ID of the newest. */
export function renewedAlert(changes: readonly Change[], { flipId, at }: Incident, now: number): Change {
  return {
    id: changes.at(-1)!.id,
    status: 'down',
    flipId,
    at,
    attempts: 0,
    charged: 0,
    heldBy: null,
    delayed: false,
    superseded: 0,
    missed: changes.some(({ attempts, missed }) => attempts > 0 || missed),
    createdAt: now,
    again: null,
  }
}
