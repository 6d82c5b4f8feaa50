import type { Db } from './db.js'

type Writes<R extends unknown[]> = { [K in keyof R]: () => Promise<R[K]> }

/**
 * Runs writes in this order and returns their results. On PostgreSQL each is sent without waiting for the answer to the one
 * before. SQLite may roll everything back when one fails, and what came after would be committed by itself, so there each
 * waits.
 */
export async function inOrder<R extends unknown[]>(db: Db, ...writes: Writes<R>): Promise<R> {
  if (db.sendWithCommit) return (await Promise.all(writes.map(write => write()))) as R
  const results: unknown[] = []
  for (const write of writes) results.push(await write())
  return results as R
}
