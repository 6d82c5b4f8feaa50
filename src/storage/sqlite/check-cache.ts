import { RecentMap } from '../../lib/recent-map.js'
import type { LoadedCheck } from '../dialect.js'
import { REMEMBERED_CHECKS } from '../remembered.js'
import type { SqliteDatabase, SqliteStatement } from './engines/engine.js'

/**
 * The checks that were pinged last, as their rows are: reading a row costs a third of all that a ping costs. Only
 * the ping path keeps it true, so whoever runs another write, or rolls back, clears it.
 */
export class CheckCache {
  readonly #checks = new RecentMap<string, LoadedCheck>(REMEMBERED_CHECKS)
  readonly #readVersion: SqliteStatement
  #version: unknown

  constructor(database: SqliteDatabase) {
    this.#readVersion = database.prepare('PRAGMA data_version')
  }

  /** To be called inside each transaction that writes, at its beginning: forgets what other processes changed. */
  begin(): void {
    const version = this.#readVersion.arrays()[0]![0]
    if (version !== this.#version) this.clear()
    this.#version = version
  }

  get(uuid: string): LoadedCheck | undefined {
    return this.#checks.get(uuid)
  }

  put(check: LoadedCheck): void {
    this.#checks.set(check.uuid, check)
  }

  clear(): void {
    this.#checks.clear()
  }
}
