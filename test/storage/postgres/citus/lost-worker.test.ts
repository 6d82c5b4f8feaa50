/** What happens to checks while one of the workers that have them cannot be reached. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { isUnavailable } from '../../../../src/storage/errors.js'
import { distributePostgres } from '../../../../src/storage/postgres/migrate.js'
import { openPostgresStore } from '../../../../src/storage/postgres/open.js'
import { arrivedPing } from '../../../_support/arrived-ping.js'
import { eventually } from '../../../_support/eventually.js'
import { openLooseCable } from '../../../_support/servers/loose-cable.js'
import { workers } from '../../../_support/servers/postgres-server.js'
import { testSettings } from '../../../_support/worlds/store.js'
import { citusWorld, onCitus } from './citus-world.js'

const now = Date.UTC(2026, 0, 15, 12)
const DAY = 86_400_000

/** A store with 24 checks that were pinged, and the way to each worker with the checks that it has. */
async function scenery(t: TestContext) {
  const cables = await Promise.all(workers().map(worker => openLooseCable(worker)))
  const world = await citusWorld(
    t,
    undefined,
    cables.map(({ root }) => root),
  )
  await distributePostgres(world.url, 8)
  const store = await openPostgresStore(world.url, testSettings, { create: false })
  t.after(() => store.close())
  const { id: projectId } = await store.projects.create({ name: 'P', ownerId: null, pingKey: 'key', now })
  const uuids: string[] = []
  for (let index = 0; index < 24; index++) {
    const { check } = await store.checks.create(projectId, {
      changes: { slug: `job-${index}` },
      unique: null,
      now,
    })
    uuids.push(check.uuid)
  }
  const pingAll = (at: number, some = uuids) =>
    store.pings.record(some.map(uuid => arrivedPing({ uuid }, at)))
  // The second ping of a check is recorded on its worker.
  await pingAll(now)
  assert.deepEqual(new Set((await pingAll(now + 1)).outcomes), new Set(['ok']))
  const rows = await world.ask(
    `SELECT c.uuid, s.nodeport AS port FROM checks c
       JOIN citus_shards s ON s.shardid = get_shard_id_for_distribution_column('checks', c.id)`,
  )
  const of = (place: number) => {
    const port = Number(new URL(cables[place]!.root).port)
    return rows.filter(row => row.port === port).map(row => row.uuid as string)
  }
  assert.ok(of(0).length > 0 && of(1).length > 0)
  return { ...world, store, pingAll, cables, lost: of(0), others: of(1) }
}

test('while a worker is away its pings are refused, and those of the others recorded', onCitus, async t => {
  const { ask, store, pingAll, cables, lost, others } = await scenery(t)
  cables[0]!.refuse()
  const { outcomes, refusal, away } = await pingAll(now + 2, [...lost, ...others])
  assert.deepEqual(outcomes, [...lost.map(() => 'refused'), ...others.map(() => 'ok')])
  assert.ok(isUnavailable(refusal))
  assert.deepEqual([...away!.keys()], [...lost.keys()])
  const part = away!.get(0)!
  await assert.rejects(store.pings.probe(now, part), error => isUnavailable(error))
  await store.pings.probe(now)
  cables[0]!.mend()
  await eventually(() =>
    store.pings.probe(now, part).then(
      () => true,
      () => false,
    ),
  )
  await pingAll(now + 3, lost)
  const [row] = await ask('SELECT count(*)::int AS pings FROM pings')
  assert.equal(row!.pings, 24 * 3)
})

for (const table of ['check_names', 'incidents', 'flips'])
  test(`no outage ends while pings that need the table ${table} cannot be recorded`, onCitus, async t => {
    const { ask, store } = await scenery(t)
    await store.pings.probe(now)
    await ask(`ALTER TABLE ${table} RENAME TO away`)
    await assert.rejects(store.pings.probe(now), new RegExp(`"${table}" does not exist`))
    await ask(`ALTER TABLE away RENAME TO ${table}`)
    await store.pings.probe(now)
  })

test(
  'while a worker is away or silent it is known which checks of the others are locked',
  onCitus,
  async t => {
    const { url, ask, store, cables, lost, others } = await scenery(t)
    const names = await ask('SELECT uuid, check_id FROM check_names')
    const idOf = new Map(names.map(({ uuid, check_id }) => [uuid, Number(check_id)]))
    const idsOf = (uuids: string[]) => uuids.map(uuid => idOf.get(uuid)!)
    const all = idsOf([...lost, ...others])
    const locked = async () => (await store.pings.lockedChecks(all)).sort((a, b) => a - b)
    const inOrder = (ids: number[]) => ids.sort((a, b) => a - b)
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    // The database is dropped if the test fails.
    other.on('error', () => {})
    const [held] = idsOf(others)
    await other.query('BEGIN')
    await other.query(`SELECT 1 FROM checks WHERE id = ${held} FOR UPDATE`)
    assert.deepEqual(await locked(), [held])
    cables[0]!.cut()
    const from = performance.now()
    assert.deepEqual(await locked(), inOrder([...idsOf(lost), held!]))
    assert.ok(performance.now() - from < 4_000, 'it is not waited for longer')
    await other.query('COMMIT')
    await other.end()
    assert.deepEqual(await locked(), inOrder(idsOf(lost)))
    cables[0]!.mend()
    await eventually(async () => (await locked()).length === 0)
  },
)

