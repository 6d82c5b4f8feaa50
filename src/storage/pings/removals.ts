/** Objects to be deleted from object storage. A row stays until the storage has confirmed the deletion. */

import { sql } from 'kysely'
import { bodyKey } from '../../core/pings/body-key.js'
import { type Claim, claimDue } from '../claims.js'
import type { Db } from '../db.js'
import { gatheredFirstWhere, isAmong } from '../gathered.js'
import { write } from '../method.js'

export interface ClaimedRemoval {
  id: number
  key: string
}

/** While this row is in `meta`, object storage may contain bodies. */
const MARK = 'objects'

/** Records that object storage is in use, so that deleting pings also removes their objects. */
export const noteObjectStorage = write(async (db: Db): Promise<void> => {
  await db.sql
    .insertInto('meta')
    .values({ key: MARK, value: '' })
    .onConflict(oc => oc.column('key').doNothing())
    .execute()
})

/** A query for the IDs of pings. */
type PingIds = ReturnType<typeof pingIds>

/** The pings of these checks. */
export function pingsOf(db: Db, checkIds: readonly number[]) {
  return pingIds(db).where('check_id', 'in', checkIds)
}

function pingIds(db: Db) {
  return db.sql.selectFrom('pings').select('pings.id')
}

/** Deletes pings of some checks, and queues the removal of their bodies in object storage. Returns the number of pings. */
export async function deletePings(
  db: Db,
  checkIds: readonly number[],
  ids: PingIds | { compile: PingIds['compile'] },
): Promise<number> {
  const removed = () => ({
    checks: sql`id ${isAmong(checkIds)}`,
    pings: sql`check_id ${isAmong(checkIds)} AND object_size > 0 AND EXISTS (SELECT 1 FROM meta WHERE key = ${MARK})`,
  })
  // Without the mark no ping is read: PostgreSQL checks it once and first, SQLite follows the order of the tables.
  await sql`
    ${gatheredFirstWhere(db, removed)}
    INSERT INTO removals (check_uuid, n, due_at)
    SELECT c.uuid, p.n, 0 FROM meta m CROSS JOIN pings p CROSS JOIN checks c
     WHERE m.key = ${MARK} AND EXISTS (SELECT 1 FROM meta WHERE key = ${MARK})
       AND p.id IN (${ids as PingIds}) AND p.object_size > 0 AND c.id = p.check_id`.execute(db.sql)
  const deleted = await db.sql
    .deleteFrom('pings')
    .where('id', 'in', ids as PingIds)
    .$if(db.dialect.isDistributed, query => query.where('check_id', 'in', checkIds))
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Claims up to `limit` due removals until `leaseUntil`. */
export const claimRemovals = write(async (db: Db, claim: Claim): Promise<ClaimedRemoval[]> => {
  const won = await claimDue(db, 'removals', claim)
  return won.map(row => ({ id: row.id, key: bodyKey(row.check_uuid, row.n) }))
})

/** Deletes finished removals. */
export const settleRemovals = write(async (db: Db, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await db.sql.deleteFrom('removals').where('id', 'in', ids).execute()
})

/** Releases failed removals, to be retried at `dueAt`. */
export const postponeRemovals = write(
  async (db: Db, ids: readonly number[], dueAt: number): Promise<void> => {
    if (ids.length === 0) return
    await db.sql.updateTable('removals').set({ due_at: dueAt }).where('id', 'in', ids).execute()
  },
)
