import { sql } from 'kysely'
import type { StoredStatus } from '../../../core/checks/check.js'
import type { Flip, FlipReason } from '../../../core/checks/flip.js'

/** The columns of a flip that {@link toFlip} reads. */
export const FLIP_COLUMNS = ['created_at as createdAt', 'old_status', 'new_status', 'reason'] as const

/** The flip in a row. */
export function toFlip(row: {
  createdAt: number
  old_status: string
  new_status: string
  reason: string
}): Flip {
  return {
    createdAt: row.createdAt,
    oldStatus: row.old_status as StoredStatus,
    newStatus: row.new_status as StoredStatus,
    reason: row.reason as FlipReason,
  }
}

/** That a flip is one of silence, in the words of the index for those. */
export function isSilentFlip() {
  return sql<boolean>`reason IN ('missed', 'overrun')`
}
