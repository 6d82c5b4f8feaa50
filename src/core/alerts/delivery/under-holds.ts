/** What holds make of a change that is due. Pure. Decision 0115. */
import type { Change } from './change.js'
import { type CheckHold, RECHECK_MS } from './hold.js'
import type { Due, Reported } from './reconcile.js'

/** What decides: the check's waiting changes, what was reported, and the holds. See `WaitingCheck`. */
export interface Holdable {
  changes: readonly Change[]
  reported: Reported
  holds: readonly CheckHold[]
  wasHeld: boolean
}

/**
 * `hold`: keep it, with these counts. `drop`: the incident is over and was only ever held. What was reported, or may
 * have arrived, is closed at once.
 */
export function underHolds(
  { changes, reported, holds, wasHeld }: Holdable,
  due: Due,
): { action: 'send' | 'drop' } | { action: 'hold'; due: Due } {
  const isHeld = holds.length > 0
  const mayHaveArrived = changes.some(({ attempts, missed }) => attempts > 0 || missed)
  if (due.reports === 'down') {
    return isHeld ? { action: 'hold', due: { ...due, missed: mayHaveArrived } } : { action: 'send' }
  }
  if (reported !== null || mayHaveArrived) return { action: 'send' }
  if (due.delayed) return isHeld ? { action: 'hold', due } : { action: 'send' }
  return { action: isHeld || wasHeld ? 'drop' : 'send' }
}

/** When to plan a held change again (ms): when the last hold is known to end, but soon enough if one ends unnoticed. */
export function holdUntil(holds: readonly CheckHold[], now: number): number {
  return Math.min(Math.max(...holds.map(({ until }) => until)), now + RECHECK_MS)
}
