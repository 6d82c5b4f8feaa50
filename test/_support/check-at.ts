/** A check and its pings at one instant, for tests of the state machine. Source: docs/behaviour.md, sections 2.3 to 2.7. */
import { NEW_STATE, type Pinged, type StoredStatus } from '../../src/core/checks/check.js'
import { DEFAULT_SETTINGS } from '../../src/core/checks/check-fields.js'
import type { Flip } from '../../src/core/checks/flip.js'
import { withDeadlines } from '../../src/core/checks/health/settle.js'
import { applyPing } from '../../src/core/pings/ping.js'
import type { Action } from '../../src/core/pings/ping-event.js'

export const MIN = 60_000
export const HOUR = 60 * MIN
export const DAY = 24 * HOUR
export const T = Date.UTC(2026, 0, 15, 12)
export const GRACE = HOUR

/** A check with a period of a day, last pinged an hour before T unless it is new. */
export function checkAt(status: StoredStatus, over: Partial<Pinged> = {}): Pinged {
  return withDeadlines({
    ...NEW_STATE,
    status,
    statusSince: T - 10 * DAY,
    nPings: 7,
    lastPing: status === 'new' ? null : T - HOUR,
    ...DEFAULT_SETTINGS,
    ...over,
  })
}

/** The check after a ping at T, and the effect of the ping. */
export function pinged(before: Pinged, action: Action, rid: string | null = null) {
  const ping = { action, rid, arrivedAt: T, durationMs: null }
  const { state, flips, ...effect } = applyPing(before, before, ping, null)
  return { check: { ...before, ...state }, flip: flips[0] ?? null, ...effect }
}

/** A flip as text, such as `up→down (failed)`. */
export const flipText = (flip: Flip | null) =>
  flip && `${flip.oldStatus}→${flip.newStatus}${flip.reason && ` (${flip.reason})`}`
