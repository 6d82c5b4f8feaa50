/** Distributing a database with data over the workers of Citus, and the way back. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { Refusal } from '../../../../src/core/errors.js'
import { packageRoot } from '../../../../src/lib/package-root.js'
import { distributePostgres, undistributePostgres } from '../../../../src/storage/postgres/migrate.js'
import { arrivedPing } from '../../../_support/arrived-ping.js'
import { freshInstallation, punctualJson, starting } from '../../../_support/cli.js'
import { eventually } from '../../../_support/eventually.js'
import { freePort } from '../../../_support/servers/free-port.js'
import { workers } from '../../../_support/servers/postgres-server.js'
import { allRows, type CitusWorld, catalog, citusWorld, fill, onCitus } from './citus-world.js'

const SHARDS = 4
const now = Date.UTC(2026, 0, 15, 12)

/** A database with data that is not distributed. */
async function filled(t: TestContext): Promise<CitusWorld & { uuids: string[] }> {
  const world = await citusWorld(t)
  return { ...world, uuids: await world.withStore(store => fill(store, now)) }
}

/** All rows but those of `meta`, which says how the tables were. */
async function rowsOf(world: CitusWorld): Promise<Record<string, string[]>> {
  const { meta: _meta, ...rows } = await allRows(world)
  return rows
}

/** Fails at one of its calls, as a process that is killed then. */
function failAt(call: number): () => void {
  let calls = 0
  return () => {
    if (++calls === call) throw new Error('killed')
  }
}

test('all rows and the whole catalog survive the way to the workers and back', onCitus, async t => {
  const world = await filled(t)
  const [rows, tables] = [await allRows(world), await catalog(world)]
  const done: string[] = []
  const onTable = (name: string) => done.push(name)
  assert.equal(await distributePostgres(world.url, SHARDS, { onTable }), true)
  assert.deepEqual(done.slice(0, 2), ['checks', 'check_details'])
  assert.equal((await world.ask('SELECT DISTINCT nodeport FROM citus_shards')).length, 2)
  const { meta: _meta, ...others } = rows
  assert.deepEqual(await rowsOf(world), others)
  assert.equal(await distributePostgres(world.url, SHARDS), false)
  assert.equal(await undistributePostgres(world.url), true)
  assert.deepEqual(await allRows(world), rows)
  assert.deepEqual(await catalog(world), tables)
  assert.equal(await undistributePostgres(world.url), false)
})

test(
  'a server goes on by itself when its tables are distributed, and when they come back',
  onCitus,
  async t => {
    const { url, ask } = await citusWorld(t)
    const env = await freshInstallation(t, {
      DATABASE_URL: url,
      SECRET_KEY: 'k'.repeat(64),
      PORT: `${await freePort()}`,
    })
    const { ping_key: pingKey } = await punctualJson(env, ['project', 'create', 'Backups'])
    const server = starting(t, env)
    const served = (times: number) => () => server.output.stderr.split('"msg":"serving"').length > times
    let acknowledged = 0
    const ping = async () => {
      const { status } = await fetch(`http://127.0.0.1:${env.PORT}/ping/${pingKey}/job?create=1`)
      assert.equal(status, acknowledged === 0 ? 201 : 200)
      acknowledged++
    }
    await eventually(served(1))
    await ping()
    assert.equal(await distributePostgres(url, SHARDS), true)
    await eventually(served(2))
    await ping()
    assert.notDeepEqual(await ask('SELECT FROM citus_shards'), [])
    assert.equal(await undistributePostgres(url), true)
    await eventually(served(3))
    await ping()
    assert.deepEqual(await ask('SELECT n_pings::int AS pings, status FROM checks'), [
      { pings: 3, status: 'up' },
    ])
  },
)

test('without a number of shards there are two for each worker', onCitus, async t => {
  const { url, ask } = await citusWorld(t)
  await distributePostgres(url, null)
  const [row] = await ask(
    `SELECT count(*)::int AS n FROM pg_dist_shard WHERE logicalrelid = 'checks'::regclass`,
  )
  assert.equal(row!.n, 2 * workers().length)
})

test('what changed while a database was distributed comes back with it', onCitus, async t => {
  const world = await filled(t)
  await distributePostgres(world.url, SHARDS)
  const added = await world.withStore(async store => {
    const bySlug = arrivedPing({ pingKey: 'other', slug: 'job-7', create: false }, now + 20)
    const isNew = arrivedPing({ pingKey: 'other', slug: 'new', create: true }, now + 21)
    const { outcomes } = await store.pings.record([bySlug, isNew])
    assert.deepEqual(outcomes, ['ok', 'created'])
    return await store.checks.create(1, { changes: {}, unique: null, now })
  })
  const before = await rowsOf(world)
  await undistributePostgres(world.url)
  assert.deepEqual(await rowsOf(world), before)
  await world.withStore(async store => {
    const outcomes = await store.pings.record(
      [added.check.uuid, world.uuids[0]!].map(uuid => arrivedPing({ uuid }, now + 30)),
    )
    assert.deepEqual(outcomes.outcomes, ['ok', 'ok'])
    await store.checks.create(1, { changes: {}, unique: null, now })
  })
})

