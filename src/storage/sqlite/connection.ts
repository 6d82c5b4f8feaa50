import { hadNoAnswer } from '../errors.js'
import type { SqliteDatabase } from './engines/engine.js'
import { sqliteEngine } from './engines/index.js'

/**
 * The size of the write-ahead log, in pages of 4 kB, at which it is copied into the database: pages that many
 * pings changed are copied once.
 */
const CHECKPOINT_PAGES = 4_000

/**
 * The size of a connection's cache (kB). It is small for writing: after a page of an index was split, SQLite scans
 * every cached page at the commit, and the rest is in the system's cache anyway.
 */
const READ_CACHE_KB = 65_536
const WRITE_CACHE_KB = 8_192

/** How long (ms) to wait for another process's lock. */
const BUSY_MS = 10_000

/** How long (ms) to wait before trying again what SQLite itself does not wait for. */
const RETRY_MS = 10

/**
 * Opens the database file. WAL lets readers and the writer work at once; `synchronous=FULL` makes every commit
 * survive a power failure. Throws if the file cannot be opened or is not a database.
 */
export function openDatabase(
  file: string,
  options: { readonly?: boolean; mustExist?: boolean; busyMs?: number } = {},
): SqliteDatabase {
  const busyMs = options.busyMs ?? BUSY_MS
  const database = sqliteEngine().open(file, { mustExist: options.mustExist ?? false })
  database.exec(`PRAGMA busy_timeout = ${busyMs}`)
  keepWriteAheadLog(database, busyMs)
  database.exec('PRAGMA synchronous = FULL')
  database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  database.exec('PRAGMA foreign_keys = ON')
  database.exec(`PRAGMA cache_size = -${options.readonly ? READ_CACHE_KB : WRITE_CACHE_KB}`)
  database.exec('PRAGMA temp_store = MEMORY')
  if (options.readonly) database.exec('PRAGMA query_only = ON')
  return database
}

/**
 * Selects WAL, which the file then remembers. While another process writes to a new file that has none yet, SQLite refuses
 * that at once, without its usual wait.
 */
function keepWriteAheadLog(database: SqliteDatabase, busyMs: number) {
  const until = performance.now() + busyMs
  for (;;) {
    try {
      return database.exec('PRAGMA journal_mode = WAL')
    } catch (error) {
      if (!hadNoAnswer(error) || performance.now() >= until) {
        database.close()
        throw error
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}
