/** A database that a copy reads or writes, on either engine. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { Refusal } from '../../core/errors.js'
import type { Connection } from '../postgres/connection.js'
import type { Tables } from '../tables.js'

export type Row = Record<string, unknown>

export interface Side {
  engine: 'sqlite' | 'postgres'
  /** Whether Citus distributes its tables. */
  isDistributed: boolean
  sql: Kysely<Tables>
  /** The maximum number of bound parameters per statement. */
  maxParameters: number
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** The highest ID that each of these tables has had, also of rows that are gone where the engine knows it. */
  highestIds(tables: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Makes new IDs of tables continue after these, of which none is below one that is there. */
  continueIds(highest: ReadonlyMap<string, number>): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database at `address` (`sqlite:FILE` or `postgres://…`), migrated to this version. With `create: false`,
 * throws a `Refusal` if it does not exist.
 */
export async function openSide(address: string, options: { create: boolean }): Promise<Side> {
  return address.startsWith('sqlite:')
    ? await openSqlite(address.slice('sqlite:'.length), options)
    : await openPostgres(address, options)
}

async function openSqlite(file: string, options: { create: boolean }): Promise<Side> {
  const [{ migrateSqlite }, { openDatabase }, { kyselyOf }] = await Promise.all([
    import('../sqlite/migrate.js'),
    import('../sqlite/connection.js'),
    import('../sqlite/queries.js'),
  ])
  migrateSqlite(file, options)
  const database = openDatabase(file, { mustExist: true })
  const kysely = kyselyOf(database)
  return {
    engine: 'sqlite',
    isDistributed: false,
    sql: kysely,
    maxParameters: 4_000,
    begin: async () => void database.exec('BEGIN IMMEDIATE'),
    commit: async () => void database.exec('COMMIT'),
    rollback: async () => void database.exec('ROLLBACK'),
    highestIds: async tables =>
      await highestOf(kysely, tables, table => [
        sql`SELECT id FROM last_ids WHERE name = ${table}`,
        sql`SELECT seq FROM sqlite_sequence WHERE name = ${table}`,
      ]),
    async continueIds(highest) {
      for (const [table, id] of highest) {
        await sql`
          INSERT INTO last_ids (name, id) VALUES (${table}, ${id})
          ON CONFLICT (name) DO UPDATE SET id = max(last_ids.id, excluded.id)`.execute(kysely)
        // Where SQLite itself reuses no ID.
        await sql`DELETE FROM sqlite_sequence WHERE name = ${table}`.execute(kysely)
        await sql`
          INSERT INTO sqlite_sequence (name, seq)
          SELECT name, ${id} FROM sqlite_schema WHERE name = ${table} AND sql LIKE '%AUTOINCREMENT%'`.execute(
          kysely,
        )
      }
    },
    close: async () => void database.close(),
  }
}

async function openPostgres(url: string, options: { create: boolean }): Promise<Side> {
  const [{ connect, createPool }, { migratePostgres, requireTables }, { kyselyOf }] = await Promise.all([
    import('../postgres/connection.js'),
    import('../postgres/migrate.js'),
    import('../postgres/transaction.js'),
  ])
  if (!options.create) await requireTables(url)
  await migratePostgres(url)
  const pool = createPool(url, 1)
  const connection = await connect(pool)
  const kysely = kyselyOf(connection)
  return {
    engine: 'postgres',
    isDistributed: await isDistributed(connection),
    sql: kysely,
    maxParameters: 30_000,
    begin: async () => void (await connection.query('BEGIN')),
    commit: async () => void (await connection.query('COMMIT')),
    rollback: async () => void (await connection.query('ROLLBACK')),
    highestIds: async tables =>
      await highestOf(kysely, tables, table => [
        sql`SELECT pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass)`,
      ]),
    async continueIds(highest) {
      for (const [table, id] of highest) {
        if (id > 0) await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${id})`.execute(kysely)
      }
    },
    async close() {
      connection.release()
      await pool.end()
    },
  }
}

/** `others`: queries of one number, beside the highest ID that is there. */
async function highestOf(
  kysely: Kysely<Tables>,
  tables: readonly string[],
  others: (table: string) => RawBuilder<unknown>[],
): Promise<Map<string, number>> {
  const highest = new Map<string, number>()
  for (const table of tables) {
    const queries = [sql`SELECT max(id) FROM ${sql.table(table)}`, ...others(table)]
    const columns = queries.map((query, place) => sql`(${query}) AS ${sql.ref(`n${place}`)}`)
    const { rows } = await sql<Row>`SELECT ${sql.join(columns)}`.execute(kysely)
    highest.set(table, Math.max(0, ...Object.values(rows[0]!).map(Number)))
  }
  return highest
}

/** Throws a `Refusal` while a part of the log is not where the tables are. */
async function isDistributed(connection: Connection): Promise<boolean> {
  const [{ readShards }, { isLogMoving }] = await Promise.all([
    import('../postgres/citus/shards.js'),
    import('../postgres/citus/move-log.js'),
  ])
  if (await isLogMoving(connection))
    throw new Refusal(
      'conflict',
      'the log of pings is still being moved: run `migrate --distribute` to its end first',
    )
  return (await readShards(connection)) !== null
}
