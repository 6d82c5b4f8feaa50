import { Refusal } from '../../core/errors.js'
import { missingMigrations } from '../migrate.js'
import { type Connection, connect, createPool } from './connection.js'

/**
 * Brings the database at `url` up to this version and returns the names of the migrations that this call
 * applied. Several processes may do so at once: each waits for the row that holds the version. Throws as
 * `missingMigrations` does.
 */
export async function migratePostgres(url: string): Promise<string[]> {
  return await withConnection(url, applyMissing)
}

/** Throws a `Refusal` when the database at `url` has no tables yet. */
export async function requireTables(url: string): Promise<void> {
  if ((await withConnection(url, versionOf)) > 0) return
  throw new Refusal('not-found', 'the database has no tables: make them with `serve` or `migrate`')
}

async function withConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const pool = createPool(url, 1)
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

/** The number of the last migration applied; 0 for an empty one. */
async function versionOf(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ known: string | null }>(
    `SELECT to_regclass('schema_version')::text AS known`,
  )
  if (rows[0]!.known === null) return 0
  const found = await connection.query<{ version: number }>('SELECT version FROM schema_version')
  return found.rows[0]?.version ?? 0
}

async function applyMissing(connection: Connection): Promise<string[]> {
  const missing = missingMigrations('postgres', await versionOf(connection))
  if (missing.length === 0) return []
  await makeVersionRow(connection)
  const applied: string[] = []
  for (const { sql, version, name } of missing) {
    await connection.query('BEGIN')
    try {
      const { rows } = await connection.query<{ version: number }>(
        'SELECT version FROM schema_version FOR UPDATE',
      )
      // Another process may have been quicker.
      if (rows[0]!.version < version) {
        await connection.query(sql)
        await connection.query('UPDATE schema_version SET version = $1', [version])
        applied.push(name)
      }
      await connection.query('COMMIT')
    } catch (error) {
      await connection.query('ROLLBACK').catch(() => {})
      throw error
    }
  }
  return applied
}

/** What PostgreSQL says when another process made the same table: a row, a type or a table of its name exists. */
const MADE_MEANWHILE = new Set(['23505', '42710', '42P07'])

/** `IF NOT EXISTS` does not help two that create at the same instant: the later one fails, and finds it made. */
async function makeVersionRow(connection: Connection): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await connection.query(
        'CREATE TABLE IF NOT EXISTS schema_version (one SMALLINT PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL)',
      )
      break
    } catch (error) {
      if (tries >= 5 || !MADE_MEANWHILE.has(Object(error).code)) throw error
    }
  }
  await connection.query('INSERT INTO schema_version VALUES (1, 0) ON CONFLICT (one) DO NOTHING')
}
