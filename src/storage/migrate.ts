import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../core/errors.js'
import { packageRoot } from '../lib/package-root.js'
import { INITIAL, refuseUnlessCarriedOver } from './carry-over.js'

export interface Migration {
  name: string
  /** As SQLite runs it. */
  sql: string
}

/** The table that records by name which migrations a database has had, as SQLite makes it. */
export const MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)'

/** What a database says of its own schema. */
export interface SchemaState {
  /** The names in the table `migrations`; null where there is no such table. */
  applied: readonly string[] | null
  /** What recorded the schema before that table did; 0 in an empty database. */
  number: number
  /** Every column of every table as `table.column`. */
  columns: readonly string[]
}

export interface MigrationPlan {
  /** Whether the schema is there already and only has to be recorded as the initial migration. */
  carryOver: boolean
  /** What is to be run, in order. */
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
 * What brings a database up to this version: every migration that it has not had, in the order of their numbers, also
 * those below one that it has had. Throws a `Refusal` for a database that this version does not understand.
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
