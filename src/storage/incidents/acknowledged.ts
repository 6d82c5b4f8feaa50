import { type Acknowledgement, isAcknowledged } from '../../core/incidents/listed-incident.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'

/** The acknowledgements that count at `now` (ms) of the open incidents of these checks (IDs), by check. */
export async function acknowledgedChecks(
  db: Db,
  checkIds: readonly number[],
  now: number,
): Promise<Map<number, Acknowledgement>> {
  const found = new Map<number, Acknowledgement>()
  for (const some of chunks(checkIds, db.dialect.maxParameters - 10)) {
    const rows = await db.sql
      .selectFrom('incidents')
      .select(['check_id', 'ack_at as at', 'ack_by', 'ack_note as note', 'ack_until as until'])
      .where('check_id', 'in', some)
      .where('closed_at', 'is', null)
      .where('ack_at', 'is not', null)
      .execute()
    for (const { check_id, at, ack_by, note, until } of rows) {
      if (isAcknowledged({ at, until }, now)) found.set(check_id!, { by: ack_by ?? '', at: at!, note, until })
    }
  }
  return found
}
