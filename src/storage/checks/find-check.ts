import { sentDescription } from '../../core/alerts/sent-description.js'
import { Refusal } from '../../core/errors.js'
import type { Db } from '../db.js'
import { readWithoutSnapshot } from '../method.js'
import { prepared } from '../prepared.js'
import { type CheckWithIds, selectChecks, selectChecksToSend, toCheck } from './rows/check-rows.js'
import { idOfNamed } from './rows/name-directory.js'

/** The identifier of a check in a request. */
export type CheckRef = { uuid: string } | { uniqueKey: string }

/**
 * A check of the project. Throws a `Refusal`: `not-found` if there is no such check, `forbidden` if the UUID belongs
 * to another project's check. A unique key of another project's check is not found.
 */
export async function findCheck(db: Db, projectId: number, ref: CheckRef): Promise<CheckWithIds> {
  const [row] = await rowsOf(db, projectId, ref)
  return checkOfProject(projectId, row)
}

async function rowsOf(db: Db, projectId: number, ref: CheckRef): Promise<unknown[][]> {
  if (!db.dialect.isDistributed) {
    if ('uuid' in ref) return await byUuid.arrays(db, ref)
    return await byUniqueKey.arrays(db, { uniqueKey: ref.uniqueKey, projectId })
  }
  const id =
    'uuid' in ref ? await idOfNamed(db, 'uuid', ref.uuid) : await idOfNamed(db, 'unique_key', ref.uniqueKey)
  if (id === undefined) return []
  return 'uuid' in ref ? await anyById.arrays(db, { id }) : await byIdIn.arrays(db, { id, projectId })
}

/** The check of a row. Throws a `Refusal` as {@link findCheck}. */
export function checkOfProject(projectId: number, row: readonly unknown[] | undefined): CheckWithIds {
  if (!row) throw new Refusal('not-found', 'check not found')
  const check = toCheck(row)
  if (check.projectId !== projectId) throw new Refusal('forbidden', 'the check belongs to another project')
  return check
}

/** The check with this ID as messages need it, with a long description cut; null if there is none. */
export async function findCheckToSend(db: Db, id: number): Promise<CheckWithIds | null> {
  const [row] = await byId.arrays(db, { id })
  if (!row) return null
  const check = toCheck(row)
  return { ...check, desc: sentDescription(check.desc) }
}

const byId = prepared((sql, value: { id: number }) => selectChecksToSend(sql).where('c.id', '=', value.id))

const anyById = prepared((sql, value: { id: number }) => selectChecks(sql).where('c.id', '=', value.id))

const byIdIn = prepared((sql, value: { id: number; projectId: number }) =>
  selectChecks(sql).where('c.id', '=', value.id).where('c.project_id', '=', value.projectId),
)

const byUuid = prepared((sql, value: { uuid: string }) => selectChecks(sql).where('c.uuid', '=', value.uuid))

const byUniqueKey = prepared((sql, value: { uniqueKey: string; projectId: number }) =>
  selectChecks(sql).where('d.unique_key', '=', value.uniqueKey).where('c.project_id', '=', value.projectId),
)

/** The UUID of the check with this unique key, in any project; null if there is none. */
export const uuidOfKey = readWithoutSnapshot(async (db: Db, uniqueKey: string): Promise<string | null> => {
  const row = await db.sql
    .selectFrom('check_details as d')
    .innerJoin('checks as c', 'c.id', 'd.check_id')
    .select('c.uuid')
    .where('d.unique_key', '=', uniqueKey)
    .executeTakeFirst()
  return row?.uuid ?? null
})