test('a distribution that ends before its commit leaves everything as it was', onCitus, async t => {
  const world = await filled(t)
  const [rows, tables] = [await allRows(world), await catalog(world)]
  await assert.rejects(distributePostgres(world.url, SHARDS, { onTable: failAt(3) }), /killed/)
  assert.deepEqual(await allRows(world), rows)
  assert.deepEqual(await catalog(world), tables)
  await distributePostgres(world.url, SHARDS)
  await assert.rejects(undistributePostgres(world.url, { onTable: failAt(3) }), /killed/)
  await undistributePostgres(world.url)
  assert.deepEqual(await allRows(world), rows)
  assert.deepEqual(await catalog(world), tables)
})

test('a distribution that ended while the log was moved goes on, and can be undone', onCitus, async t => {
  const world = await filled(t)
  // IDs are far apart in a log that was distributed before.
  await world.ask(
    `INSERT INTO pings (id, check_id, n, created_at, created_us, kind, scheme, method, ua)
     SELECT 1000000::bigint * n, 1 + n % 40, 1000 + n, ${now}, 0, 'success', 'http', 'GET', '' FROM generate_series(1, 10000) n`,
  )
  await world.ask(`SELECT setval('pings_id_seq', 10000000000)`)
  const [rows, tables] = [await rowsOf(world), await catalog(world)]
  for (const goOn of [true, false]) {
    await assert.rejects(distributePostgres(world.url, SHARDS, { onMoved: failAt(1) }), /killed/)
    const [{ moved }] = (await world.ask('SELECT count(*) AS moved FROM pings')) as [{ moved: number }]
    assert.equal(moved, 10_000)
    if (goOn) assert.equal(await distributePostgres(world.url, SHARDS), true)
    if (goOn) assert.deepEqual(await rowsOf(world), rows)
    await undistributePostgres(world.url)
    assert.deepEqual(await rowsOf(world), rows)
    assert.deepEqual(await catalog(world), tables)
  }
})

test('pings of checks that are deleted while the log is moved go with them', onCitus, async t => {
  const world = await filled(t)
  await assert.rejects(
    distributePostgres(world.url, SHARDS, {
      onReady: () => {
        throw new Error('killed')
      },
    }),
    /killed/,
  )
  await world.withStore(async store => {
    await store.pings.record([arrivedPing({ uuid: world.uuids[1]! }, now + 30)])
  })
  for (const table of ['pings', 'check_names', 'check_details', 'checks'])
    await world.ask(`DELETE FROM ${table} WHERE ${table === 'checks' ? 'id' : 'check_id'} = 1`)
  await distributePostgres(world.url, SHARDS)
  const counted = await world.ask(
    'SELECT check_id, count(*) AS pings FROM pings WHERE check_id < 3 GROUP BY check_id ORDER BY 1',
  )
  assert.deepEqual(counted, [{ check_id: 2, pings: 6 }])
})

test('tables are not moved while a process uses them, or takes pings', onCitus, async t => {
  const world = await filled(t)
  const soon = { patienceMs: 1_000 }
  const refused = (message: RegExp) => (error: unknown) =>
    error instanceof Refusal && error.code === 'conflict' && message.test(error.message)
  assert.equal(await distributePostgres(world.url, SHARDS), true)
  await world.ask(`INSERT INTO beats (process, beat_at) VALUES ('web', ${Date.now()})`)
  await assert.rejects(
    undistributePostgres(world.url, soon),
    refused(/took pings \d s ago: stop every process/),
  )
  await world.ask('DELETE FROM beats')
  const command = new pg.Client({ connectionString: world.url, application_name: 'punctual' })
  await command.connect()
  await command.query('SELECT 1')
  await assert.rejects(undistributePostgres(world.url, soon), refused(/1 connections of Punctual/))
  const moved = undistributePostgres(world.url)
  await new Promise(resolve => setTimeout(resolve, 1_000))
  await command.end()
  assert.equal(await moved, true)
  await world.ask(`INSERT INTO beats (process, beat_at) VALUES ('web', ${Date.now()})`)
  await assert.rejects(distributePostgres(world.url, SHARDS, soon), refused(/took pings \d s ago/))
})

test('tables are not distributed without workers, or if the log is partitioned by time', onCitus, async t => {
  const { url, ask } = await citusWorld(t)
  const partition = readFileSync(join(packageRoot, 'deploy/partition-pings.sql'), 'utf8')
  await ask(`BEGIN; ${partition}; COMMIT`)
  await assert.rejects(distributePostgres(url, SHARDS), /partitioned by time cannot be distributed/)
  await ask('SELECT citus_remove_node(nodename, nodeport) FROM pg_dist_node WHERE groupid > 0')
  await assert.rejects(distributePostgres(url, SHARDS), /no workers: add them with citus_add_node/)
})
