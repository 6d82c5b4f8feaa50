import { flipShape, LISTED_STATUSES } from '../core/wire/flip.js'
import { toJson } from '../core/wire/json.js'
import type { Db } from './db.js'
import { type CheckRef, findCheck } from './find-check.js'
import { jsonBytes } from './json-bytes.js'

/** Which flips are listed: made at `from` or later, and before `until` (ms); null for no bound. */
export interface FlipRange {
  from: number | null
  until: number | null
}

/**
 * A check's changes to up and down as a JSON array, newest first; `wrapped` in `{"flips": [...]}`. `Refusal` as
 * {@link findCheck}.
 */
export async function showFlips(
  db: Db,
  projectId: number,
  ref: CheckRef,
  range: FlipRange,
  wrapped: boolean,
): Promise<Uint8Array> {
  const check = await findCheck(db, projectId, ref)
  let query = db.sql
    .selectFrom('flips')
    .select(['created_at as createdAt', 'new_status as newStatus'])
    .where('check_id', '=', check.id)
    .where('new_status', 'in', LISTED_STATUSES)
  if (range.from !== null) query = query.where('created_at', '>=', range.from)
  if (range.until !== null) query = query.where('created_at', '<', range.until)
  const rows = await query.orderBy('id', 'desc').execute()
  const texts = rows.map(({ createdAt, newStatus }) =>
    toJson(flipShape({ createdAt, newStatus: newStatus as 'up' | 'down' })),
  )
  return wrapped ? jsonBytes('{"flips": [', texts, ']}') : jsonBytes('[', texts, ']')
}
