/** SQLite as a package that npm compiles, for a Node.js whose own is missing or lacks too much. */
import { createRequire } from 'node:module'
import type BetterSqlite from 'better-sqlite3'
import type { SqliteChange, SqliteDatabase, SqliteEngine, SqliteStatement, SqliteValue } from './engine.js'

type NativeStatement = BetterSqlite.Statement<unknown[]>

export function betterSqlite3(): SqliteEngine {
  const require = createRequire(import.meta.url)
  const { version } = require('better-sqlite3/package.json') as { version: string }
  return {
    name: `better-sqlite3 ${version}`,
    open(file, { mustExist }) {
      const Native = require('better-sqlite3') as typeof BetterSqlite
      return new Database(new Native(file, { fileMustExist: mustExist }))
    },
  }
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
    return new Statement(this.#database.prepare<unknown[]>(sql), () =>
      this.#database.prepare<unknown[]>(sql).raw(true),
    )
  }

  close(): void {
    this.#database.close()
  }
}

class Statement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: NativeStatement
  readonly #prepareRaw: () => NativeStatement
  #raw: NativeStatement | null = null

  constructor(statement: NativeStatement, prepareRaw: () => NativeStatement) {
    this.reader = statement.reader
    this.#statement = statement
    this.#prepareRaw = prepareRaw
  }

  run(...values: readonly SqliteValue[]): SqliteChange {
    return this.#statement.run(...values) as SqliteChange
  }

  get(...values: readonly SqliteValue[]): object | undefined {
    return this.#statement.get(...values) as object | undefined
  }

  all(...values: readonly SqliteValue[]): object[] {
    return this.#statement.all(...values) as object[]
  }

  arrays(...values: readonly SqliteValue[]): unknown[][] {
    this.#raw ??= this.#prepareRaw()
    return this.#raw.all(...values) as unknown[][]
  }
}
