import { Refusal } from '../../core/errors.js'
import type { StoreSettings } from '../db.js'
import { reads, writes } from '../methods.js'
import type { Store } from '../store.js'
import { Connections } from './connections.js'
import { migratePostgres, requireTables } from './migrate.js'
import { type AnyMethod, read, write } from './transaction.js'

/** Connections of one process. Reading and writing have their own, so that a long listing delays no ping. */
const WRITERS = 6
const READERS = 4

/**
 * Opens the PostgreSQL database at `url` and migrates it. With `create: false` one without tables is a
 * `Refusal`; so is one that a newer version has written. Rejects with `ConnectionLost` when it cannot be reached.
 */
export async function openPostgresStore(
  url: string,
  settings: StoreSettings,
  options: { create: boolean },
): Promise<Store> {
  if (!options.create) await requireTables(url)
  await migratePostgres(url)
  const readers = new Connections(url, READERS)
  const writers = new Connections(url, WRITERS)
  const running = new Set<Promise<unknown>>()
  let closing: Promise<unknown> | null = null
  const bind = (run: typeof read, connections: Connections, methods: object) =>
    Object.entries(methods as Record<string, AnyMethod>).map(([name, method]) => [
      name,
      (...args: unknown[]) => {
        const result = run(connections, settings, method, args)
        running.add(result)
        const done = () => running.delete(result)
        result.then(done, done)
        return result
      },
    ])
  return {
    ...Object.fromEntries([...bind(read, readers, reads), ...bind(write, writers, writes)]),
    backup: async () => {
      throw new Refusal('invalid', 'a PostgreSQL database is backed up with its own tools, such as pg_dump')
    },
    close: async () => {
      closing ??= Promise.allSettled(running).then(() => Promise.all([readers.close(), writers.close()]))
      await closing
    },
  } as Store
}
