import type { Db } from '../db.js'
import { prepared } from '../prepared.js'

/** The newest `limit` pings of all checks, the newest first. */
export async function newestPings(db: Db, limit: number): Promise<{ checkId: number; at: number }[]> {
  return await newest.all(db, { limit })
}

const newest = prepared((sql, value: { limit: number }) =>
  sql
    .selectFrom('pings')
    .select(['check_id as checkId', 'created_at as at'])
    .orderBy('id', 'desc')
    .limit(value.limit),
)
