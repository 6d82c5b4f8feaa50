/** What holds make of a change that is due. Pure. Decision 0115. */
import type { Change } from './change.js'
import { type CheckHold, RECHECK_MS } from './hold.js'
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
 * The changes, with those marked as held that nobody planned while a silence was active: a check that went down and came
 * up again in it. `activeAt`: whether a silence was active then.
 */
export function markUnplanned(
  changes: readonly Change[],
  activeAt: (at: number) => boolean,
): readonly Change[] {
  return changes.map((change, index) => {
    const next = changes[index + 1]
    const isUnplanned = change.heldBy === null && change.attempts === 0 && change.again === null
    if (!next || !isUnplanned || change.status !== 'down') return change
    return activeAt(change.at) && activeAt(next.at) ? { ...change, heldBy: 'silence' } : change
  })
}

/** When to plan a held change again (ms): when the last hold is known to end, but soon enough if one ends unnoticed. */
export function holdUntil(holds: readonly CheckHold[], now: number): number {
  return Math.min(Math.max(...holds.map(({ until }) => until)), now + RECHECK_MS)
}
