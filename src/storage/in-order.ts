import type { Db } from './db.js'

type Writes<R extends unknown[]> = { [K in keyof R]: () => Promise<R[K]> }

/**
 * Runs writes in this order and returns their results. On PostgreSQL, each is sent without waiting for the answer
 * to the one before. On SQLite, each is awaited: if one fails, SQLite may roll back everything, and later ones
 * would be committed on their own.
 */
export async function inOrder<R extends unknown[]>(db: Db, ...writes: Writes<R>): Promise<R> {
  if (db.sendWithCommit) return (await Promise.all(writes.map(write => write()))) as R
  const results: unknown[] = []
  for (const write of writes) results.push(await write())
  return results as R
}
