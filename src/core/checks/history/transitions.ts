/** Changes of status by people: pausing and resuming. */
import type { State } from '../check.js'
import type { Flip } from '../flip.js'

/** The check after a pause at `now`, without a run under way. Pausing a paused check makes no flip. */
export function pause<T extends State>(before: T, now: number): { check: T; flip: Flip | null } {
  const check = { ...before, lastStart: null, dueAt: null, alertAfter: null, tracking: null }
  if (before.status === 'paused') return { check, flip: null }
  return {
    check: { ...check, status: 'paused', statusSince: now },
    flip: { createdAt: now, oldStatus: before.status, newStatus: 'paused', reason: '' },
  }
}

/** The check after it is resumed at `now`: new, as if it had never been pinged. Null if it is not paused. */
export function resume<T extends State>(before: T, now: number): { check: T; flip: Flip } | null {
  if (before.status !== 'paused') return null
  const check: T = {
    ...before,
    status: 'new',
    statusSince: now,
    lastStart: null,
    lastPing: null,
    dueAt: null,
    alertAfter: null,
    tracking: null,
  }
  return { check, flip: { createdAt: now, oldStatus: 'paused', newStatus: 'new', reason: '' } }
}
