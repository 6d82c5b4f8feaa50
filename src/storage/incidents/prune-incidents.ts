import type { Db } from '../db.js'
import { skippingLocked } from '../locks.js'
import { write } from '../method.js'

/** The maximum number of incidents that one call deletes, so that pings need not wait for the write. */
const SLICE = 100

/**
 * Deletes some of the incidents that closed before an instant (ms), with their events and the messages that are only
 * kept for them. Returns whether there may be more.
 */
export const prune = write(async (db: Db, before: number): Promise<boolean> => {
  const old = db.sql
    .selectFrom('incidents')
    .select('id')
    .where('closed_at', '<', before)
    .orderBy('closed_at')
    .limit(SLICE)
  const ids = (await skippingLocked(db, old).execute()).map(({ id }) => id)
  if (ids.length === 0) return false
  await db.sql.deleteFrom('notifications').where('incident_id', 'in', ids).where('kept', '=', 1).execute()
  // Logs still show these. On SQLite the ID may be given to another incident.
  for (const table of ['notifications', 'deliveries'] as const)
    await db.sql.updateTable(table).set({ incident_id: null }).where('incident_id', 'in', ids).execute()
  await db.sql.deleteFrom('incidents').where('id', 'in', ids).execute()
  return ids.length === SLICE
})
