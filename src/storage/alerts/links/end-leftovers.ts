import type { Db } from '../../db.js'
import type { WaitingRow } from '../waiting/waiting-row.js'
import { endTargets } from './end-targets.js'

/**
 * Ends checks that are not linked to a channel any more where something of them may have arrived: a follow-up that is to do so has not
 * come to them yet, and with what is due of them, its drop would forget that their incidents may be open there. `checks`: the rows of each
 * that wait for the channel, which is locked. Returns whether there were any, so that other rows wait now.
 */
export async function endLeftovers(
  db: Db,
  channelId: number,
  checks: readonly (readonly WaitingRow[])[],
  now: number,
): Promise<boolean> {
  const left = checks.filter(
    rows => !rows.at(-1)!.isTarget && rows.every(({ closing }) => closing === null) && mayKnow(rows),
  )
  if (left.length === 0) return false
  const checkIds = left.map(([row]) => row!.checkId!)
  await endTargets(db, { channelId, checkIds }, 'unlinked', now)
  return true
}

/** Whether something about a check may have arrived. */
function mayKnow(rows: readonly WaitingRow[]): boolean {
  return rows.some(
    ({ attempts, abandoned, reported, change }) =>
      attempts > 0 || abandoned || reported !== null || change?.missed === true,
  )
}
