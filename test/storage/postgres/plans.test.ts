/** The plans of the ping path's statements, kept with their connection, and what becomes of pings when they are lost. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import type { ArrivedPing, RecordedPings } from '../../../src/core/pings/arrived-ping.js'
import { nouns } from '../../../src/storage/nouns.js'
import { isPlanLost } from '../../../src/storage/postgres/connection.js'
import { Connections } from '../../../src/storage/postgres/connections.js'
import { type AnyMethod, read, write } from '../../../src/storage/postgres/transaction.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { type FreshDatabase, freshDatabase } from '../../_support/postgres.js'
import { onOneServer } from '../../_support/servers/postgres-server.js'
import { testSettings } from '../../_support/worlds/store.js'

test('the plans of a ping are kept on the connection', onOneServer, async t => {
  const { record, plans } = await site(t)
  const before = await plans()
  for (let n = 1; n <= 3; n++) assert.deepEqual((await record()).outcomes, ['ok'])
  assert.equal((await plans()) - before, 3)
})

test('if a pooler loses the plans, the ping is recorded once, and no more are kept', onOneServer, async t => {
  const { record, plans, logged } = await site(t)
  assert.deepEqual((await record()).outcomes, ['ok'])
  assert.deepEqual((await record({ losingPlans: true })).outcomes, ['ok'])
  assert.deepEqual((await record()).outcomes, ['ok'])
  assert.deepEqual(await logged(), [1, 2, 3])
  assert.equal(await plans(), 0)
})

test('no ping is lost when a newer version adds a column', onOneServer, async t => {
  const { database, record, logged } = await site(t)
  assert.deepEqual((await record()).outcomes, ['ok'])
  await database.query('ALTER TABLE checks ADD COLUMN of_tomorrow text')
  try {
    assert.deepEqual((await record()).outcomes, ['ok'])
    assert.deepEqual(await logged(), [1, 2])
  } finally {
    await database.query('ALTER TABLE checks DROP COLUMN of_tomorrow')
  }
})

test('a lost plan is recognised in any language of the server', () => {
  const error = new pg.DatabaseError('gecachter Plan darf den Ergebnistyp nicht ändern', 0, 'error')
  assert.equal(isPlanLost(Object.assign(error, { code: '0A000', routine: 'RevalidateCachedQuery' })), true)
  const other = new pg.DatabaseError('wird nicht unterstützt', 0, 'error')
  assert.equal(isPlanLost(Object.assign(other, { code: '0A000', routine: 'transformLockingClause' })), false)
})

test(
  'a committed transaction is not retried, even if a statement reported an error',
  onOneServer,
  async t => {
    const { record, logged } = await site(t)
    await assert.rejects(record({ deniedPlans: true }), { code: '26000' })
    assert.deepEqual(await logged(), [1])
  },
)

test('a ping that cannot be sent to the server is not counted', onOneServer, async t => {
  const { record, logged } = await site(t)
  assert.deepEqual((await record()).outcomes, ['ok'])
  await assert.rejects(record({ ping: { remoteAddr: 5 as unknown as string } }), TypeError)
  assert.deepEqual((await record()).outcomes, ['ok'])
  assert.deepEqual(await logged(), [1, 2])
})

interface How {
  losingPlans?: boolean
  deniedPlans?: boolean
  ping?: Partial<ArrivedPing>
}

/** A check on a database with one connection. */
async function site(t: TestContext) {
  const database: FreshDatabase = await freshDatabase()
  const connections = new Connections(database.directUrl, 1)
  t.after(async () => {
    await connections.close()
    await database.drop()
  })
  const run = async <T>(with_: typeof write | typeof read, method: unknown, ...args: unknown[]) =>
    (await with_(connections, testSettings, method as AnyMethod, args)) as T
  const project = await run<{ id: number }>(write, nouns.projects.create, {
    name: 'Alice',
    ownerId: null,
    pingKey: 'key',
    now: 1,
  })
  const { check } = await run<{ check: { uuid: string } }>(write, nouns.checks.create, project.id, {
    changes: {},
    unique: null,
    now: 1,
  })
  const ping = arrivedPing({ uuid: check.uuid }, 1_000)
  const losing: AnyMethod = async (db, pings) => {
    await db.dialect.all('DEALLOCATE ALL', [])
    return await nouns.pings.record(db, pings as ArrivedPing[])
  }
  /** As a pooler would have it that answers for the server, which then knows of no failure. */
  const denied: AnyMethod = async (db, pings) => {
    const recorded = await nouns.pings.record(db, pings as ArrivedPing[])
    const error = new pg.DatabaseError('there is no such statement', 0, 'error')
    db.sendWithCommit!(Promise.reject(Object.assign(error, { code: '26000' })))
    return recorded
  }
  const count: AnyMethod = async db =>
    ((await db.dialect.all('SELECT count(*) AS n FROM pg_prepared_statements', [])) as { n: number }[])[0]!.n
  return {
    database,
    record: async (how: How = {}) => {
      const method = how.losingPlans ? losing : how.deniedPlans ? denied : nouns.pings.record
      return await run<RecordedPings>(write, method, [{ ...ping, ...how.ping }])
    },
    /** How many plans the connection keeps. */
    plans: async () => await run<number>(read, count),
    /** The numbers of the pings in the check's log, in order. */
    logged: async () => {
      const rows = await database.query('SELECT n FROM pings ORDER BY n')
      return rows.map(row => Number(row.n))
    },
  }
}
