import { Refusal } from '../core/errors.js'
import { type CheckWithIds, selectChecks, toCheck } from './check-rows.js'
import type { Db } from './db.js'

/** What names a check in a request. */
export type CheckRef = { uuid: string } | { uniqueKey: string }

/**
 * A check of the project. `Refusal`: `not-found` when there is none of that name, `forbidden` when the UUID is
 * that of another project's check. A unique key of another project's is not found.
 */
export async function findCheck(db: Db, projectId: number, ref: CheckRef): Promise<CheckWithIds> {
  const query = selectChecks(db)
  const row = await ('uuid' in ref
    ? query.where('c.uuid', '=', ref.uuid)
    : query.where('d.unique_key', '=', ref.uniqueKey).where('c.project_id', '=', projectId)
  ).executeTakeFirst()
  if (!row) throw new Refusal('not-found', 'check not found')
  if (row.projectId !== projectId) throw new Refusal('forbidden', 'the check belongs to another project')
  return toCheck(row)
}
