import { join } from 'node:path'
import type { Config } from '../config.js'
import type { StoreSettings } from '../storage/db.js'

/** Where the SQLite database lies. */
export function databaseFile(config: Config): string {
  return join(config.DATA_DIR, 'punctual.db')
}

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
