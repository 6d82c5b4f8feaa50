import { RecentMap } from '../../lib/recent-map.js'
import type { LoadedCheck } from '../dialect.js'
import { REMEMBERED_CHECKS } from '../remembered.js'
import type { SqliteDatabase, SqliteStatement } from './engines/engine.js'

/**
 * A cache of the rows of recently pinged checks: reading a row would take a third of the time of a ping. Only the
 * ping path updates it, so any other write, and a rollback, clears it.
 */
export class CheckCache {
  readonly #checks = new RecentMap<string, LoadedCheck>(REMEMBERED_CHECKS)
  readonly #readVersion: SqliteStatement
  #version: unknown

  constructor(database: SqliteDatabase) {
    this.#readVersion = database.prepare('PRAGMA data_version')
  }

  /** Called at the beginning of each writing transaction: clears the cache if another process has written. */
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
