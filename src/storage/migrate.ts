import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../core/errors.js'
import { packageRoot } from '../lib/package-root.js'
import { INITIAL, refuseUnlessCarriedOver } from './carry-over.js'

export interface Migration {
  name: string
  /** In the SQL of SQLite. */
  sql: string
}

/** The table with the names of the applied migrations, in the SQL of SQLite. */
export const MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)'

/** What a database tells about its schema. */
export interface SchemaState {
  /** The names in the table `migrations`; null if there is no such table. */
  applied: readonly string[] | null
  /** The number that recorded the schema before that table existed; 0 in an empty database. */
  number: number
  /** Every column of every table as `table.column`. */
  columns: readonly string[]
}

export interface MigrationPlan {
  /** Whether the schema exists already and only has to be recorded as the initial migration. */
  carryOver: boolean
  /** The migrations to run, in order. */
  missing: Migration[]
}

/** The numbered plain SQL files, in order. */
export function migrations(): Migration[] {
  const folder = join(packageRoot, 'src/storage/migrations')
  return readdirSync(folder)
    .filter(file => /^\d{4}_.*\.sql$/.test(file))
    .sort()
    .map(file => ({ name: file.slice(0, -4), sql: readFileSync(join(folder, file), 'utf8') }))
}

/**
 * The migrations that a database needs: each one that was not applied, in the order of their numbers, even below an
 * applied one. Throws a `Refusal` for a database that this version does not understand.
 */
export function planMigrations({ applied, number, columns }: SchemaState): MigrationPlan {
  const known = migrations()
  const carryOver = applied === null && number !== 0
  if (carryOver) refuseUnlessCarriedOver(number, columns, known[0]!.sql)
  const names = new Set(carryOver ? [INITIAL] : applied)
  const unknown = [...names].filter(name => !known.some(migration => migration.name === name))
  if (unknown.length > 0) {
    throw new Refusal(
      'conflict',
      `the database has had migrations that this Punctual does not know (${unknown.sort().join(', ')}): install a newer Punctual`,
    )
  }
  return { carryOver, missing: known.filter(({ name }) => !names.has(name)) }
}
