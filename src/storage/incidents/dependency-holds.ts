import type { Held, HoldableCheck } from '../alerts/holds/held.js'
import type { Db } from '../db.js'

/** The dependencies that hold down alerts of these checks now, by the checks' IDs. */
export async function dependencyHolds(
  _db: Db,
  _checks: readonly HoldableCheck[],
  _now: number,
): Promise<(Held & { checkId: number })[]> {
  return []
}
