import type { Db } from '../db.js'
import { prepared } from '../prepared.js'

/** The newest `limit` pings of all checks, the newest first; without those of a server that is away. */
export async function newestPings(db: Db, limit: number): Promise<{ checkId: number; at: number }[]> {
  return (await db.dialect.newestPings?.(limit)) ?? (await newest.all(db, { limit }))
}

const newest = prepared((sql, value: { limit: number }) =>
  sql
    .selectFrom('pings')
    .select(['check_id as checkId', 'created_at as at'])
    .orderBy('id', 'desc')
    .limit(value.limit),
)
