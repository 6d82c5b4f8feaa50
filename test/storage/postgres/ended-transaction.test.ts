/** What a method still sends after its transaction is over. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Connections } from '../../../src/storage/postgres/connections.js'
import { type AnyMethod, read, write } from '../../../src/storage/postgres/transaction.js'
import { freshDatabase } from '../../_support/postgres.js'
import { testSettings } from '../../_support/worlds/store.js'

/** A database with one connection, and a statement that is sent when `late` is called. */
async function site(t: TestContext) {
  const database = await freshDatabase()
  const connections = new Connections(database.directUrl, 1)
  t.after(async () => {
    await connections.close()
    await database.drop()
  })
  let late: () => Promise<unknown> = assert.fail
  const keepForLater: AnyMethod = async db => {
    late = () => db.dialect.all("INSERT INTO meta (key, value) VALUES ('late', '1')", [])
  }
  const isStored = async () => (await database.query("SELECT 1 FROM meta WHERE key = 'late'")).length > 0
  return { connections, keepForLater, late: () => late(), isStored }
}

const REFUSED = { message: 'the transaction is over' }

test('a statement beside one that failed is refused once the transaction is rolled back', async t => {
  const { connections, keepForLater, late, isStored } = await site(t)
  const failing: AnyMethod = async db => {
    await keepForLater(db)
    await db.dialect.all('SELECT 1 / 0', [])
  }
  await assert.rejects(write(connections, testSettings, failing, []), { code: '22012' })
  await assert.rejects(late(), REFUSED)
  assert.equal(await isStored(), false)
})

test('a statement that is sent after the commit is refused', async t => {
  for (const run of [write, read]) {
    const { connections, keepForLater, late, isStored } = await site(t)
    const method: AnyMethod = async db => {
      await keepForLater(db)
      await db.dialect.all('SELECT 1', [])
    }
    await run(connections, testSettings, method, [])
    await assert.rejects(late(), REFUSED)
    assert.equal(await isStored(), false)
  }
})
