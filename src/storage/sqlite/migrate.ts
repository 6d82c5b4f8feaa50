import { closeSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../../core/errors.js'
import { makeFolder } from '../../lib/make-folder.js'
import { INITIAL, NO_NUMBER } from '../carry-over.js'
import { MIGRATIONS_TABLE, planMigrations, type SchemaState } from '../migrate.js'
import { openDatabase } from './connection.js'
import { inTransaction, type SqliteDatabase, selectColumn, selectValue } from './engines/engine.js'

/**
 * Migrates the database file to this version in one transaction and returns the names of the applied
 * migrations. With `create`, creates the file and its folder; else throws a `Refusal` if the file does not
 * exist. `busyMs`: how long it waits for another program's lock, in which this thread does nothing else. Throws as
 * `planMigrations` does.
 */
export function migrateSqlite(
  file: string,
  { create, busyMs }: { create: boolean; busyMs?: number | undefined },
): string[] {
  if (create) createFile(file)
  if (!isThere(file)) {
    throw new Refusal('not-found', `there is no database at ${file}: make it with \`serve\` or \`migrate\``)
  }
  const database = openDatabase(file, { mustExist: true, ...(busyMs !== undefined && { busyMs }) })
  try {
    const { carryOver, missing } = planMigrations(stateOf(database))
    if (!carryOver && missing.length === 0) return []
    return inTransaction(database, () => applyMissing(database))
  } finally {
    database.close()
  }
}

function applyMissing(database: SqliteDatabase): string[] {
  // Another process may have been faster.
  const { carryOver, missing } = planMigrations(stateOf(database))
  database.exec(MIGRATIONS_TABLE)
  const record = database.prepare('INSERT INTO migrations (name, applied_at) VALUES (?, ?)')
  if (carryOver) {
    record.run(INITIAL, Date.now())
    database.exec(`PRAGMA user_version = ${NO_NUMBER}`)
  }
  for (const { name, sql } of missing) {
    database.exec(sql)
    record.run(name, Date.now())
  }
  return missing.map(({ name }) => name)
}

function stateOf(database: SqliteDatabase): SchemaState {
  // Read first, because another process may be carrying the database over: if the number is the new one, the record
  // exists.
  const number = selectValue(database, 'PRAGMA user_version') as number
  const columns = selectColumn(
    database,
    `SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'`,
  ) as string[]
  const recorded = columns.includes('migrations.name')
  return {
    applied: recorded ? (selectColumn(database, 'SELECT name FROM migrations') as string[]) : null,
    number,
    columns,
  }
}

/**
 * The file contains ping bodies and channels' secrets, so only its owner may read it; SQLite's other files
 * get the same permissions.
 */
function createFile(file: string): void {
  makeFolder(dirname(file))
  closeSync(openSync(file, 'a', 0o600))
}

/** Throws what keeps a folder from being read, which is not the same as a missing file. */
function isThere(file: string): boolean {
  try {
    statSync(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
