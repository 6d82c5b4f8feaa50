/** Changes that only ask that an open incident is sent once more: the steps and repeats of a policy. Pure. Decision 0115. */
import type { Change, DropReason } from './change.js'
import type { Reported } from './reconcile.js'

/** The changes of one check that wait for a channel, and what decides whether the incident is sent once more. */
export interface Askable {
  changes: readonly Change[]
  reported: Reported
  isDown: boolean
  /** Whether a person has acknowledged the open incident. */
  isAcknowledged: boolean
}

export interface Asked {
  /** The changes that are left to send. */
  changes: readonly Change[]
  dropped: { change: Change; reason: DropReason }[]
  /**
   * Whether what is left waits, because a person has acknowledged the incident. It may have arrived, so it is kept for
   * the recovery, which says both.
   */
  isStopped: boolean
}

/**
 * The steps and repeats that are left to send, beside all other changes. `wantsUp`: whether the channel wants recoveries;
 * `isHeld`: whether a hold is active.
 */
export function withoutNeedlessAgain(
  { changes, ...check }: Askable,
  { wantsUp, isHeld }: { wantsUp: boolean; isHeld: boolean },
): Asked {
  // Nearly always.
  if (changes.every(({ again }) => again === null)) return { changes, dropped: [], isStopped: false }
  const newestChange = changes.findLast(({ again }) => again === null)
  const isOpen = check.isDown && (newestChange?.status ?? 'down') === 'down'
  const isAcknowledged = isOpen && check.isAcknowledged
  const newest = changes.findLast(({ again }) => again !== null)
  const waits = changes.some(({ again, status }) => again === null && status === 'down')
  const kept: Change[] = []
  const dropped: { change: Change; reason: DropReason }[] = []
  for (const change of changes) {
    const reason = change.again === null ? null : whyNotAgain(change)
    if (reason === null) kept.push(change)
    else dropped.push({ change, reason })
  }
  return { changes: kept, dropped, isStopped: isAcknowledged && kept.every(({ again }) => again !== null) }

  function whyNotAgain(change: Change): DropReason | null {
    const knows = check.reported !== null && check.reported.flipId === change.flipId
    // It is the first that the channel learns of the incident, and may have arrived: the channel is owed its end.
    const mayHaveArrived = !knows && change.attempts > 0
    if (mayHaveArrived && (wantsUp || !isAcknowledged)) return null
    if (!isOpen) return 'over'
    if (isAcknowledged) return 'acknowledged'
    if (waits || change !== newest) return 'superseded'
    return knows && isHeld ? 'held' : null
  }
}
