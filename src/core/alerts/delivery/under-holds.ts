/** What holds make of a change that is due. Pure. Decision 0115. */
import type { Change } from './change.js'
import { type CheckHold, type CheckHoldReason, RECHECK_MS } from './hold.js'
import type { Due, Reported } from './reconcile.js'

/** What decides: the check's waiting changes, what was reported, and the holds. See `WaitingCheck`. */
export interface Holdable {
  changes: readonly Change[]
  reported: Reported
  holds: readonly CheckHold[]
}

/**
 * `hold`: keep it, with these counts. `drop`: the incident is over and was only ever held. What was reported, or may
 * have arrived, is closed at once.
 */
export function underHolds(
  { changes, reported, holds }: Holdable,
  due: Due,
): { action: 'send' | 'drop' } | { action: 'hold'; due: Due } {
  const isHeld = holds.length > 0
  const mayHaveArrived = changes.some(({ attempts, missed }) => attempts > 0 || missed)
  if (due.reports === 'down') {
    return isHeld ? { action: 'hold', due: { ...due, missed: mayHaveArrived } } : { action: 'send' }
  }
  if (reported !== null || mayHaveArrived) return { action: 'send' }
  if (due.delayed) return isHeld ? { action: 'hold', due } : { action: 'send' }
  return { action: isHeld ? 'drop' : 'send' }
}

/**
 * The changes, with those marked as held that nobody planned while a hold was active: a check that went down and came
 * up again in it. `heldAt`: what held the check at an instant (ms); null: nothing.
 */
export function markUnplanned(
  changes: readonly Change[],
  heldAt: (at: number) => CheckHoldReason | null,
): readonly Change[] {
  return changes.map((change, index) => {
    const next = changes[index + 1]
    if (!next || !isUnplannedDown(change)) return change
    const heldBy = heldAt(change.at)
    return heldBy !== null && heldAt(next.at) !== null ? { ...change, heldBy } : change
  })
}

/** The down alerts among changes, oldest first, that were replaced before anybody planned them. */
export function unplannedDowns(changes: readonly Change[]): Change[] {
  return changes.slice(0, -1).filter(isUnplannedDown)
}

function isUnplannedDown({ status, heldBy, attempts, again }: Change): boolean {
  return status === 'down' && heldBy === null && attempts === 0 && again === null
}

/** When to plan a held change again (ms): when the last hold is known to end, but soon enough if one ends unnoticed. */
export function holdUntil(holds: readonly CheckHold[], now: number): number {
  return Math.min(Math.max(...holds.map(({ until }) => until)), now + RECHECK_MS)
}
