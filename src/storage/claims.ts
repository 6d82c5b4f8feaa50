/** Work that processes share: a row is claimed with a lease, by an update that names the state it expects. */
import { type Selectable, sql } from 'kysely'
import type { Db } from './db.js'
import { skippingLocked } from './locks.js'
import type { Tables } from './tables.js'

/** The rows to claim: up to `limit` that are due at `now`, until `leaseUntil`. */
export interface Claim {
  now: number
  leaseUntil: number
  limit: number
}

/** A condition for rows that are not claimed or whose claim ended before this instant (ms): now, or earlier. */
export function unclaimed(endedBefore: number, table?: string) {
  const until = sql.ref(table === undefined ? 'claimed_until' : `${table}.claimed_until`)
  return sql<boolean>`(${until} IS NULL OR ${until} < ${endedBefore})`
}

/** The names of the workers that hold claims on rows of a table. */
export async function claimantsOf(db: Db, table: 'deliveries' | 'mails'): Promise<string[]> {
  const rows = await db.sql
    .selectFrom(table)
    .select('claimed_by')
    .distinct()
    .where('claimed_by', 'is not', null)
    .execute()
  return rows.map(row => row.claimed_by!)
}

/** Claims for `worker`, until `leaseUntil`, those of the rows that are still unclaimed. Returns their IDs. */
export async function claimRows(
  db: Db,
  table: 'deliveries' | 'mails',
  ids: readonly number[],
  { worker, now, leaseUntil }: Omit<Claim, 'limit'> & { worker: string },
): Promise<number[]> {
  if (ids.length === 0) return []
  const mine = await db.sql
    .updateTable(table)
    .set({ claimed_by: worker, claimed_until: leaseUntil })
    .where('id', 'in', ids)
    .where(unclaimed(now))
    .returning('id')
    .execute()
  return mine.map(({ id }) => id)
}

/**
 * Claims rows by moving their due time to the end of the lease, and returns them. They have no column for the owner,
 * because doing their work twice does no harm.
 */
export async function claimDue<T extends 'uploads' | 'removals'>(
  db: Db,
  table: T,
  { now, leaseUntil, limit }: Claim,
): Promise<Selectable<Tables[T]>[]> {
  const either: 'uploads' | 'removals' = table
  const key = sql.ref<string | number>(either === 'uploads' ? 'key' : 'id')
  const due = await db.sql
    .selectFrom(either)
    .select(key.as('key'))
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .$call(query => skippingLocked(db, query))
    .execute()
  if (due.length === 0) return []
  const won = await db.sql
    .updateTable(either)
    .set({ due_at: leaseUntil })
    .$if(either === 'uploads', query => query.set(eb => ({ tries: eb('tries', '+', 1) })))
    .where(
      key,
      'in',
      due.map(row => row.key),
    )
    .where('due_at', '<=', now)
    .returningAll()
    .execute()
  return won as Selectable<Tables[T]>[]
}
