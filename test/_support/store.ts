import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { StoreSettings } from '../../src/storage/db.js'
import { openSqliteStore } from '../../src/storage/sqlite/open.js'
import type { Store } from '../../src/storage/store.js'

export const testSettings: StoreSettings = {
  siteRoot: 'http://localhost:8000',
  pingEndpoint: 'http://localhost:8000/ping/',
  pingLogLimit: 1000,
  checkLimit: 10_000,
  outageHoldMs: 600_000,
}

/** A folder of the test's own, removed when the test ends. */
export async function tempFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'punctual-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A fresh store on SQLite, closed when the test ends. */
export async function openTestStore(t: TestContext, settings: Partial<StoreSettings> = {}): Promise<Store> {
  const folder = await tempFolder(t)
  const store = await openSqliteStore(
    join(folder, 'punctual.db'),
    { ...testSettings, ...settings },
    { create: true },
  )
  t.after(() => store.close())
  return store
}
