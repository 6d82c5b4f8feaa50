/** Several processes on one database, each as a store of its own. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { ArrivedPing } from '../../../src/core/pings/arrived-ping.js'
import { migrations } from '../../../src/storage/migrate.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import type { Store } from '../../../src/storage/store.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { claimMessages } from '../../_support/claim.js'
import { type FreshDatabase, freshDatabase } from '../../_support/postgres.js'
import { recordPings } from '../../_support/record-pings.js'
import { testSettings } from '../../_support/worlds/store.js'

const NOW = Date.UTC(2026, 0, 15, 12)

async function processes(t: TestContext, count: number): Promise<Store[] & { database: FreshDatabase }> {
  const database = await freshDatabase()
  const stores = await Promise.all(
    Array.from({ length: count }, () => openPostgresStore(database.url, testSettings, { create: true })),
  )
  t.after(async () => {
    for (const store of stores) await store.close()
    await database.drop()
  })
  return Object.assign(stores, { database })
}

async function projectIn(store: Store): Promise<number> {
  const project = { name: 'Alice', ownerId: null, pingKey: 'key', now: 1 }
  return (await store.projects.create(project)).id
}

const ping = (target: ArrivedPing['target'], more: Partial<ArrivedPing> = {}) =>
  arrivedPing(target, NOW, more)

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

test('processes that record pings of the same checks lose none and do not block', async t => {
  const stores = await processes(t, 4)
  const projectId = await projectIn(stores[0]!)
  const uuids: string[] = []
  for (let n = 0; n < 40; n++) {
    const { check } = await stores[0]!.checks.create(projectId, { changes: {}, unique: null, now: 1 })
    uuids.push(check.uuid)
  }
  const deadlocks = async () => {
    const rows = await stores.database.query(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    )
    return rows[0]!.deadlocks
  }
  const before = await deadlocks()
  const rounds = 25
  await Promise.all(
    stores.map(async (store, offset) => {
      for (let round = 0; round < rounds; round++) {
        const turned = uuids.map((_, index) => uuids[(index * (offset + 1) * 7 + round) % uuids.length]!)
        const { outcomes } = await recordPings(
          store,
          turned.map(uuid => ping({ uuid })),
        )
        assert.ok(outcomes.every(outcome => outcome === 'ok'))
      }
    }),
  )
  const rows = await stores.database.query(`
    SELECT c.uuid, c.n_pings, count(p.n) AS logged, min(p.n) AS first, max(p.n) AS last
      FROM checks c JOIN pings p ON p.check_id = c.id GROUP BY c.uuid, c.n_pings`)
  assert.equal(rows.length, uuids.length)
  let total = 0
  for (const { n_pings, logged, first, last } of rows) {
    assert.deepEqual([logged, first, last], [n_pings, 1, n_pings])
    total += n_pings as number
  }
  assert.equal(total, stores.length * rounds * uuids.length)
  assert.equal(await deadlocks(), before)
})

test('processes that get the first ping of a slug at once create one check', async t => {
  const stores = await processes(t, 4)
  await projectIn(stores[0]!)
  for (let round = 0; round < 5; round++) {
    const slugs = times(6, index => `job-${round}-${index}`)
    const results = await Promise.all(
      stores.map((store, offset) => {
        const order = offset % 2 === 0 ? slugs : slugs.toReversed()
        return recordPings(
          store,
          order.map(slug => ping({ pingKey: 'key', slug, create: true })),
        )
      }),
    )
    const outcomes = results.flatMap(result => result.outcomes)
    assert.equal(outcomes.filter(outcome => outcome === 'created').length, slugs.length)
    assert.equal(outcomes.filter(outcome => outcome === 'ok').length, slugs.length * 3)
  }
  const [counted] = await stores.database.query('SELECT count(*) AS n, sum(n_pings) AS pings FROM checks')
  assert.deepEqual([counted!.n, Number(counted!.pings)], [30, 120])
})

test('processes that create the same named check at once create one', async t => {
  const stores = await processes(t, 4)
  const projectId = await projectIn(stores[0]!)
  const written = await Promise.all(
    times(20, index => {
      const changes = { name: 'Backup', tags: `tag-${index}` }
      return stores[index % 4]!.checks.create(projectId, { changes, unique: { name: 'Backup' }, now: 1 })
    }),
  )
  assert.equal(new Set(written.map(({ check }) => check.uuid)).size, 1)
  assert.equal(written.filter(({ created }) => created).length, 1)
})

test('checks whose deadline passed are declared down once, and each delivery is claimed once', async t => {
  const stores = await processes(t, 3)
  const projectId = await projectIn(stores[0]!)
  await stores[0]!.channels.create({
    projectId,
    name: '',
    kind: 'webhook',
    settings: {},
    members: [],
    now: 1,
  })
  const slugs = times(60, index => ping({ pingKey: 'key', slug: `job-${index}`, create: true }))
  await recordPings(stores[0]!, slugs)
  const late = NOW + 10 * 86_400_000
  for (let at = NOW; at < late; at += 86_400_000) await stores[0]!.instance.beat('me', at)
  await stores[0]!.instance.beat('me', late)
  const after = late + 600_000
  for (let at = late; at <= after; at += 15_000) await stores[0]!.instance.beat('me', at)

  const declared = await Promise.all(
    stores.flatMap(store => times(4, () => store.alerts.declareDown(after, 25))),
  )
  let total = declared.reduce((sum, result) => sum + result.declared, 0)
  for (;;) {
    const rest = await stores[1]!.alerts.declareDown(after, 25)
    total += rest.declared
    if (!rest.more) break
  }
  assert.equal(total, 60)

  const claims = await Promise.all(
    stores.flatMap((store, index) =>
      times(3, () => claimMessages(store, after, { worker: `worker ${index}`, messages: 30 })),
    ),
  )
  const claimed = claims.flatMap(messages => messages.flatMap(({ parts }) => parts.map(({ uuid }) => uuid)))
  assert.equal(new Set(claimed).size, claimed.length)
  assert.equal(claimed.length, 60)
})

test('processes that use the same rate limit at once do not exceed it', async t => {
  const stores = await processes(t, 4)
  const limits = [
    { key: 'address', capacity: 10, periodMs: 60_000 },
    { key: 'account', capacity: 20, periodMs: 60_000 },
  ]
  const waits = await Promise.all(
    times(40, index => {
      const order = index % 2 === 0 ? limits : limits.toReversed()
      return stores[index % 4]!.people.takeFromLimits(order, NOW)
    }),
  )
  assert.equal(waits.filter(wait => wait === 0).length, 10)
})

test('several processes that create checks at once stay within the account’s limit', async t => {
  const database = await freshDatabase()
  const settings = { ...testSettings, checkLimit: 10 }
  const stores = await Promise.all(
    times(3, () => openPostgresStore(database.url, settings, { create: true })),
  )
  t.after(async () => {
    for (const store of stores) await store.close()
    await database.drop()
  })
  const projectId = await projectIn(stores[0]!)
  const made = await Promise.allSettled(
    times(18, index => stores[index % 3]!.checks.create(projectId, { changes: {}, unique: null, now: 1 })),
  )
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 10)
})

test('of processes that recover together from an outage, one stores it', async t => {
  const stores = await processes(t, 4)
  await stores[0]!.instance.beat('one', NOW)
  const beaten = await Promise.all(
    stores.map((store, index) =>
      store.instance.beat(`process ${index}`, NOW + 120_000, { phase: 'starting' }),
    ),
  )
  assert.equal(beaten.flatMap(({ outages }) => outages).length, 1)
})

test('the first start of several processes at once migrates once', async t => {
  const database = await freshDatabase()
  const schema = `first_start_${randomUUID().replaceAll('-', '')}`
  await database.query(`CREATE SCHEMA ${schema}`)
  t.after(async () => {
    await database.query(`DROP SCHEMA ${schema} CASCADE`)
    await database.drop()
  })
  const url = new URL(database.directUrl)
  url.searchParams.set('options', `-c search_path=${schema}`)
  const stores = await Promise.all(
    times(6, () => openPostgresStore(url.href, testSettings, { create: true })),
  )
  for (const store of stores) await store.instance.probe()
  for (const store of stores) await store.close()
  const rows = await database.query(`SELECT name FROM ${schema}.migrations ORDER BY name`)
  assert.deepEqual(
    rows.map(({ name }) => name),
    migrations().map(({ name }) => name),
  )
})
