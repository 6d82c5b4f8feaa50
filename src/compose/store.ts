import { join } from 'node:path'
import type { Config } from '../config.js'
import { Refusal } from '../core/errors.js'
import { integrations } from '../integrations/index.js'
import { toDataFolderError } from '../lib/data-folder.js'
import type { StoreSettings } from '../storage/db.js'
import type { OnDistribution } from '../storage/postgres/migrate.js'
import type { OnDamage } from '../storage/sqlite/open.js'
import type { Store } from '../storage/store.js'

/** The settings that storage methods need. */
function storeSettings(config: Config): StoreSettings {
  return {
    siteRoot: config.SITE_ROOT,
    pingEndpoint: config.PING_ENDPOINT,
    pingLogLimit: config.PING_LOG_LIMIT,
    checkLimit: config.CHECK_LIMIT,
    outageHoldMs: config.OUTAGE_HOLD * 1000,
    objectStorage: config.S3_BUCKET !== '',
    shownSettings: shownSettings(),
  }
}

/** The settings of channels that the log of changes shows, by kind. Texts of several lines may contain secrets. */
export function shownSettings(): StoreSettings['shownSettings'] {
  return Object.fromEntries(
    integrations.map(({ kind, fields }) => [
      kind,
      fields.filter(({ sensitive, type }) => !sensitive && type !== 'multiline').map(({ name }) => name),
    ]),
  )
}

/** The file of the SQLite database. */
function databaseFile(config: Config): string {
  return join(config.DATA_DIR, 'punctual.db')
}

/**
 * Opens the configured database. With `create: false`, throws a `Refusal` if it does not exist. `busyMs`: how long an SQLite
 * database that another program has locked is waited for. `onMove`: see `openPostgresStore`.
 */
export async function openStore(
  config: Config,
  options: { create: boolean; onDamage?: OnDamage; onMove?: () => void; busyMs?: number },
): Promise<Store> {
  const settings = storeSettings(config)
  if (config.DATABASE_URL === '') {
    const { openSqliteStore } = await import('../storage/sqlite/open.js')
    return await openSqliteStore(databaseFile(config), settings, options).catch(error => {
      throw toDataFolderError(config.DATA_DIR, error)
    })
  }
  const { openPostgresStore } = await import('../storage/postgres/open.js')
  return await openPostgresStore(config.DATABASE_URL, settings, options)
}

/** The engine of the configured database: an SQLite library, or PostgreSQL. */
export async function databaseEngine(config: Config): Promise<string> {
  if (config.DATABASE_URL !== '') return 'PostgreSQL'
  const { sqliteEngine } = await import('../storage/sqlite/engines/index.js')
  return sqliteEngine().name
}

/** Creates the configured database, or migrates it to this version. Returns the applied migrations. */
export async function migrateStore(config: Config): Promise<string[]> {
  if (config.DATABASE_URL === '') {
    const { migrateSqlite } = await import('../storage/sqlite/migrate.js')
    return migrateSqlite(databaseFile(config), { create: true })
  }
  const { migratePostgres } = await import('../storage/postgres/migrate.js')
  return await migratePostgres(config.DATABASE_URL)
}

/**
 * Distributes the configured database over the workers of Citus. Returns whether there was anything to do. Throws a `Refusal` if
 * it cannot be distributed.
 */
export async function distributeStore(config: Config, onDistribution: OnDistribution): Promise<boolean> {
  requirePostgres(config)
  const { distributePostgres } = await import('../storage/postgres/migrate.js')
  return await distributePostgres(config.DATABASE_URL, config.DATABASE_SHARDS, onDistribution)
}

/** Brings the rows of the configured database back to one server. Returns whether there was anything to do. */
export async function undistributeStore(
  config: Config,
  onDistribution: Pick<OnDistribution, 'onTable'>,
): Promise<boolean> {
  requirePostgres(config)
  const { undistributePostgres } = await import('../storage/postgres/migrate.js')
  return await undistributePostgres(config.DATABASE_URL, onDistribution)
}

function requirePostgres(config: Config): void {
  if (config.DATABASE_URL !== '') return
  throw new Refusal(
    'invalid',
    'SQLite cannot be distributed: DATABASE_URL must name the coordinator of a Citus cluster',
  )
}
