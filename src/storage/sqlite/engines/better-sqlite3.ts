/** SQLite as a package that npm compiles, for versions of Node.js without a suitable one. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type BetterSqlite from 'better-sqlite3'
import { packageRoot } from '../../../lib/package-root.js'
import type { SqliteChange, SqliteDatabase, SqliteEngine, SqliteStatement, SqliteValue } from './engine.js'
import { install, installedIn, wantedVersion } from './install.js'
import { RowObjects } from './row-objects.js'

type Native = typeof BetterSqlite
type NativeStatement = BetterSqlite.Statement<unknown[]>

/** The engine; opening a database installs the package if it is missing. */
export function betterSqlite3(): SqliteEngine {
  const version = wantedVersion()
  let native: Native | null = null
  return {
    name: `better-sqlite3 ${version}`,
    open(file, { mustExist }) {
      native ??= find(version) ?? installed(version)
      return new Database(new native(file, { fileMustExist: mustExist }))
    },
  }
}

function installed(version: string): Native {
  install()
  const native = find(version)
  if (!native) throw new Error(`better-sqlite3 was installed into ${installedIn} and cannot be loaded`)
  return native
}

/** The package, as the program installed it or as it was installed beside the program; null if there is none. */
function find(version: string): Native | null {
  for (const folder of [installedIn, packageRoot]) {
    try {
      const load = createRequire(join(folder, 'package.json'))
      if (load('better-sqlite3/package.json').version !== version) continue
      const native = load('better-sqlite3') as Native
      // This loads the compiled part, which may be for another version of Node.js.
      new native(':memory:').close()
      return native
    } catch {}
  }
  return null
}

class Database implements SqliteDatabase {
  readonly #database: BetterSqlite.Database

  constructor(database: BetterSqlite.Database) {
    this.#database = database
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  prepare(sql: string): SqliteStatement {
    return new Statement(this.#database.prepare<unknown[]>(sql))
  }

  close(): void {
    this.#database.close()
  }
}

class Statement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: NativeStatement
  readonly #objects: RowObjects

  constructor(statement: NativeStatement) {
    this.reader = statement.reader
    this.#statement = statement
    // Always on, for `RowObjects`.
    if (this.reader) statement.raw(true)
    this.#objects = new RowObjects(() => statement.columns().map(({ name }) => name))
  }

  run(...values: readonly SqliteValue[]): SqliteChange {
    return this.#statement.run(...values) as SqliteChange
  }

  get(...values: readonly SqliteValue[]): object | undefined {
    const columns = this.#statement.get(...values) as unknown[] | undefined
    return columns && this.#objects.of([columns])[0]
  }

  all(...values: readonly SqliteValue[]): object[] {
    return this.#objects.of(this.arrays(...values))
  }

  arrays(...values: readonly SqliteValue[]): unknown[][] {
    return this.#statement.all(...values) as unknown[][]
  }
}
