/** The log of pings partitioned by time, as deploy/partition-pings.sql makes it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { packageRoot } from '../../../src/lib/package-root.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { pingCheck } from '../../_support/ping-check.js'
import { freshDatabase } from '../../_support/postgres.js'
import { testSettings } from '../../_support/worlds/store.js'

const DAY_MS = 86_400_000
const sql = readFileSync(join(packageRoot, 'deploy/partition-pings.sql'), 'utf8')

/** A store on tables of the test's own, and a connection to them. */
async function openTables(t: TestContext, settings = {}) {
  const database = await freshDatabase()
  const schema = `partitions_${randomUUID().replaceAll('-', '')}`
  await database.query(`CREATE SCHEMA ${schema}`)
  const url = new URL(database.directUrl)
  url.searchParams.set('options', `-c search_path=${schema}`)
  const store = await openPostgresStore(url.href, { ...testSettings, ...settings }, { create: true })
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  t.after(async () => {
    await store.close()
    await client.end()
    await database.query(`DROP SCHEMA ${schema} CASCADE`)
    await database.drop()
  })
  const clock = { instant: Date.now(), now: () => clock.instant }
  const now = clock.now()
  const { id: projectId } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now })
  const { check } = await store.checks.create(projectId, { changes: {}, unique: null, now })
  return {
    store,
    client,
    clock,
    projectId,
    uuid: check.uuid,
    ping: (body = '') => pingCheck({ store, clock }, check.uuid, 'success', { body: Buffer.from(body) }),
    async listed(): Promise<number[]> {
      const shown = await store.pings.showList({ projectId, version: 3, access: 'rw', now }, check.uuid)
      return JSON.parse(Buffer.from(shown).toString()).pings.map((ping: { n: number }) => ping.n)
    },
    async partitions(): Promise<string[]> {
      const { rows } = await client.query(`SELECT tableoid::regclass::text AS name FROM pings ORDER BY n`)
      return rows.map(({ name }) => name)
    },
  }
}

test('a partitioned log records, shows and prunes pings as before', async t => {
  const { store, client, clock, projectId, uuid, ping, listed, partitions } = await openTables(t, {
    pingLogLimit: 3,
  })
  await ping('first')
  await client.query(sql)
  clock.instant += DAY_MS
  await ping('second')
  clock.instant += 30 * DAY_MS
  await ping('nobody prepared this day')
  assert.deepEqual(await listed(), [3, 2, 1])
  const [first, second, third] = await partitions()
  assert.match(first!, /^pings_\d{8}$/)
  assert.match(second!, /^pings_\d{8}$/)
  assert.notEqual(first, second)
  assert.equal(third, 'pings_default')
  const body = await store.pings.body(projectId, uuid, 1)
  assert.equal('bytes' in body && Buffer.from(body.bytes).toString(), 'first')
  await ping()
  await store.instance.pruneNext(0, clock.now())
  assert.deepEqual(await listed(), [4, 3, 2])
  assert.equal((await store.instance.metrics()).maxPingId, 4)
  await store.checks.delete(projectId, uuid, clock.now())
  assert.deepEqual(await partitions(), [])
})

test('partitions are created with earlier pings, and old ones are dropped with objects', async t => {
  const { store, client, clock, ping, listed, partitions } = await openTables(t, { objectStorage: true })
  await store.pings.noteObjectStorage()
  await client.query(sql)
  await ping('a body that is long enough for object storage. '.repeat(5))
  clock.instant += 10 * DAY_MS
  await ping()
  assert.equal((await partitions())[1], 'pings_default')
  await client.query('SELECT punctual_roll_pings(0, 12)')
  assert.match((await partitions())[1]!, /^pings_\d{8}$/)
  assert.deepEqual(await listed(), [2, 1])
  // As it will be the day after tomorrow.
  await client.query('SELECT punctual_roll_pings(-2, 12)')
  assert.deepEqual(await listed(), [2])
  const removals = await store.pings.claimRemovals({
    now: clock.now(),
    leaseUntil: clock.now() + 1,
    limit: 10,
  })
  assert.equal(removals.length, 1)
})
