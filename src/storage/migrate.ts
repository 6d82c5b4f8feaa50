import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../core/errors.js'
import { packageRoot } from '../lib/package-root.js'

/** What the migrations need of an engine. */
export interface Migratable {
  engine: 'sqlite' | 'postgres'
  /** The number of the last migration applied; 0 for an empty database. */
  version(): number
  /** Runs one migration and notes its number, both or neither. */
  apply(sql: string, version: number): void
}

export interface Migration {
  version: number
  name: string
  sql: string
}

/** The numbered plain SQL files of an engine, in order. */
export function migrationsOf(engine: Migratable['engine']): Migration[] {
  const folder = join(packageRoot, 'src/storage/migrations', engine)
  return readdirSync(folder)
    .filter(file => /^\d{4}_.*\.sql$/.test(file))
    .sort()
    .map(file => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(0, -4),
      sql: readFileSync(join(folder, file), 'utf8'),
    }))
}

/**
 * Brings a database up to this version of the code and returns the names of the migrations applied. Throws a
 * `Refusal` for a database that a newer version has written: this one would not understand it.
 */
export function migrate(database: Migratable): string[] {
  const migrations = migrationsOf(database.engine)
  const newest = migrations.at(-1)!.version
  const version = database.version()
  if (version > newest) {
    throw new Refusal(
      'conflict',
      `the database is at version ${version}, this Punctual knows versions up to ${newest}: install a newer Punctual`,
    )
  }
  const missing = migrations.filter(migration => migration.version > version)
  for (const { sql, version: number } of missing) database.apply(sql, number)
  return missing.map(({ name }) => name)
}
