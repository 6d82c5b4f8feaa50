import type { Flip } from '../../core/checks/flip.js'
import { flipJson, LISTED_STATUSES } from '../../core/wire/flip.js'
import type { ApiVersion } from '../../core/wire/version.js'
import type { Db } from '../db.js'
import { JsonBytes } from '../json-bytes.js'
import { read, readWithoutSnapshot, write } from '../method.js'
import { prepared } from '../prepared.js'
import { recordProject } from '../projects/record-members.js'
import { type CheckRef, findCheck } from './find-check.js'
import { FLIP_COLUMNS, toFlip } from './history/flip-rows.js'

/** The range of listed flips: created at `from` or later, and before `until` (ms); null: no bound. */
export interface FlipRange {
  from: number | null
  until: number | null
}

/** The reader of the list: versions below 3 get it wrapped in `{"flips": [...]}`, version 3 if the project says so. */
export interface FlipReader {
  version: ApiVersion
  /** For projects without a setting of their own. */
  wrapByDefault: boolean
}

/** A check's flips to up and down as JSON, newest first. Throws a `Refusal` as {@link findCheck}. */
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

/** A flip in the list of Punctual's own API. */
export interface ListedFlip extends Flip {
  id: number
}

/** A check's flips in a range below the ID `before` (null: all), newest first; one more than `limit`, if there are so many. */
export const listFlips = read(
  async (
    db: Db,
    projectId: number,
    ref: CheckRef,
    { from, until }: FlipRange,
    { before, limit }: { before: number | null; limit: number },
  ): Promise<ListedFlip[]> => {
    const check = await findCheck(db, projectId, ref)
    let query = db.sql
      .selectFrom('flips')
      .select(['id', 'since_at', ...FLIP_COLUMNS])
      .where('check_id', '=', check.id)
    if (before !== null) query = query.where('id', '<', before)
    if (from !== null) query = query.where('created_at', '>=', from)
    if (until !== null) query = query.where('created_at', '<', until)
    const rows = await query
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute()
    return rows.map(row => {
      const flip = { id: row.id, ...toFlip(row) }
      return row.since_at === null ? flip : { ...flip, since: row.since_at }
    })
  },
)

/** Whether version 3 of the API wraps a project's flips in an object; null where the project leaves it to WRAP_FLIPS. */
export const wrapsFlips = read(async (db: Db, projectId: number): Promise<boolean | null> => {
  const [row] = await byProject.all(db, { projectId })
  return row?.wrap_flips == null ? null : row.wrap_flips === 1
})

const byProject = prepared((sql, value: { projectId: number }) =>
  sql.selectFrom('projects').select('wrap_flips').where('id', '=', value.projectId),
)

/** Sets what {@link wrapsFlips} returns. */
export const setWrapFlips = write(
  async (db: Db, projectId: number, wrap: boolean | null, now: number): Promise<void> => {
    const before = { wrap_flips: await wrapsFlips(db, projectId) }
    await db.sql
      .updateTable('projects')
      .set({ wrap_flips: wrap === null ? null : wrap ? 1 : 0 })
      .where('id', '=', projectId)
      .execute()
    await recordProject(db, projectId, { before, after: { wrap_flips: wrap } }, now)
  },
)
