import { betterSqlite3 } from './better-sqlite3.js'
import type { SqliteEngine } from './engine.js'
import { nodeSqlite } from './node-sqlite.js'

let chosen: SqliteEngine | null = null

/** The engine of this process: the one in Node.js if it is suitable, else the package. */
export function sqliteEngine(): SqliteEngine {
  chosen ??= nodeSqlite() ?? betterSqlite3()
  return chosen
}
