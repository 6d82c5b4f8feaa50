/** A database without tables, on the engine of this run, for what migrations do to rows. */
import type { TestContext } from 'node:test'
import Database from 'better-sqlite3'
import pg from 'pg'
import { freshDatabase, getTypeParser } from './postgres.js'
import { engine } from './store.js'

export interface BareDatabase {
  /** Runs statements of the engine of this run. */
  run(sql: string): Promise<void>
  /** The rows of one query. */
  rows(sql: string): Promise<Record<string, unknown>[]>
}

/** Opens it; it is gone when the test ends. */
export async function openBareDatabase(t: TestContext): Promise<BareDatabase> {
  return engine === 'postgres' ? await onPostgres(t) : onSqlite(t)
}

function onSqlite(t: TestContext): BareDatabase {
  const database = new Database(':memory:')
  t.after(() => database.close())
  return {
    async run(sql) {
      database.exec(sql)
    },
    rows: async sql => database.prepare(sql).all() as Record<string, unknown>[],
  }
}

/** A schema of its own in a database that is passed on: tables are made in it, and those of others are not seen. */
async function onPostgres(t: TestContext): Promise<BareDatabase> {
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.directUrl, types: { getTypeParser } })
  await client.connect()
  t.after(async () => {
    await client.query('DROP SCHEMA bare CASCADE')
    await client.end()
    await database.drop()
  })
  await client.query('CREATE SCHEMA bare; SET search_path TO bare')
  return {
    async run(sql) {
      await client.query(sql)
    },
    rows: async sql => (await client.query(sql)).rows,
  }
}
