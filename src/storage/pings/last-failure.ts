import type { Db } from '../db.js'
import { readWithoutSnapshot } from '../method.js'

/** The number of the latest failure in the log of a check; null if there is none. */
export const lastFailure = readWithoutSnapshot(async (db: Db, checkId: number): Promise<number | null> => {
  const row = await db.sql
    .selectFrom('pings')
    .select('n')
    .where('check_id', '=', checkId)
    .where('kind', '=', 'fail')
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.n ?? null
})
