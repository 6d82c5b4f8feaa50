import type { Db } from '../db.js'
import { read } from '../method.js'

/** The ID of a check's open incident, or null. */
export const openIncident = read(async (db: Db, checkId: number): Promise<number | null> => {
  const row = await db.sql
    .selectFrom('incidents')
    .select('id')
    .where('check_id', '=', checkId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
})
