/** Reads over connections that keep the plans of queries, and reads without a transaction. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
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

  test(`${run.name} answers if a plan is lost and the error of a later statement is noticed first`, async t => {
    const { ask } = await site(t)
    for (let n = 0; n < 2; n++) assert.deepEqual(await ask(run, names), [])
    let lost = false
    const losing = async (db: Db) => {
      if (!lost) await db.dialect.all('DEALLOCATE ALL', [])
      lost = true
      await names(db).catch(() => {})
      return await db.dialect.arrays('SELECT 1', [])
    }
    assert.deepEqual(await ask(run, losing), [[1]])
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

test('a kept plan brings the same rows without their description, as objects and as arrays', async t => {
  const { ask, database } = await site(t)
  const one = prepared((sql, value: { least: number }) =>
    sql.selectFrom('beats').select(['process', 'beat_at', 'stopped']).where('beat_at', '>=', value.least),
  )
  const both = async (db: Db) => [await one.all(db, { least: 0 }), await one.arrays(db, { least: 0 })]
  assert.deepEqual(await ask(read, both), [[], []])
  assert.deepEqual(await ask(read, both), [[], []])
  await database.query(`INSERT INTO beats (process, beat_at) VALUES ('one', 7)`)
  for (let n = 0; n < 2; n++) {
    assert.deepEqual(await ask(read, both), [[{ process: 'one', beat_at: 7, stopped: 0 }], [['one', 7, 0]]])
  }
})

test('the columns of a kept plan are described once for each connection', async t => {
  const { connections } = await site(t)
  const described: string[] = []
  const connection = await connections.take()
  connection.client.connection.on('rowDescription', () => described.push('described'))
  const ask = async () => (await connection.query('SELECT 1 AS one WHERE $1 = $1', ['x'])).rows
  for (let n = 0; n < 5; n++) assert.deepEqual(await ask(), [{ one: 1 }])
  connections.giveBack(connection)
  // Once before the plan is kept, once with it.
  assert.equal(described.length, 2)
})

test('where another process has prepared a plan with more columns, all of them come', async t => {
  const { connections } = await site(t)
  const connection = await connections.take()
  const text = 'SELECT * FROM (SELECT 1 AS one) AS t WHERE $1 = $1'
  for (let n = 0; n < 2; n++) await connection.query(text, ['x'])
  const { rows } = await connection.query<{ name: string }>('SELECT name FROM pg_prepared_statements')
  const [{ name }] = rows as [{ name: string }]
  await connection.query(`DEALLOCATE ${name}`)
  await connection.query(`PREPARE ${name} (text) AS SELECT 1 AS one, 2 AS two WHERE $1 = $1`)
  assert.deepEqual((await connection.query(text, ['x'])).rows, [{ one: 1, two: 2 }])
  connections.giveBack(connection)
})

test('quick reads that are asked at once use one connection', async t => {
  const { ask } = await site(t, 4)
  const backend = async (db: Db) => (await db.dialect.arrays('SELECT pg_backend_pid()', []))[0]![0]
  const pids = await Promise.all(Array.from({ length: 8 }, () => ask(readWithoutSnapshot, backend)))
  assert.equal(new Set(pids).size, 1)
  const apart = await Promise.all(Array.from({ length: 2 }, () => ask(read, backend)))
  assert.equal(new Set(apart).size, 2)
})

test('of quick reads on one connection, each gets its own answer or its own error', async t => {
  const { ask } = await site(t)
  const value = (asked: number) => async (db: Db) =>
    (await db.dialect.arrays('SELECT 10 / $1::int', [asked]))[0]![0]
  const answers = await Promise.allSettled(
    [1, 0, 2, 5, 0, 10].map(asked => ask(readWithoutSnapshot, value(asked))),
  )
  assert.deepEqual(
    answers.map(answer => (answer.status === 'fulfilled' ? answer.value : answer.reason.code)),
    [10, '22012', 5, 2, '22012', 1],
  )
})

test('quick reads whose connection breaks under them are answered by another', async t => {
  const { ask } = await site(t)
  let broken = false
  const breaking = async (db: Db) => {
    if (broken) return await names(db)
    broken = true
    await db.dialect.arrays('SELECT pg_terminate_backend(pg_backend_pid())', [])
    return 'never'
  }
  const answers = await Promise.all([names, breaking, names, names].map(one => ask(readWithoutSnapshot, one)))
  assert.deepEqual(answers, [[], [], [], []])
})

test('a read is repeated when PgBouncer says that the server behind it is gone', async t => {
  const { ask } = await site(t)
  let tries = 0
  const losing = async (db: Db) => {
    if (++tries > 1) return await names(db)
    const error = new pg.DatabaseError('server conn crashed?', 0, 'error')
    throw Object.assign(error, { code: '08P01', severity: 'FATAL' })
  }
  assert.deepEqual(await ask(read, losing), [])
  assert.equal(tries, 2)
})

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

/** A migrated database of its own with `most` connections for reading. */
async function site(t: TestContext, most = 1) {
  const database = await freshDatabase()
  await migratePostgres(database.directUrl)
  const connections = new Connections(database.directUrl, most, ORDINARY, undefined, true)
  t.after(async () => {
    await connections.close()
    await database.drop()
  })
  const ask = (run: typeof read, method: (db: Db) => Promise<unknown>) =>
    run(connections, testSettings, method as never, [])
  return { ask, database, connections }
}
