import { Refusal } from '../../core/errors.js'
import { INITIAL, NO_NUMBER } from '../carry-over.js'
import { MIGRATIONS_TABLE, planMigrations, type SchemaState } from '../migrate.js'
import { bringBack } from './citus/bring-back.js'
import { distribute, type OnTable, removeConstraints } from './citus/distribute.js'
import { isLogMoving, moveLog } from './citus/move-log.js'
import { readNotice } from './citus/move-notice.js'
import { readShards, type Shards } from './citus/shards.js'
import type { Exclusive } from './citus/while-unused.js'
import { type Connection, connect, createPool, ORDINARY, type Timeouts } from './connection.js'
import { statementsOf, translateMigration } from './translate-migration.js'

/** The advisory lock that one process at a time holds while it migrates: an arbitrary constant. */
const LOCK = 7_046_029_254_386_353

/**
 * Migrates the database at `url` to this version in one transaction and returns the names of the applied migrations.
 * Several processes may do so at once: each waits for the one before. Throws as `planMigrations` does.
 */
export async function migratePostgres(url: string): Promise<string[]> {
  return await withConnection(url, async connection => {
    const { carryOver, missing } = planMigrations(await stateOf(connection))
    return carryOver || missing.length > 0 ? await applyMissing(connection) : []
  })
}

/** Throws a `Refusal` if the database at `url` has no tables. */
export async function requireTables(url: string): Promise<void> {
  const { applied, number } = await withConnection(url, stateOf)
  if (applied !== null || number > 0) return
  throw new Refusal('not-found', 'the database has no tables: make them with `serve` or `migrate`')
}

/** Where the rows of checks are; undefined if they are in the database at `url` itself. */
export async function shardsOf(url: string): Promise<Shards | undefined> {
  return (await withConnection(url, readShards)) ?? undefined
}

/** How tables are moved, and what is reported in the meantime. */
export interface OnDistribution {
  /** How long (ms) servers and commands may take to let go of the database; two minutes by default. */
  patienceMs?: number
  onTable?: OnTable
  /** The tables are distributed, so that servers use them again; what is left of the log follows. */
  onReady?(): void
  /** Receives the number of pings that were moved since the last call. */
  onMoved?(pings: number): void
}

/**
 * Distributes the rows of checks over the workers of Citus, in `shards` shards, or continues where an earlier call ended. See
 * `distribute` and `moveLog`. Returns whether there was anything to do.
 */
export async function distributePostgres(
  url: string,
  shards: number | null,
  { patienceMs, onTable, onReady, onMoved = () => {} }: OnDistribution = {},
): Promise<boolean> {
  return await withConnection(
    url,
    async connection => {
      const isNew = await distribute(connection, shards, exclusive(url, patienceMs), onTable)
      const isMoving = await isLogMoving(connection)
      if (isNew || isMoving) onReady?.()
      await moveLog(connection, onMoved)
      return isNew || isMoving
    },
    UNLIMITED,
  )
}

/** Brings distributed rows back to the coordinator; see `bringBack`. */
export async function undistributePostgres(
  url: string,
  { patienceMs, onTable }: Pick<OnDistribution, 'patienceMs' | 'onTable'> = {},
): Promise<boolean> {
  return await withConnection(
    url,
    connection => bringBack(connection, exclusive(url, patienceMs), onTable),
    UNLIMITED,
  )
}

/** The notice that the database at `url` moves, as {@link readNotice} returns it. */
export async function moveNoticeOf(url: string): Promise<string | null> {
  return await withConnection(url, readNotice)
}

/** A stopping server answers requests for a while, so that load balancers notice. */
const PATIENCE_MS = 120_000

function exclusive(url: string, patienceMs = PATIENCE_MS): Exclusive {
  return { patienceMs, beside: work => withConnection(url, work) }
}

/** Moving tables takes as long as it takes. */
const UNLIMITED: Timeouts = { ...ORDINARY, statementMs: 0 }

async function withConnection<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
  timeouts = ORDINARY,
): Promise<T> {
  const pool = createPool(url, 1, timeouts)
  try {
    const connection = await connect(pool)
    try {
      return await work(connection)
    } finally {
      connection.release()
    }
  } finally {
    await pool.end()
  }
}

async function applyMissing(connection: Connection): Promise<string[]> {
  // At a higher isolation level, the changes that another process made during the wait would not be visible.
  await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    await connection.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    const { carryOver, missing } = planMigrations(await stateOf(connection))
    // Otherwise a statement may run over several connections to a worker, of which the next ones cannot use one.
    const isDistributed = (await readShards(connection)) !== null
    if (isDistributed) await connection.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`)
    await connection.query(translateMigration(MIGRATIONS_TABLE))
    const record = (name: string) =>
      connection.query('INSERT INTO migrations (name, applied_at) VALUES ($1, $2)', [name, Date.now()])
    if (carryOver) {
      await record(INITIAL)
      await connection.query('UPDATE schema_version SET version = $1', [NO_NUMBER])
    }
    for (const { name, sql } of missing) {
      for (const statement of statementsOf(sql)) await connection.query(statement)
      await record(name)
    }
    if (isDistributed) await removeConstraints(connection)
    await connection.query('COMMIT')
    return missing.map(({ name }) => name)
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => {})
    throw error
  }
}

async function stateOf(connection: Connection): Promise<SchemaState> {
  // Read first, because another process may be carrying the database over: if the number is the new one, the record
  // exists.
  const number = await numberIn(connection)
  const { rows } = await connection.query<{ name: string }>(
    `SELECT t.relname || '.' || c.attname AS name FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid
      WHERE t.relkind IN ('r', 'p') AND t.relnamespace <> 'pg_catalog'::regnamespace AND pg_table_is_visible(t.oid)
        AND c.attnum > 0 AND NOT c.attisdropped`,
  )
  const columns = rows.map(({ name }) => name)
  return {
    applied: columns.includes('migrations.name') ? await appliedIn(connection) : null,
    number,
    columns,
  }
}

async function appliedIn(connection: Connection): Promise<string[]> {
  const { rows } = await connection.query<{ name: string }>('SELECT name FROM migrations')
  return rows.map(({ name }) => name)
}

async function numberIn(connection: Connection): Promise<number> {
  const found = await connection.query<{ known: string | null }>(
    `SELECT to_regclass('schema_version')::text AS known`,
  )
  if (found.rows[0]!.known === null) return 0
  const { rows } = await connection.query<{ version: number }>('SELECT version FROM schema_version')
  return rows[0]?.version ?? 0
}
