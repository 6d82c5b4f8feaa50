import { Kysely, type SqliteStatement as KyselyStatement, SqliteDialect } from 'kysely'
import type { Db, StoreSettings } from '../db.js'
import { ListingCache } from '../listing-cache.js'
import type { Tables } from '../tables.js'
import type { CheckCache } from './check-cache.js'
import { sqliteDialect } from './dialect.js'
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './engines/engine.js'

/** How many different statements stay prepared on one connection. */
const PREPARED_STATEMENTS = 500

/** The storage methods' view of an open database. Whoever writes keeps `cache` true (see check-cache.ts). */
export function dbOf(database: SqliteDatabase, settings: StoreSettings, cache: CheckCache): Db {
  return {
    sql: kyselyOf(database),
    dialect: sqliteDialect(database, cache),
    settings,
    listings: new ListingCache(),
  }
}

/** Queries on an open database, their statements kept prepared. */
export function kyselyOf(database: SqliteDatabase): Kysely<Tables> {
  const prepared = new Map<string, KyselyStatement>()
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        close: () => {},
        prepare: text => {
          const known = prepared.get(text)
          if (known) return known
          if (prepared.size >= PREPARED_STATEMENTS) prepared.delete(prepared.keys().next().value!)
          const statement = kyselyStatement(database.prepare(text))
          prepared.set(text, statement)
          return statement
        },
      },
    }),
  })
}

/** A statement as Kysely calls it. Rows one by one are for its streams alone, which nothing here uses. */
function kyselyStatement(statement: SqliteStatement): KyselyStatement {
  return {
    reader: statement.reader,
    all: values => statement.all(...(values as SqliteValue[])),
    run: values => statement.run(...(values as SqliteValue[])),
    iterate: values => statement.all(...(values as SqliteValue[])).values(),
  }
}
