/** The SQLite that is part of Node.js. */
import { pathToFileURL } from 'node:url'
import { objectMaker } from '../../object-maker.js'
import type { SqliteChange, SqliteDatabase, SqliteEngine, SqliteStatement, SqliteValue } from './engine.js'
import { resultCodeName } from './result-codes.js'

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

/** Makes the object of a row from its columns. */
type MakeRow = (columns: unknown[]) => object

class Statement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: NodeStatement
  #makeRow: MakeRow | null = null
  /** The number of columns that `#makeRow` expects: a migration by another process may add one. */
  #width = 0

  constructor(statement: NodeStatement) {
    this.#statement = statement
    this.reader = statement.columns().length > 0
    // Always on: the objects that Node.js makes are dictionaries, which take twice as long to make and to read.
    statement.setReturnArrays(true)
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
      return columns && this.#rowMaker(columns.length)(columns)
    } catch (error) {
      throw withCode(error)
    }
  }

  all(...values: readonly SqliteValue[]): object[] {
    const rows = this.arrays(...values)
    return rows.length === 0 ? [] : rows.map(this.#rowMaker(rows[0]!.length))
  }

  arrays(...values: readonly SqliteValue[]): unknown[][] {
    try {
      return this.#statement.all(...values) as unknown[][]
    } catch (error) {
      throw withCode(error)
    }
  }

  #rowMaker(width: number): MakeRow {
    if (this.#makeRow && this.#width === width) return this.#makeRow
    this.#width = width
    this.#makeRow = rowMaker(this.#statement.columns().map(({ name }) => name))
    return this.#makeRow
  }
}

function rowMaker(names: readonly string[]): MakeRow {
  return objectMaker(names.map((name, place) => ({ name, from: place })))
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
