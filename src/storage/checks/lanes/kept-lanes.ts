/** The runs that were read for lanes. What a check did in a time that is over does not change, however often it pings later. */
import type { Span } from '../../../core/time/spans.js'
import type { Db } from '../../db.js'
import type { KeptLane } from '../../kept.js'
import { storedCounts } from '../../pings/stored-counts.js'
import type { Numbers } from './pings-between.js'

const keyOf = (id: number, { from, to }: Span) => `${id} ${from} ${to}`

/** Keeps what was read for `range`. */
export async function keepLanes(
  db: Db,
  lanes: readonly Omit<KeptLane, 'stored'>[],
  range: Span,
): Promise<void> {
  if (!db.kept) return
  const stored = await storedCounts(db, lanes.map(partOf))
  for (const lane of lanes) {
    db.kept.lanes.put(keyOf(lane.id, range), { ...lane, stored: stored.get(lane.id) ?? 0 })
  }
}

/** What is kept for `range` and is still true, by the ID of the check. The `from` and `to` of `logs` are those of all stored pings. */
export async function keptLanes(
  db: Db,
  logs: readonly (Numbers & { each: boolean })[],
  range: Span,
): Promise<Map<number, KeptLane>> {
  const lanes = new Map<number, KeptLane>()
  for (const log of logs) {
    const lane = db.kept?.lanes.get(keyOf(log.id, range))
    if (!lane || lane.each !== log.each || lane.first < log.from) continue
    // A ping after the range ends it for good; without one, new pings may be in it.
    if (lane.to < lane.end || log.to === lane.end) lanes.set(log.id, lane)
  }
  for (const [id, stored] of await storedCounts(db, [...lanes.values()].map(partOf))) {
    if (stored !== lanes.get(id)!.stored) lanes.delete(id)
  }
  return lanes
}

function partOf({ id, first, to }: Omit<KeptLane, 'stored'>) {
  return { id, after: first - 1, last: to - 1 }
}
