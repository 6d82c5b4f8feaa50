/** Which channels were sent an open incident, or have a delivery of it that waits. */
import { sql } from 'kysely'
import type { Db } from '../../db.js'

/** The IDs of those channels, by the incident's ID. */
export async function alertedBy(db: Db, incidentIds: readonly number[]): Promise<Map<number, Set<number>>> {
  const { rows } = await sql<{ id: number; channel_id: number }>`
    SELECT i.id, t.channel_id FROM incidents i
    JOIN (
      SELECT check_id, channel_id, flip_id FROM deliveries
      UNION ALL SELECT check_id, channel_id, flip_id FROM reported
    ) t ON t.check_id = i.check_id AND t.flip_id = i.flip_id
    WHERE i.id IN (${sql.join(incidentIds)})`.execute(db.sql)
  const alerted = new Map<number, Set<number>>(incidentIds.map(id => [id, new Set()]))
  for (const { id, channel_id } of rows) {
    alerted.get(id)!.add(channel_id)
  }
  return alerted
}
