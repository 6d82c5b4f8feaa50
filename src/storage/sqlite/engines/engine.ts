/** What the rest of the program sees of SQLite, whichever library runs it. Calls block until they are done. */

export type SqliteValue = string | number | bigint | null | Uint8Array

/** A way to run SQLite in this process. */
export interface SqliteEngine {
  /** The library and, where it is not part of Node.js, its version. */
  name: string
  /** Opens a file, which is made when it is missing, unless it must exist. */
  open(file: string, options: { mustExist: boolean }): SqliteDatabase
}

/**
 * An open database. What SQLite refuses is thrown as an `Error` whose `code` is the name of SQLite's primary result
 * code, or begins with it: `SQLITE_BUSY`, `SQLITE_CONSTRAINT_UNIQUE`.
 */
export interface SqliteDatabase {
  /** Runs any number of statements and drops the rows they return. */
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
  /** The rows as arrays of their columns: a fraction of the cost for wide rows. */
  arrays(...values: readonly SqliteValue[]): unknown[][]
}

export interface SqliteChange {
  changes: number
  lastInsertRowid: number
}

/** The first column of each row that a query returns. */
export function selectColumn(database: SqliteDatabase, sql: string): unknown[] {
  return database
    .prepare(sql)
    .arrays()
    .map(row => row[0])
}

/** The first column of the first row; undefined when there is none. */
export function selectValue(database: SqliteDatabase, sql: string): unknown {
  return selectColumn(database, sql)[0]
}

/** Runs `work` in a transaction that locks out other writers at once, and rolls it back when `work` throws. */
export function inTransaction<T>(database: SqliteDatabase, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // A full disk has rolled it back already.
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error
  }
}
