/** The interface of SQLite to the rest of the program, for any library. Calls block until they are done. */

export type SqliteValue = string | number | bigint | null | Uint8Array

/** A library that runs SQLite in this process. */
export interface SqliteEngine {
  /** The library and, if it is not part of Node.js, its version. */
  name: string
  /** Opens a file; creates it if it is missing, unless it must exist. */
  open(file: string, options: { mustExist: boolean }): SqliteDatabase
}

/**
 * An open database. Errors of SQLite are thrown as an `Error` whose `code` is, or begins with, the name of SQLite's
 * primary result code: `SQLITE_BUSY`, `SQLITE_CONSTRAINT_UNIQUE`.
 */
export interface SqliteDatabase {
  /** Runs any number of statements and ignores their rows. */
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  readonly inTransaction: boolean
  close(): void
}

/** One statement. Integers come back as numbers, blobs as `Uint8Array`. */
export interface SqliteStatement {
  /** Whether it returns rows. */
  readonly reader: boolean
  run(...values: readonly SqliteValue[]): SqliteChange
  get(...values: readonly SqliteValue[]): object | undefined
  all(...values: readonly SqliteValue[]): object[]
  /** The rows as arrays: a fraction of the time for wide rows. */
  arrays(...values: readonly SqliteValue[]): unknown[][]
}

export interface SqliteChange {
  changes: number
  lastInsertRowid: number
}

/** The first column of each row of a query. */
export function selectColumn(database: SqliteDatabase, sql: string): unknown[] {
  return database
    .prepare(sql)
    .arrays()
    .map(row => row[0])
}

/** The first column of the first row; undefined if there is none. */
export function selectValue(database: SqliteDatabase, sql: string): unknown {
  return selectColumn(database, sql)[0]
}

/** Runs `work` in a transaction that locks out other writers, and rolls it back if `work` throws. */
export function inTransaction<T>(database: SqliteDatabase, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // On a full disk, SQLite has already rolled it back.
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error
  }
}
