/** Reads over connections that keep the plans of queries, and reads without a transaction. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Db } from '../../../src/storage/db.js'
import { ORDINARY } from '../../../src/storage/postgres/connection.js'
import { Connections } from '../../../src/storage/postgres/connections.js'
import { migratePostgres } from '../../../src/storage/postgres/migrate.js'
import { read, readWithoutSnapshot } from '../../../src/storage/postgres/transaction.js'
import { prepared } from '../../../src/storage/prepared.js'
import { freshDatabase } from '../../_support/postgres.js'
import { testSettings } from '../../_support/worlds/store.js'

const projectNames = prepared((sql, value: { least: number }) =>
  sql.selectFrom('projects').selectAll().where('id', '>=', value.least),
)
const names = (db: Db) => projectNames.all(db, { least: 0 })
const keptPlans = async (db: Db) =>
  Number((await db.dialect.arrays('SELECT count(*) FROM pg_prepared_statements', []))[0]![0])

for (const run of [read, readWithoutSnapshot]) {
  test(`${run.name} keeps the plan of a repeated query on the connection`, async t => {
    const { ask } = await site(t)
    assert.deepEqual(await ask(run, names), [])
    assert.equal(await ask(run, keptPlans), 0)
    for (let n = 0; n < 3; n++) assert.deepEqual(await ask(run, names), [])
    // The query that counts them came again itself.
    assert.equal(await ask(run, keptPlans), 2)
  })

  test(`${run.name} answers if a pooler loses the plans, and keeps no more`, async t => {
    const { ask } = await site(t)
    for (let n = 0; n < 2; n++) assert.deepEqual(await ask(run, names), [])
    let lost = false
    const losing = async (db: Db) => {
      if (!lost) await db.dialect.all('DEALLOCATE ALL', [])
      lost = true
      return await names(db)
    }
    assert.deepEqual(await ask(run, losing), [])
    assert.deepEqual(await ask(run, names), [])
    assert.equal(await ask(run, keptPlans), 0)
  })

  test(`${run.name} answers after a newer version has added a column`, async t => {
    const { ask, database } = await site(t)
    for (let n = 0; n < 2; n++) assert.deepEqual(await ask(run, names), [])
    await database.query('ALTER TABLE projects ADD COLUMN of_tomorrow text')
    try {
      assert.deepEqual(await ask(run, names), [])
    } finally {
      // The database is passed on to other tests.
      await database.query('ALTER TABLE projects DROP COLUMN of_tomorrow')
    }
  })
}

test('lists of any length share one plan, and an empty one finds nothing', async t => {
  const { ask, database } = await site(t)
  const odd = `it's "{\\},`
  await database.query(`INSERT INTO beats (process, beat_at) VALUES ('plain', 1), ('it''s "{\\},', 1)`)
  const among = (wanted: string[], unwanted: string[]) =>
    ask(read, async db => {
      const query = db.sql.selectFrom('beats').select('process').where('process', 'in', wanted)
      const rows = await query.where('process', 'not in', unwanted).orderBy('process').execute()
      return rows.map(row => row.process)
    })
  assert.deepEqual(await among(['plain', odd, 'other'], []), [odd, 'plain'])
  assert.deepEqual(await among(['plain', odd], [odd, 'other']), ['plain'])
  assert.deepEqual(await among([], ['plain']), [])
  assert.equal(await ask(read, keptPlans), 1)
})

test('independent reads run without a transaction, others on one snapshot', async t => {
  const { ask } = await site(t)
  const isolation = async (db: Db) => (await db.dialect.arrays('SHOW transaction_isolation', []))[0]![0]
  assert.equal(await ask(read, isolation), 'repeatable read')
  assert.equal(await ask(readWithoutSnapshot, isolation), 'read committed')
})

test('a connection that was lost while idle is replaced', async t => {
  const { ask, database } = await site(t)
  assert.deepEqual(await ask(readWithoutSnapshot, names), [])
  await database.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  assert.deepEqual(await ask(readWithoutSnapshot, names), [])
})

/** A migrated database of its own with one connection for reading. */
async function site(t: TestContext) {
  const database = await freshDatabase()
  await migratePostgres(database.directUrl)
  const connections = new Connections(database.directUrl, 1, ORDINARY, undefined, true)
  t.after(async () => {
    await connections.close()
    await database.drop()
  })
  const ask = (run: typeof read, method: (db: Db) => Promise<unknown>) =>
    run(connections, testSettings, method as never, [])
  return { ask, database }
}
