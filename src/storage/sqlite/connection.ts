import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Db, StoreSettings } from '../db.js'
import type { Tables } from '../tables.js'
import type { CheckCache } from './check-cache.js'
import { sqliteDialect } from './dialect.js'

/** How many different statements stay prepared on one connection. */
const PREPARED_STATEMENTS = 500

/**
 * How many pages (4 kB) the log of commits holds before they are copied into the database: pages that many pings
 * changed meanwhile are copied once.
 */
const CHECKPOINT_PAGES = 4_000

/**
 * Opens the database file. WAL lets readers and the writer work at once; `synchronous=FULL` makes every commit
 * survive the loss of power. Throws when the file cannot be opened or is no database.
 */
export function openDatabase(
  file: string,
  options: { readonly?: boolean; mustExist?: boolean } = {},
): Database.Database {
  const database = new Database(file, { fileMustExist: options.mustExist ?? false })
  database.pragma('busy_timeout = 10000')
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  database.pragma('foreign_keys = ON')
  database.pragma('cache_size = -65536')
  database.pragma('temp_store = MEMORY')
  if (options.readonly) database.pragma('query_only = ON')
  return database
}

/** The storage methods' view of an open database. Whoever writes keeps `cache` true (see check-cache.ts). */
export function dbOf(database: Database.Database, settings: StoreSettings, cache: CheckCache): Db {
  return { sql: kyselyOf(database), dialect: sqliteDialect(database, cache), settings }
}

/** Queries on an open database, their statements kept prepared. */
export function kyselyOf(database: Database.Database): Kysely<Tables> {
  const prepared = new Map<string, Database.Statement>()
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        close: () => {},
        prepare: text => {
          const known = prepared.get(text)
          if (known) return known as never
          if (prepared.size >= PREPARED_STATEMENTS) prepared.delete(prepared.keys().next().value!)
          const statement = database.prepare(text)
          prepared.set(text, statement)
          return statement as never
        },
      },
    }),
  })
}
