import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../core/errors.js'
import { packageRoot } from '../lib/package-root.js'

export type Engine = 'sqlite' | 'postgres'

export interface Migration {
  version: number
  name: string
  sql: string
}

/** The numbered plain SQL files of an engine, in order. */
export function migrationsOf(engine: Engine): Migration[] {
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
 * The migrations that a database at `version` lacks, in order. Throws a `Refusal` for a database that a newer
 * version has written: this one would not understand it.
 */
export function missingMigrations(engine: Engine, version: number): Migration[] {
  const migrations = migrationsOf(engine)
  const newest = migrations.at(-1)!.version
  if (version > newest) {
    throw new Refusal(
      'conflict',
      `the database is at version ${version}, this Punctual knows versions up to ${newest}: install a newer Punctual`,
    )
  }
  return migrations.filter(migration => migration.version > version)
}