test('pings to slugs are recorded on the workers that can be reached', onCitus, async t => {
  const { ask, store, cables, lost, others } = await scenery(t)
  const rows = await ask('SELECT uuid, slug FROM check_names')
  const slugOf = new Map(rows.map(({ uuid, slug }) => [uuid, slug as string]))
  cables[0]!.refuse()
  const { outcomes } = await store.pings.record(
    [...lost, ...others].map(uuid => {
      return arrivedPing({ pingKey: 'key', slug: slugOf.get(uuid)!, create: false }, now + 2)
    }),
  )
  assert.deepEqual(outcomes, [...lost.map(() => 'refused'), ...others.map(() => 'ok')])
})

test('a start while a worker is away records pings of the others', onCitus, async t => {
  const { url, cables, lost, others } = await scenery(t)
  cables[0]!.refuse()
  // Nothing is cached yet.
  const store = await openPostgresStore(url, testSettings, { create: false })
  t.after(() => store.close())
  const arrived = [...lost, ...others].map(uuid => arrivedPing({ uuid }, now + 2))
  const { outcomes } = await store.pings.record(arrived)
  assert.deepEqual(outcomes, [...lost.map(() => 'refused'), ...others.map(() => 'ok')])
  const alone = await store.pings.record([arrived[0]!])
  assert.deepEqual([alone.outcomes, alone.away?.size], [['refused'], 1])
})

test('a ping by slug is refused for the part of its check', onCitus, async t => {
  const { store, ask, cables, lost } = await scenery(t)
  const [row] = await ask(`SELECT slug FROM check_names WHERE uuid = '${lost[0]}'`)
  cables[0]!.refuse()
  const target = { pingKey: 'key', slug: row!.slug as string, create: false }
  const { outcomes, away } = await store.pings.record([arrivedPing(target, now + 2)])
  assert.deepEqual([outcomes, away?.size], [['refused'], 1])
})

test(
  'a worker that does not answer is left alone after the first pings that wait for it',
  onCitus,
  async t => {
    const { pingAll, cables, lost, others } = await scenery(t)
    cables[0]!.cut()
    const first = await pingAll(now + 2)
    assert.equal(first.outcomes.filter(outcome => outcome === 'ok').length, others.length)
    const from = performance.now()
    const { outcomes } = await pingAll(now + 3, [...lost, ...others])
    assert.deepEqual(outcomes, [...lost.map(() => 'refused'), ...others.map(() => 'ok')])
    assert.ok(performance.now() - from < 2_000, 'nothing waits for it')
  },
)

test('while a worker is away checks of the others go down', onCitus, async t => {
  const { ask, store, cables, others } = await scenery(t)
  cables[0]!.refuse()
  const { declared, errors } = await store.alerts.declareDown(now + 2 * DAY, 1000)
  assert.deepEqual([declared, errors], [others.length, []])
  assert.equal((await store.alerts.projectFacts(1)).down, others.length)
  assert.notEqual(await store.alerts.nextWake(), undefined)
  cables[0]!.mend()
  const [row] = await ask(`SELECT count(*)::int AS down FROM checks WHERE status = 'down'`)
  assert.equal(row!.down, others.length)
})

test('logs on the workers that can be reached are pruned', onCitus, async t => {
  const { url, ask, cables, lost, others } = await scenery(t)
  // A log is pruned with each hundredth ping.
  await ask('UPDATE checks SET n_pings = 99')
  const names = await ask(`SELECT uuid, check_id FROM check_names`)
  const idOf = new Map(names.map(({ uuid, check_id }) => [uuid, check_id]))
  const store = await openPostgresStore(url, { ...testSettings, pingLogLimit: 10 }, { create: false })
  t.after(() => store.close())
  await store.pings.record([...lost, ...others].map(uuid => arrivedPing({ uuid }, now + 2)))
  cables[0]!.refuse()
  await eventually(async () => {
    const counts = await Promise.all(
      others.map(uuid => ask(`SELECT count(*)::int AS pings FROM pings WHERE check_id = ${idOf.get(uuid)}`)),
    )
    return counts.every(([row]) => row!.pings === 1)
  })
})
