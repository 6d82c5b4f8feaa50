import type { Held, HoldableCheck } from '../alerts/holds/held.js'
import type { Db } from '../db.js'

/** The silences that hold down alerts of these checks for a channel now, by the checks' IDs. */
export async function silenceHolds(
  _db: Db,
  _channelId: number,
  _checks: readonly HoldableCheck[],
  _now: number,
): Promise<(Held & { checkId: number })[]> {
  return []
}
