import type { Db } from '../db.js'
import { write } from '../method.js'

/** How many are deleted at once. */
const SLICE = 500

/** Deletes events from before `before` (ms), the oldest first and some at a time. Returns whether there may be more. */
export const prune = write(async (db: Db, before: number): Promise<boolean> => {
  const oldest = await db.sql
    .selectFrom('events')
    .select(['id', 'created_at as at'])
    .orderBy('id')
    .limit(SLICE)
    .execute()
  const ids = oldest.flatMap(({ id, at }) => (at < before ? [id] : []))
  if (ids.length > 0) await db.sql.deleteFrom('events').where('id', 'in', ids).execute()
  return ids.length === SLICE
})
