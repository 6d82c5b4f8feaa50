/** What the store does when its server goes away, and where the database is not what it expects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { isUnavailable } from '../../../src/storage/errors.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { freshDatabase } from '../../_support/postgres.js'
import { startCluster } from '../../_support/servers/postgres-server.js'
import { testSettings } from '../../_support/worlds/store.js'

test('while the server is down, queries are refused as unavailable, then answered again', async t => {
  const cluster = await startCluster()
  t.after(() => cluster.remove())
  const store = await openPostgresStore(cluster.url, testSettings, { create: true })
  t.after(() => store.close())
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    await cluster.stop(signal)
    for (const ask of [
      () => store.instance.probe(),
      () => store.instance.beat('me', 1),
      () => store.pings.record([]),
    ]) {
      await assert.rejects(ask, error => isUnavailable(error))
    }
    // Far more than there are connections: those that wait for one are told as well.
    const many = await Promise.allSettled(Array.from({ length: 200 }, () => store.instance.probe()))
    assert.ok(many.every(result => result.status === 'rejected' && isUnavailable(result.reason)))
    await cluster.start()
    const [read, written] = await Promise.all([
      store.projects.list(),
      store.checks.create(project.id, { changes: {}, unique: null, now: 1 }),
    ])
    assert.equal(read.length, 1)
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => (n % 2 ? store.instance.probe() : store.instance.beat('me', 1))),
    )
    assert.equal(written.created, true)
  }
})

test('a connection that the server closes between two queries is replaced silently', async t => {
  const database = await freshDatabase()
  const store = await openPostgresStore(database.url, testSettings, { create: true })
  t.after(async () => {
    await store.close()
    await database.drop()
  })
  for (let round = 0; round < 3; round++) {
    await Promise.all([store.instance.probe(), store.instance.beat('me', round)])
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    await Promise.all([store.instance.probe(), store.instance.beat('me', round)])
  }
})

test('if the server allows no more connections, the open ones are used', async t => {
  const cluster = await startCluster(['max_connections=20'])
  t.after(() => cluster.remove())
  const store = await openPostgresStore(cluster.url, testSettings, { create: true })
  t.after(() => store.close())
  await store.instance.beat('me', 0)
  await store.instance.probe()
  const others: pg.Client[] = []
  t.after(() => Promise.all(others.map(client => client.end())))
  for (let full = false; !full; ) {
    const client = new pg.Client(cluster.url).on('error', () => {})
    full = await client.connect().then(
      () => false,
      () => true,
    )
    if (!full) others.push(client)
  }
  // In some rounds a connection is returned while another one is being refused.
  for (let round = 0; round < 20; round++) {
    const asked = Array.from({ length: 2 + round * 2 }, (_, n) =>
      n % 4 === 0
        ? store.instance.beat('me', n)
        : n % 4 === 1
          ? store.instance.probe()
          : store.pings.record([]),
    )
    await Promise.all(asked)
  }
})

test('a database that a newer version has migrated is refused', async t => {
  const database = await freshDatabase()
  await database.query("INSERT INTO migrations VALUES ('9999_later', 1)")
  t.after(async () => {
    await database.query("DELETE FROM migrations WHERE name = '9999_later'")
    await database.drop()
  })
  await assert.rejects(openPostgresStore(database.url, testSettings, { create: true }), {
    name: 'Refusal',
    message: /does not know \(9999_later\): install a newer Punctual/,
  })
})

test('tables are created only if requested', async t => {
  const database = await freshDatabase()
  t.after(() => database.drop())
  const url = new URL(database.directUrl)
  url.searchParams.set('options', '-c search_path=nowhere')
  await assert.rejects(openPostgresStore(url.href, testSettings, { create: false }), {
    name: 'Refusal',
    message: /the database has no tables/,
  })
})

test('the character 0, which PostgreSQL cannot store, is replaced', async t => {
  const database = await freshDatabase()
  const store = await openPostgresStore(database.url, testSettings, { create: true })
  t.after(async () => {
    await store.close()
    await database.drop()
  })
  await store.projects.create({ name: 'a\0b', ownerId: null, pingKey: null, now: 1 })
  assert.equal((await store.projects.list())[0]!.name, 'a\uFFFDb')
})
