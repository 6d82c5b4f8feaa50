/** The link between a check and a channel ended, and the channel may not have learned how its incident ends. Pure. Decision 0110. */
import type { Change, ChangeStatus } from './change.js'
import type { ChannelRules } from './channel-rules.js'
import type { WaitingCheck } from './plan-values.js'

/** What is true of a check: the flip that began its incident, or that ended its last one, and when that was (ms). */
export interface LastChange {
  status: ChangeStatus
  flipId: number
  at: number
  /** Whether it is what was last reported to the channel. */
  isReported: boolean
}

/**
 * Whether the waiting changes end the check for the channel, although the channel is linked to it. What is true of the check then
 * replaces them; see {@link renewedChange}.
 */
export function isRenewed({ changes, isTarget }: Pick<WaitingCheck, 'changes' | 'isTarget'>): boolean {
  return isTarget && endsCheck(changes)
}

/**
 * Whether the end waits until the channel is linked to the check again: the channel was, or may have been, sent last that the check is
 * down, and is sent recoveries, but not that a link ended.
 */
export function waitsForLink(
  { changes, isTarget, reported }: Pick<WaitingCheck, 'changes' | 'isTarget' | 'reported'>,
  { up, keepsOpen }: ChannelRules,
): boolean {
  const mayKnow = reported !== null || changes.some(mayHaveArrived)
  return !isTarget && mayKnow && up && !keepsOpen && endsCheck(changes)
}

/** Whether the change, or one that it replaces, may have arrived. */
export function mayHaveArrived({ attempts, missed }: Change): boolean {
  return attempts > 0 || missed
}

function endsCheck(changes: readonly Change[]): boolean {
  return changes.findLast(({ again }) => again === null)?.status === 'deleted'
}

/**
 * Whether the end may have arrived, because it was tried. If the check is down, nothing counts as reported then, and the down alert is
 * sent again; otherwise it is dropped if this incident was reported.
 */
export function mayHaveEnded(changes: readonly Change[]): boolean {
  return changes.some(({ status, attempts }) => status === 'deleted' && attempts > 0)
}

/** The change that replaces `changes`, with the ID of the newest. If that sends once more what was reported, so does this one. */
export function renewedChange(
  changes: readonly Change[],
  { status, flipId, at, isReported }: LastChange,
  now: number,
): Change {
  const newest = changes.at(-1)!
  return {
    id: newest.id,
    status,
    flipId,
    at,
    attempts: 0,
    charged: 0,
    heldBy: null,
    delayed: false,
    superseded: 0,
    missed: changes.some(mayHaveArrived),
    createdAt: now,
    again: isReported ? newest.again : null,
  }
}
