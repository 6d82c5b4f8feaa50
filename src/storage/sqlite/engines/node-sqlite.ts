/** The SQLite that is part of Node.js. */
import { pathToFileURL } from 'node:url'
import type { SqliteChange, SqliteDatabase, SqliteEngine, SqliteStatement, SqliteValue } from './engine.js'
import { resultCodeName } from './result-codes.js'
import { RowObjects } from './row-objects.js'

interface NodeSqlite {
  DatabaseSync: new (location: URL | string) => NodeDatabase
  StatementSync: { prototype: object }
}

interface NodeDatabase {
  readonly isTransaction: boolean
  exec(sql: string): void
  prepare(sql: string): NodeStatement
  close(): void
}

interface NodeStatement {
  columns(): { name: string }[]
  setReturnArrays(enabled: boolean): void
  run(...values: readonly SqliteValue[]): SqliteChange
  get(...values: readonly SqliteValue[]): unknown
  all(...values: readonly SqliteValue[]): unknown[]
}

/** The engine, or null if Node.js has none or an unsuitable one (before 22.16). */
export function nodeSqlite(): SqliteEngine | null {
  const sqlite = withoutWarnings(() => process.getBuiltinModule('node:sqlite')) as NodeSqlite | undefined
  if (!sqlite || !('setReturnArrays' in sqlite.StatementSync.prototype)) return null
  return {
    name: 'node:sqlite',
    open(file, { mustExist }) {
      const location = file === ':memory:' ? file : pathToFileURL(file)
      if (mustExist && location instanceof URL) location.searchParams.set('mode', 'rw')
      return new Database(named(() => new sqlite.DatabaseSync(location)))
    },
  }
}

class Database implements SqliteDatabase {
  readonly #database: NodeDatabase

  constructor(database: NodeDatabase) {
    this.#database = database
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  exec(sql: string): void {
    named(() => this.#database.exec(sql))
  }

  prepare(sql: string): SqliteStatement {
    return named(() => new Statement(this.#database.prepare(sql)))
  }

  close(): void {
    this.#database.close()
  }
}

class Statement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: NodeStatement
  readonly #objects: RowObjects

  constructor(statement: NodeStatement) {
    this.#statement = statement
    this.reader = statement.columns().length > 0
    // Always on, for `RowObjects`.
    statement.setReturnArrays(true)
    this.#objects = new RowObjects(() => statement.columns().map(({ name }) => name))
  }

  run(...values: readonly SqliteValue[]): SqliteChange {
    try {
      return this.#statement.run(...values)
    } catch (error) {
      throw withCode(error)
    }
  }

  get(...values: readonly SqliteValue[]): object | undefined {
    try {
      const columns = this.#statement.get(...values) as unknown[] | undefined
      return columns && this.#objects.of([columns])[0]
    } catch (error) {
      throw withCode(error)
    }
  }

  all(...values: readonly SqliteValue[]): object[] {
    return this.#objects.of(this.arrays(...values))
  }

  arrays(...values: readonly SqliteValue[]): unknown[][] {
    try {
      return this.#statement.all(...values) as unknown[][]
    } catch (error) {
      throw withCode(error)
    }
  }
}

function named<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw withCode(error)
  }
}

/** The error with SQLite's name of its code; Node.js gives only the number. */
function withCode(error: unknown): unknown {
  if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') {
    return Object.assign(error, { code: resultCodeName(error.errcode) })
  }
  return error
}

/** Node.js 22 and 24 warn on first use that `node:sqlite` may change; the tests run on each version. */
function withoutWarnings<T>(work: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}
