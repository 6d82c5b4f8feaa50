import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { shownSettings } from '../../../src/compose/store.js'
import type { StoreSettings } from '../../../src/storage/db.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { sqliteEngine } from '../../../src/storage/sqlite/engines/index.js'
import { migrateSqlite } from '../../../src/storage/sqlite/migrate.js'
import { openSqliteStore } from '../../../src/storage/sqlite/open.js'
import type { Store } from '../../../src/storage/store.js'
import { freshDatabase } from '../postgres.js'
import { borrowThread } from './shared-threads.js'

export const testSettings: StoreSettings = {
  siteRoot: 'http://localhost:8000',
  pingEndpoint: 'http://localhost:8000/ping/',
  pingLogLimit: 1000,
  checkLimit: 10_000,
  outageHoldMs: 600_000,
  objectStorage: false,
  shownSettings: shownSettings(),
}

/** A folder of the test's own, removed when the test ends. */
export async function tempFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'punctual-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The engine that the tests run on: bin/test.js runs those that need a store once for each. */
export const engine = process.env.PUNCTUAL_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** A store that the caller must close, and direct access to its database. */
export interface FreshStore {
  /** A new one after each `reopen`. */
  store: Store
  /** Closes the store and opens it again, as a restart does. */
  reopen(): Promise<void>
  /** Opens a second store on the database, as another process does. The caller closes it. */
  openAnother(): Promise<Store>
  /** Runs SQL that both engines understand on the store's database and returns its rows. */
  raw(sql: string): Promise<Record<string, unknown>[]>
  /** Closes the store and removes its data. */
  remove(): Promise<void>
}

/** A fresh store on the engine of this run, closed when the test ends. */
export async function openTestStore(t: TestContext, settings: Partial<StoreSettings> = {}): Promise<Store> {
  const { store, remove } = await openFreshStore(settings)
  t.after(remove)
  return store
}

/** A fresh store as each of two processes has it, closed when the test ends. */
export async function openTwoStores(t: TestContext): Promise<[Store, Store]> {
  const fresh = await openFreshStore()
  const other = await fresh.openAnother()
  t.after(async () => {
    await other.close()
    await fresh.remove()
  })
  return [fresh.store, other]
}

/** A fresh store for a caller that closes and removes it. */
export async function openFreshStore(settings: Partial<StoreSettings> = {}): Promise<FreshStore> {
  return await (engine === 'postgres' ? onPostgres : onSqlite)({ ...testSettings, ...settings })
}

async function onSqlite(settings: StoreSettings): Promise<FreshStore> {
  const folder = await mkdtemp(join(tmpdir(), 'punctual-test-'))
  const file = join(folder, 'punctual.db')
  await writeFile(file, await migratedFile())
  const fresh: FreshStore = {
    store: await openSqliteStore(file, settings, { create: false }, borrowThread),
    async reopen() {
      await fresh.store.close()
      fresh.store = await openSqliteStore(file, settings, { create: false }, borrowThread)
    },
    openAnother: () => openSqliteStore(file, settings, { create: false }, borrowThread),
    async raw(sql) {
      const database = sqliteEngine().open(file, { mustExist: true })
      try {
        const statement = database.prepare(sql)
        if (statement.reader) return statement.all() as Record<string, unknown>[]
        statement.run()
        return []
      } finally {
        database.close()
      }
    },
    async remove() {
      await fresh.store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return fresh
}

let migrated: Promise<Buffer> | undefined

/** An empty database, migrated once for all tests of this process. */
export function migratedFile(): Promise<Buffer> {
  migrated ??= migrateFile()
  return migrated
}

async function migrateFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'punctual-test-'))
  try {
    const file = join(folder, 'punctual.db')
    migrateSqlite(file, { create: true })
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function onPostgres(settings: StoreSettings): Promise<FreshStore> {
  const database = await freshDatabase()
  const fresh: FreshStore = {
    store: await openPostgresStore(database.url, settings, { create: true }),
    async reopen() {
      await fresh.store.close()
      fresh.store = await openPostgresStore(database.url, settings, { create: false })
    },
    openAnother: () => openPostgresStore(database.url, settings, { create: false }),
    raw: database.ask,
    async remove() {
      await fresh.store.close()
      await database.drop()
    },
  }
  return fresh
}
