/** A database that a copy reads or writes, on either engine. */
import { type Kysely, sql } from 'kysely'
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
  /** Makes new IDs continue after those that were copied into these tables. */
  continueIds(tables: readonly string[]): Promise<void>
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
    async continueIds(tables) {
      for (const table of tables) {
        await sql`
          INSERT INTO last_ids (name, id) VALUES (${table}, (SELECT coalesce(max(t.id), 0) FROM ${sql.table(table)} t))
          ON CONFLICT (name) DO UPDATE SET id = max(last_ids.id, excluded.id)`.execute(kysely)
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
    async continueIds(tables) {
      for (const table of tables) {
        const highest = sql`(SELECT max(id) FROM ${sql.table(table)})`
        await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${highest}) WHERE ${highest} > 0`.execute(
          kysely,
        )
      }
    },
    async close() {
      connection.release()
      await pool.end()
    },
  }
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
