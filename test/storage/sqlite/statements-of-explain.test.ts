/** How much a read asks of the database. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { explain } from '../../../src/storage/incidents/explain.js'
import { CheckCache } from '../../../src/storage/sqlite/check-cache.js'
import { openDatabase } from '../../../src/storage/sqlite/connection.js'
import { openSqliteStore } from '../../../src/storage/sqlite/open.js'
import { dbOf } from '../../../src/storage/sqlite/queries.js'
import { countedStatements } from '../../_support/counted-statements.js'
import { borrowThread } from '../../_support/worlds/shared-threads.js'
import { tempFolder, testSettings } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

/** How many statements explain a check that is down and has this number of channels. */
async function statementsFor(t: TestContext, channels: number): Promise<number> {
  const file = join(await tempFolder(t), 'punctual.db')
  const store = await openSqliteStore(file, testSettings, { create: true }, borrowThread)
  t.after(() => store.close())
  const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, id)
  await scene.ping('backup')
  for (let n = 0; n < channels; n++) await scene.addChannel(`C${n}`)
  await scene.ping('backup', 'fail')
  const [uuid] = await scene.checkUuids()
  const database = openDatabase(file, { readonly: true, mustExist: true })
  t.after(() => database.close())
  const statements = countedStatements(database)
  const db = dbOf(database, testSettings, new CheckCache(database))
  const { channels: explained } = await explain(db, id, { uuid: uuid! }, scene.now)
  assert.equal(explained.length, channels)
  return statements.length
}

test('explaining a check takes as many statements whatever the number of its channels', async t => {
  assert.equal(await statementsFor(t, 20), await statementsFor(t, 2))
})
