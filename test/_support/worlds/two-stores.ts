import type { TestContext } from 'node:test'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { freshDatabase } from '../postgres.js'
import { testSettings } from './store.js'

/** Two stores of one fresh PostgreSQL database, as two processes have them; all is removed after the test. */
export async function openTwoStores(t: TestContext) {
  const database = await freshDatabase()
  const open = () => openPostgresStore(database.url, testSettings, { create: true })
  const [store, other] = [await open(), await open()]
  t.after(async () => {
    await Promise.all([store.close(), other.close()])
    await database.drop()
  })
  return { database, store, other }
}
