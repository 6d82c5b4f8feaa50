/** Pings of checks that a process remembers, while others change them. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ArrivedPing } from '../../../src/core/pings/arrived-ping.js'
import type { LoadedCheck } from '../../../src/storage/dialect.js'
import { KnownChecks } from '../../../src/storage/postgres/known-checks.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { eventually } from '../../_support/eventually.js'
import { freshDatabase } from '../../_support/postgres.js'
import { recordPings } from '../../_support/record-pings.js'
import { onOneServer, startCluster } from '../../_support/servers/postgres-server.js'
import { testSettings } from '../../_support/worlds/store.js'

const NOW = Date.UTC(2026, 0, 15, 12)

test('a cached check is saved without being read, and both paths write one log', onOneServer, async t => {
  const { here, log, ask } = await world(t)
  assert.deepEqual(await here(['a']), ['ok'])
  // Whoever reads a check needs its UUID.
  await ask('ALTER TABLE checks RENAME COLUMN uuid TO hidden')
  try {
    assert.deepEqual(await here(['a', 'a', 'a']), ['ok', 'ok', 'ok'])
    assert.deepEqual(await here(['a', 'b']), ['not-found', 'not-found'])
  } finally {
    await ask('ALTER TABLE checks RENAME COLUMN hidden TO uuid')
  }
  assert.deepEqual(await here(['a', 'b']), ['ok', 'ok'])
  assert.deepEqual(await here(['b', 'a']), ['ok', 'ok'])
  assert.deepEqual(await log('a'), [
    '1 success',
    '2 success',
    '3 success',
    '4 success',
    '5 success',
    '6 success',
  ])
  assert.deepEqual(await log('b'), ['1 success', '2 success'])
})

test('a cached check includes another process’s changes', async t => {
  const { here, there, log, other, projectId, uuids, statusOf } = await world(t)
  assert.deepEqual(await here(['a', 'b', 'c']), ['ok', 'ok', 'ok'])
  await there('a', 'fail')
  await other.checks.update(projectId, uuids.b, { changes: { methods: 'POST' }, now: NOW + 1 })
  await other.checks.delete(projectId, uuids.c, NOW + 1)
  assert.deepEqual(await here(['c', 'b', 'a', 'b']), ['not-found', 'ok', 'ok', 'ok'])
  assert.deepEqual(await log('a'), ['1 success', '2 fail', '3 success'])
  assert.equal(await statusOf('a'), 'up')
  assert.deepEqual(await log('b'), ['1 success', '2 ign', '3 ign'])
})

test('pings of unchanged cached checks are recorded even if the rest is refused', async t => {
  const { here, there, log, ask, record, uuids } = await world(t)
  assert.deepEqual(await here(['a', 'b']), ['ok', 'ok'])
  await there('b')
  const [b] = await ask(`SELECT id FROM checks WHERE uuid = '${uuids.b}'`)
  await ask(`ALTER TABLE pings ADD CONSTRAINT of_test CHECK (check_id <> ${b!.id} OR n < 3)`)
  try {
    const { outcomes, refusal } = await record(['b', 'a', 'b'])
    assert.deepEqual(outcomes, ['refused', 'ok', 'refused'])
    assert.match(String(refusal), /of_test/)
  } finally {
    await ask('ALTER TABLE pings DROP CONSTRAINT of_test')
  }
  assert.deepEqual(await log('a'), ['1 success', '2 success'])
  assert.deepEqual(await log('b'), ['1 success', '2 success'])
  assert.deepEqual(await here(['b']), ['ok'])
})

test('a locked cached check is read once it is free', onOneServer, async t => {
  const { here, log, hold, uuids } = await world(t)
  assert.deepEqual(await here(['a', 'b']), ['ok', 'ok'])
  const release = await hold(`UPDATE checks SET methods = 'POST' WHERE uuid = '${uuids.a}'`)
  const answered = here(['b', 'a'])
  await eventually(async () => (await log('b')).length === 2)
  assert.equal((await log('a')).length, 1)
  await release()
  assert.deepEqual(await answered, ['ok', 'ok'])
  assert.deepEqual(await log('a'), ['1 success', '2 ign'])
  assert.deepEqual(await log('b'), ['1 success', '2 success'])
})

test('the log of a cached check is pruned at its limit', async t => {
  const { here, log } = await world(t)
  for (let batch = 0; batch < 5; batch++) await here(Array.from({ length: 50 }, () => 'a' as const))
  // It is cut after the pings were answered.
  const kept = await eventually(async () => {
    const rows = await log('a')
    return rows.length <= 150 ? rows : null
  })
  // Some pings may have come before the cut.
  assert.ok(kept.length >= 100, String(kept.length))
  assert.equal(kept.at(-1), '250 success')
})

test('an unchanged cached check is saved once a short lock on it ends', onOneServer, async t => {
  const { here, log, hold, uuids } = await world(t)
  assert.deepEqual(await here(['a', 'b']), ['ok', 'ok'])
  for (const [statement, kind] of [
    [`SELECT 1 FROM checks WHERE uuid = '${uuids.a}' FOR UPDATE`, 'success'],
    [`UPDATE checks SET methods = 'POST' WHERE uuid = '${uuids.a}'`, 'ign'],
  ] as const) {
    const release = await hold(statement)
    const answered = here(['a', 'b', 'a'])
    await sleep(10)
    await release()
    assert.deepEqual(await answered, ['ok', 'ok', 'ok'])
    assert.deepEqual(
      (await log('a')).slice(-2).map(row => row.split(' ')[1]),
      [kind, kind],
    )
  }
  assert.equal((await log('a')).length, 5)
  assert.deepEqual(await log('b'), ['1 success', '2 success', '3 success'])
})

test('the cache forgets what the server has lost, even if transaction IDs repeat', async t => {
  const cluster = await startCluster()
  t.after(() => cluster.remove())
  const open = async () => await openPostgresStore(cluster.url, testSettings, { create: true })
  const [here, there] = [await open(), await open()]
  const { id } = await here.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const { check } = await here.checks.create(id, { changes: {}, unique: null, now: 1 })
  const ping = (action: ArrivedPing['action']) => [arrivedPing({ uuid: check.uuid }, NOW, { action })]
  await here.pings.record(ping('success'))
  const restore = await cluster.saveFiles()
  await here.pings.record(ping('fail'))
  await restore()
  await there.pings.record(ping('success'))
  assert.deepEqual((await here.pings.record(ping('fail'))).outcomes, ['ok'])
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  const { rows } = await client.query('SELECT old_status, new_status FROM flips ORDER BY id')
  assert.deepEqual(
    rows.map(row => `${row.old_status}→${row.new_status}`),
    ['new→up', 'up→down'],
  )
  await client.end()
  for (const store of [here, there]) await store.close()
})

test('the cache is not used after a pause, after an hour, or if others change its checks', () => {
  let now = 0
  const known = new KnownChecks(() => now)
  const [check, other] = [{ uuid: 'a' } as LoadedCheck, { uuid: 'b' } as LoadedCheck]
  known.loaded(check, '1')
  assert.equal(known.get('a')?.version, '1')
  now = 5_000
  assert.equal(known.get('a'), undefined)
  known.loaded(other, '2')
  assert.equal(known.get('a')?.version, '1')
  now = 3_600_000
  known.loaded(other, '2')
  assert.equal(known.get('a'), undefined)
  known.saved(check, '3')
  assert.equal(known.get('a')?.version, '3')
  for (let n = 4; n < 104; n++) known.loaded(check, String(n))
  assert.equal(known.get('a'), undefined)
  for (let n = 0; n < 200; n++) known.loaded(check, '103')
  assert.equal(known.get('a')?.version, '103')
  known.used(check, null)
  assert.equal(known.get('a'), undefined)
  known.clear()
  assert.equal(known.get('b'), undefined)
})

type Name = 'a' | 'b' | 'c'

/** Three checks and two processes. */
async function world(t: TestContext) {
  const database = await freshDatabase()
  const settings = { ...testSettings, pingLogLimit: 100 }
  const open = async () => await openPostgresStore(database.url, settings, { create: true })
  const [store, other] = [await open(), await open()]
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await store.close()
    await other.close()
    await database.drop()
  })
  const { id: projectId } = await store.projects.create({
    name: 'Alice',
    ownerId: null,
    pingKey: 'key',
    now: 1,
  })
  const make = async () =>
    (await store.checks.create(projectId, { changes: {}, unique: null, now: 1 })).check.uuid
  const uuids: Record<Name, string> = { a: await make(), b: await make(), c: await make() }
  const ping = (name: Name, more: Partial<ArrivedPing> = {}) => arrivedPing({ uuid: uuids[name] }, NOW, more)
  const record = async (names: Name[]) =>
    await recordPings(
      store,
      names.map(name => ping(name)),
    )
  const ask = async (text: string) => await database.query(text)
  return {
    other,
    projectId,
    uuids,
    record,
    ask,
    /** Pings by the process that remembers; what became of them. */
    here: async (names: Name[]) => (await record(names)).outcomes,
    /** A ping by the other process. */
    there: async (name: Name, action: ArrivedPing['action'] = 'success') =>
      await other.pings.record([ping(name, { action })]),
    log: async (name: Name) => {
      const rows = await ask(
        `SELECT n, kind FROM pings WHERE check_id = (SELECT id FROM checks WHERE uuid = '${uuids[name]}') ORDER BY n`,
      )
      return rows.map(({ n, kind }) => `${n} ${kind}`)
    },
    statusOf: async (name: Name) =>
      (await ask(`SELECT status FROM checks WHERE uuid = '${uuids[name]}'`))[0]!.status,
    /** Runs a statement in a transaction that is left open until the returned function is called. */
    hold: async (text: string) => {
      await client.query('BEGIN')
      await client.query(text)
      return async () => {
        await client.query('COMMIT')
      }
    },
  }
}
