import { FLAPPING_CHANGES } from '../../../core/alerts/delivery/flapping.js'
import type { StoredStatus } from '../../../core/checks/check.js'
import { type FlipReason, isAlerting } from '../../../core/checks/flip.js'
import type { Db } from '../../db.js'
import { prepared } from '../../prepared.js'

export interface RecentFlip {
  id: number
  created_at: number
  old_status: StoredStatus
  new_status: StoredStatus
  reason: FlipReason
}

/**
 * A flip and those before it, newest first, as many as are needed to tell whether the check is
 * flapping; some may not be alerted.
 */
export async function recentFlips(db: Db, checkId: number, flipId: number): Promise<RecentFlip[]> {
  return (await until.all(db, { checkId, flipId })) as RecentFlip[]
}

/** The instants of the flips that are alerted, newest first. */
export function changeInstants(flips: readonly RecentFlip[]): number[] {
  return flips
    .filter(flip => isAlerting({ oldStatus: flip.old_status, newStatus: flip.new_status }))
    .map(flip => flip.created_at)
}

const until = prepared((sql, value: { checkId: number; flipId: number }) =>
  sql
    .selectFrom('flips')
    .select(['id', 'created_at', 'old_status', 'new_status', 'reason'])
    .where('check_id', '=', value.checkId)
    .where('id', '<=', value.flipId)
    .orderBy('id', 'desc')
    .limit(2 * FLAPPING_CHANGES),
)
