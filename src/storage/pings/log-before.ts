import { sql } from 'kysely'
import type { Db } from '../db.js'

/** The log of pings from before it was distributed, until all of it has been moved; see postgres/citus/move-log.ts. */
export const LOG_BEFORE = 'pings_before_distribution'

/** Whether the log misses old pings, because they are still being moved. */
export async function isLogMoving({ sql: db, dialect }: Pick<Db, 'sql' | 'dialect'>): Promise<boolean> {
  if (!dialect.isDistributed) return false
  const { rows } = await sql<{
    name: string | null
  }>`SELECT to_regclass(${LOG_BEFORE})::text AS name`.execute(db)
  return rows[0]!.name !== null
}
