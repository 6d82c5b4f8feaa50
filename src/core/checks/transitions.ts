/** The changes of status that no ping makes: silence, a pause, its end. */
import type { State, Timing } from './check.js'
import type { Flip } from './flip.js'
import { runLimitMs } from './status.js'

/**
 * The check after it went down by silence, and its flip, dated at the deadline that passed (`alertAfter`).
 * The reason tells a missed due time from a run that took too long.
 */
export function goDown<T extends State & Timing>(before: T): { check: T; flip: Flip } {
  const deadline = before.alertAfter!
  const overrun = before.lastStart !== null && before.lastStart + runLimitMs(before) === deadline
  const createdAt = Math.max(deadline, before.lastPing ?? 0)
  return {
    check: { ...before, status: 'down', statusSince: createdAt, dueAt: null, alertAfter: null },
    flip: { createdAt, oldStatus: before.status, newStatus: 'down', reason: overrun ? 'overrun' : 'timeout' },
  }
}

/** The check after a pause at `now`. It ends in paused without a running start; a second pause makes no flip. */
export function pause<T extends State>(before: T, now: number): { check: T; flip: Flip | null } {
  const check = { ...before, lastStart: null, dueAt: null, alertAfter: null }
  if (before.status === 'paused') return { check, flip: null }
  return {
    check: { ...check, status: 'paused', statusSince: now },
    flip: { createdAt: now, oldStatus: before.status, newStatus: 'paused', reason: '' },
  }
}

/** The check after a resume at `now`: new, as if it had never been pinged. Null when it is not paused. */
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
  }
  return { check, flip: { createdAt: now, oldStatus: 'paused', newStatus: 'new', reason: '' } }
}
