import type { Database, Statement } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Db, StoreSettings } from '../db.js'
import { ListingCache } from '../listing-cache.js'
import type { Tables } from '../tables.js'
import type { CheckCache } from './check-cache.js'
import { sqliteDialect } from './dialect.js'

/** How many different statements stay prepared on one connection. */
const PREPARED_STATEMENTS = 500

/** The storage methods' view of an open database. Whoever writes keeps `cache` true (see check-cache.ts). */
export function dbOf(database: Database, settings: StoreSettings, cache: CheckCache): Db {
  return {
    sql: kyselyOf(database),
    dialect: sqliteDialect(database, cache),
    settings,
    listings: new ListingCache(),
  }
}

/** Queries on an open database, their statements kept prepared. */
export function kyselyOf(database: Database): Kysely<Tables> {
  const prepared = new Map<string, Statement>()
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
