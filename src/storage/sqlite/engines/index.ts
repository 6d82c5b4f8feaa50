import { betterSqlite3 } from './better-sqlite3.js'
import type { SqliteEngine } from './engine.js'
import { nodeSqlite } from './node-sqlite.js'

let chosen: SqliteEngine | null = null

/** The engine of this process: what Node.js brings where that is good enough, else the package. */
export function sqliteEngine(): SqliteEngine {
  chosen ??= nodeSqlite() ?? betterSqlite3()
  return chosen
}
