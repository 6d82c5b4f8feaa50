import { flipJson, LISTED_STATUSES } from '../../core/wire/flip.js'
import type { ApiVersion } from '../../core/wire/version.js'
import type { Db } from '../db.js'
import { JsonBytes } from '../json-bytes.js'
import { readWithoutSnapshot } from '../method.js'
import { prepared } from '../prepared.js'
import { type CheckRef, findCheck } from './find-check.js'
import { wrapsFlips } from './wrap-flips.js'

/** Which flips are listed: made at `from` or later, and before `until` (ms); null for no bound. */
export interface FlipRange {
  from: number | null
  until: number | null
}

/** Who the list is for: versions below 3 get it wrapped in `{"flips": [...]}`, version 3 where that is set. */
export interface FlipReader {
  version: ApiVersion
  /** For projects that do not say. */
  wrapByDefault: boolean
}

/** A check's changes to up and down as JSON, newest first. `Refusal` as {@link findCheck}. */
export const showFlips = readWithoutSnapshot(
  async (
    db: Db,
    projectId: number,
    ref: CheckRef,
    range: FlipRange,
    reader: FlipReader,
  ): Promise<Uint8Array> => {
    const check = await findCheck(db, projectId, ref)
    const rows = (await listed.arrays(db, {
      checkId: check.id,
      from: range.from ?? 0,
      until: range.until ?? Number.MAX_SAFE_INTEGER,
    })) as [number, 'up' | 'down'][]
    const wrapped = reader.version < 3 || ((await wrapsFlips(db, projectId)) ?? reader.wrapByDefault)
    const list = new JsonBytes(wrapped ? '{"flips": [' : '[')
    for (const [createdAt, newStatus] of rows) list.add(flipJson(createdAt, newStatus))
    return list.end(wrapped ? ']}' : ']')
  },
)

const listed = prepared((sql, value: { checkId: number; from: number; until: number }) =>
  sql
    .selectFrom('flips')
    .select(['created_at', 'new_status'])
    .where('check_id', '=', value.checkId)
    .where('new_status', 'in', LISTED_STATUSES)
    .where('created_at', '>=', value.from)
    .where('created_at', '<', value.until)
    .orderBy('id', 'desc'),
)
