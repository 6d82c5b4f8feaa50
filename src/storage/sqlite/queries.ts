import { Kysely, type SqliteStatement as KyselyStatement, SqliteDialect } from 'kysely'
import type { Db, StoreSettings } from '../db.js'
import { ListingCache } from '../listing-cache.js'
import type { Tables } from '../tables.js'
import type { CheckCache } from './check-cache.js'
import { sqliteDialect } from './dialect.js'
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './engines/engine.js'

/** The number of statements that stay prepared on one connection. */
const PREPARED_STATEMENTS = 500

/** The context of storage methods on an open database. Writes have to keep `cache` current (see check-cache.ts). */
export function dbOf(database: SqliteDatabase, settings: StoreSettings, cache: CheckCache): Db {
  return {
    sql: kyselyOf(database),
    dialect: sqliteDialect(database, cache),
    settings,
    actor: null,
    listings: new ListingCache(),
  }
}

/** A query builder on an open database, which keeps statements prepared. */
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

/** A statement in the form that Kysely needs. Only its streams iterate over rows, and they are not used. */
function kyselyStatement(statement: SqliteStatement): KyselyStatement {
  return {
    reader: statement.reader,
    all: values => statement.all(...(values as SqliteValue[])),
    run: values => statement.run(...(values as SqliteValue[])),
    iterate: values => statement.all(...(values as SqliteValue[])).values(),
  }
}
