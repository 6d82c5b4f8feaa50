/** A database without tables, on the engine of this run, for tests of migrations. */
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { migratePostgres } from '../../src/storage/postgres/migrate.js'
import { openPostgresStore } from '../../src/storage/postgres/open.js'
import { sqliteEngine } from '../../src/storage/sqlite/engines/index.js'
import { migrateSqlite } from '../../src/storage/sqlite/migrate.js'
import { openSqliteStore } from '../../src/storage/sqlite/open.js'
import type { Store } from '../../src/storage/store.js'
import { freshDatabase, getTypeParser } from './postgres.js'
import { borrowThread } from './worlds/shared-threads.js'
import { engine, tempFolder, testSettings } from './worlds/store.js'

export interface BareDatabase {
  /** Runs statements on the engine of this run. */
  run(sql: string): Promise<void>
  /** Returns the rows of a query. */
  rows(sql: string): Promise<Record<string, unknown>[]>
  /** Migrates the database, and returns the names of the applied migrations. */
  migrate(): Promise<string[]>
  /** Opens it as a store, which is closed when the test ends. */
  open(): Promise<Store>
  /** Tables, columns and indexes as the engine's catalog describes them, in order of their names. */
  schema(): Promise<string[]>
}

/** Opens the database, which is removed when the test ends. */
export async function openBareDatabase(t: TestContext): Promise<BareDatabase> {
  return engine === 'postgres' ? await onPostgres(t) : await onSqlite(t)
}

async function onSqlite(t: TestContext): Promise<BareDatabase> {
  const file = join(await tempFolder(t), 'punctual.db')
  const database = sqliteEngine().open(file, { mustExist: false })
  t.after(() => database.close())
  const rows = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[]
  return {
    run: async sql => void database.exec(sql),
    rows: async sql => rows(sql),
    migrate: async () => migrateSqlite(file, { create: false }),
    open: async () =>
      closedAfter(t, await openSqliteStore(file, testSettings, { create: false }, borrowThread)),
    // Only PostgreSQL distinguishes the widths of numbers.
    schema: async () =>
      described(rows(SQLITE_SCHEMA)).map(line => line.replace(/\b(SMALLINT|INT)\b/, 'INTEGER')),
  }
}

/** A schema of its own in a shared database, so that other tables are not visible. */
async function onPostgres(t: TestContext): Promise<BareDatabase> {
  const database = await freshDatabase()
  const name = `bare_${process.pid}_${++made}`
  await database.query(`CREATE SCHEMA ${name}`)
  const url = new URL(database.directUrl)
  url.searchParams.set('options', `-c search_path=${name}`)
  const client = new pg.Client({ connectionString: url.href, types: { getTypeParser } })
  await client.connect()
  t.after(async () => {
    await client.query(`DROP SCHEMA ${name} CASCADE`)
    await client.end()
    await database.drop()
  })
  const rows = async (sql: string) => (await client.query(sql)).rows
  return {
    run: async sql => void (await client.query(sql)),
    rows,
    migrate: async () => await migratePostgres(url.href),
    open: async () => closedAfter(t, await openPostgresStore(url.href, testSettings, { create: false })),
    schema: async () => described(await rows(POSTGRES_SCHEMA)).map(line => line.replaceAll(`${name}.`, '')),
  }
}

let made = 0

function closedAfter(t: TestContext, store: Store): Store {
  t.after(() => store.close())
  return store
}

const described = (rows: Record<string, unknown>[]) => rows.map(row => Object.values(row).join(' '))

const SQLITE_SCHEMA = `
SELECT t.name || '.' || c.name AS what, c.type || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '') || ' ' || c.pk AS how
  FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'
UNION ALL
SELECT name, iif(sql LIKE '%WITHOUT ROWID', 'without rowid', '') FROM sqlite_schema WHERE type = 'table'
UNION ALL
SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE type = 'index'
UNION ALL
SELECT t.name || '.' || f."from" || ' -> ' || f."table", f.on_delete
  FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'
ORDER BY 1, 2`

const POSTGRES_SCHEMA = `
SELECT t.relname || '.' || c.attname AS what,
       concat_ws(' ', format_type(c.atttypid, c.atttypmod), c.attnotnull, c.attidentity, l.collname,
                 pg_get_expr(d.adbin, d.adrelid)) AS how
  FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = c.attnum
  LEFT JOIN pg_collation l ON l.oid = c.attcollation
 WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace
UNION ALL
SELECT relname, concat_ws(' ', reloptions) FROM pg_class
 WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
UNION ALL
SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL
SELECT conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) FROM pg_constraint
 WHERE connamespace = current_schema()::regnamespace AND contype <> 'n'
ORDER BY 1, 2`
