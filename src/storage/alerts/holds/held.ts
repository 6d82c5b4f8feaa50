/** What may hold alerts, and what does. Decision 0115. */
import { sql } from 'kysely'
import type { CheckHold, CheckHoldReason } from '../../../core/alerts/delivery/hold.js'
import { TRY_FOR_MS } from '../../../core/alerts/delivery/retry.js'

/** What may hold the down alerts of a check. It is read with the waiting rows, so that nothing else is read if there is nothing. */
export interface MayBeHeld {
  /** Null for a check that was deleted. */
  projectId: number | null
  /** Whether the project has a silence that is not over, or only for a short time. */
  silences: boolean
  /** Whether the check depends on others. */
  parents: boolean
}

/** A check with changes that may be held for a channel. */
export interface HoldableCheck {
  checkId: number
  projectId: number
  /** When it last went down (ms), the later of the flip's time and the time at which that was stored; 0: long ago. */
  downAt: number
  /** When it went down (ms) before, if it was up again before anybody planned that. */
  unplannedDowns?: readonly number[]
}

/** The holds of a check for a channel. */
export interface Held {
  /** Those that are active now. */
  holds: readonly CheckHold[]
  /** What held the check at an instant (ms) of a change that was not planned then; null: nothing. */
  heldAt(at: number): CheckHoldReason | null
}

export const NOT_HELD: Held = { holds: [], heldAt: () => null }

/**
 * How long (ms) a silence that is over matters: an incident that it held from beginning to end may be planned after
 * it, as long as what is no longer true is sent at all.
 */
export const SILENCE_MATTERS_MS = TRY_FOR_MS

/** Whether a project has a silence that may hold something: 1 or 0. `projectId` names a column. */
export function hasSilences(projectId: string, now: number) {
  return sql<number>`CASE WHEN EXISTS (
    SELECT 1 FROM silences s WHERE s.project_id = ${sql.ref(projectId)}
      AND (s.over_at IS NULL OR s.over_at + ${SILENCE_MATTERS_MS} > ${now})
  ) THEN 1 ELSE 0 END`
}

/** Whether a check depends on others: 1 or 0. `checkId` names a column. */
export function hasParents(checkId: string) {
  return sql<number>`CASE WHEN EXISTS (
    SELECT 1 FROM check_parents cp WHERE cp.check_id = ${sql.ref(checkId)}
  ) THEN 1 ELSE 0 END`
}
