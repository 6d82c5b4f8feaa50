/** A settlement whose transaction fails for a reason that passes. Its statements are sent without waiting for answers. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { freshDatabase } from '../../_support/postgres.js'
import { testSettings } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

async function scenery(t: TestContext) {
  const database = await freshDatabase()
  const store = await openPostgresStore(database.url, testSettings, { create: true })
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  t.after(async () => {
    await store.close()
    await database.drop()
  })
  return { scene: new StoreHarness(store, project.id), query: database.query }
}

/** The next statement that updates a row of `table` ends in a deadlock; those after it succeed. Returns what undoes that. */
async function failOnce(query: (sql: string) => Promise<unknown>, table: string) {
  await query('CREATE SEQUENCE updates')
  await query(`CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('updates') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
    RETURN NEW; END $$`)
  await query(`CREATE TRIGGER fail_once BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION fail_once()`)
  return async () => {
    await query(`DROP TRIGGER fail_once ON ${table}`)
    await query('DROP FUNCTION fail_once')
    await query('DROP SEQUENCE updates')
  }
}

for (const table of ['channels', 'notifications']) {
  test(`a message is settled although an update of ${table} ends in a deadlock`, async t => {
    const { scene, query } = await scenery(t)
    await scene.addChannel('A')
    await scene.ping('backup', 'fail')
    const [message] = await scene.claim()
    const undo = await failOnce(query, table)
    try {
      await scene.settle(message!, 'sent')
    } finally {
      await undo()
    }
    scene.now += 60_000
    assert.deepEqual(await scene.claim(), [], 'it is not sent again')
    assert.equal((await query('SELECT * FROM reported')).length, 1)
  })
}
