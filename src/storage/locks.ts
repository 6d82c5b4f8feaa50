/** Locks on rows. An engine with one writer at a time needs none; the others can also skip locked rows. */
import type { SelectQueryBuilder } from 'kysely'
import type { Db } from './db.js'
import type { Tables } from './tables.js'

/**
 * How long claims, settlements and ends of holds wait for a row that another transaction has locked: longer than those that are made all
 * the time take, and not so long that others notice it.
 */
export const LOCK_WAIT = { lockWaitMs: 250 }

/** The number of checks whose pings a process lets wait in line for a lock, each in a transaction of its own. */
export const MOST_IN_LINE = 4

/** Whether a transaction waits for what others have locked, or skips what needs it. */
export type WhenLocked = 'wait' | 'skip'

/** Locks the rows of a query until the transaction ends. */
export function lockedRows<TB extends keyof Tables, O>(db: Db, query: SelectQueryBuilder<Tables, TB, O>) {
  return db.dialect.hasConcurrentWrites ? query.forUpdate() : query
}

/**
 * Makes processes that run a query at once get different rows, so that none goes away empty-handed. Others can add rows that
 * refer to them.
 */
export function skippingLocked<TB extends keyof Tables, O>(db: Db, query: SelectQueryBuilder<Tables, TB, O>) {
  return db.dialect.hasConcurrentWrites ? query.forNoKeyUpdate().skipLocked() : query
}

/**
 * Locks the rows that a query selects of `checks`, and that have to be of tables that are distributed like them, with one statement for
 * each server. Returns the rows.
 */
export async function lockedOf<R>(
  db: Db,
  checks: readonly number[],
  query: (some: number[]) => { execute(): Promise<R[]> },
): Promise<R[]> {
  const found = await Promise.all(db.dialect.lockable(checks).map(some => query(some).execute()))
  return found.flat()
}

type Ask = (ids: readonly number[]) => Promise<readonly { id: number }[]>

/** Those with these IDs that another transaction has locked. `free`: locks those that are not, and returns them; `there`: returns all. */
export async function lockedAmong(
  ids: readonly number[],
  { free, there }: { free: Ask; there: Ask },
): Promise<number[]> {
  if (ids.length === 0) return []
  const areFree = new Set((await free(ids)).map(({ id }) => id))
  const others = ids.filter(id => !areFree.has(id))
  // Those that are gone are not locked.
  return others.length === 0 ? [] : (await there(others)).map(({ id }) => id)
}
