import type { Db } from '../db.js'
import { write } from '../method.js'

/** How many are deleted at once. */
const SLICE = 500

/** Deletes silences that were over before `before` (ms), some at a time. Returns whether there may be more. */
export const prune = write(async (db: Db, before: number): Promise<boolean> => {
  const old = await db.sql
    .selectFrom('silences')
    .select('id')
    .where('over_at', '<', before)
    .orderBy('over_at')
    .limit(SLICE)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await db.sql.deleteFrom('silences').where('id', 'in', ids).execute()
  return ids.length === SLICE
})
