import Database from 'better-sqlite3'

/**
 * How many pages (4 kB) the log of commits holds before they are copied into the database: pages that many pings
 * changed meanwhile are copied once.
 */
const CHECKPOINT_PAGES = 4_000

/**
 * How much of the database a connection remembers (kB). Little for one that writes: after a page of an index was split,
 * SQLite looks at every remembered page at the commit, and the rest is in the system's memory anyway.
 */
const READ_CACHE_KB = 65_536
const WRITE_CACHE_KB = 8_192

/**
 * Opens the database file. WAL lets readers and the writer work at once; `synchronous=FULL` makes every commit
 * survive the loss of power. Throws when the file cannot be opened or is no database.
 */
export function openDatabase(
  file: string,
  options: { readonly?: boolean; mustExist?: boolean } = {},
): Database.Database {
  const database = new Database(file, { fileMustExist: options.mustExist ?? false })
  database.pragma('busy_timeout = 10000')
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  database.pragma('foreign_keys = ON')
  database.pragma(`cache_size = -${options.readonly ? READ_CACHE_KB : WRITE_CACHE_KB}`)
  database.pragma('temp_store = MEMORY')
  if (options.readonly) database.pragma('query_only = ON')
  return database
}
