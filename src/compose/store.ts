import { join } from 'node:path'
import type { Config } from '../config.js'
import type { StoreSettings } from '../storage/db.js'
import { openSqliteStore } from '../storage/sqlite/open.js'
import type { Store } from '../storage/store.js'

/** What the storage methods need to know of the configuration. */
export function storeSettings(config: Config): StoreSettings {
  return {
    siteRoot: config.SITE_ROOT,
    pingEndpoint: config.PING_ENDPOINT,
    pingLogLimit: config.PING_LOG_LIMIT,
    checkLimit: config.CHECK_LIMIT,
    outageHoldMs: config.OUTAGE_HOLD * 1000,
  }
}

/** Where the SQLite database lies. */
export function databaseFile(config: Config): string {
  return join(config.DATA_DIR, 'punctual.db')
}

/** Opens the database that the configuration names. With `create: false` one that is missing is a `Refusal`. */
export async function openStore(config: Config, options: { create: boolean }): Promise<Store> {
  return await openSqliteStore(databaseFile(config), storeSettings(config), options)
}
