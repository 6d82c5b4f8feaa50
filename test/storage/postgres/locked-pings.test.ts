/** Pings of checks while another transaction has locked what they change. Decision 0157. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import type { ArrivedPing } from '../../../src/core/pings/arrived-ping.js'
import { Changes } from '../../../src/lib/changes.js'
import { partOfCheck } from '../../../src/storage/instance/parts.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { eventually } from '../../_support/eventually.js'
import { onOneServer } from '../../_support/servers/postgres-server.js'
import { addCheck, LockedRows } from '../../_support/worlds/locked-rows.js'
import { testSettings } from '../../_support/worlds/store.js'
import type { StoreHarness } from '../../_support/worlds/store-harness.js'

/** What is locked, and the action of the pings that need it. */
type Lock = [
  what: string,
  table: string,
  condition: (alice: StoreHarness, checkId: number) => string,
  action: 'success' | 'fail',
]

const OF_ALICE = ({ projectId }: StoreHarness) => `project_id = ${projectId}`
const LOCKS: Lock[] = [
  ['their check', 'checks', (_, checkId) => `id = ${checkId}`, 'success'],
  ['a channel that they alert', 'channels', OF_ALICE, 'fail'],
  ['the project in which they alert', 'projects', ({ projectId }) => `id = ${projectId}`, 'fail'],
  ['the incident that they reopen', 'incidents', OF_ALICE, 'fail'],
]

for (const [what, table, condition, action] of LOCKS) {
  test(`pings are put off while ${what} is locked, and others are recorded`, async t => {
    const { alice, bob, store, lock, row } = await openWorld(t)
    const [first, second] = [await addCheck(alice, 'first'), await addCheck(bob, 'second')]
    await alice.addChannel('Own')
    const id = (await row(first)).id
    if (table === 'incidents')
      for (const kind of ['fail', 'success'] as const) await alice.ping('first', kind)
    const { pings: before } = await row(first)
    const pings = [first, second, first].map(uuid => ping(alice, uuid, action))
    const release = await lock(table, condition(alice, id))
    const one = await store.pings.record(pings)
    assert.deepEqual(one.outcomes, ['locked', 'ok', 'locked'])
    const check = { checkId: id, projectId: alice.projectId }
    assert.deepEqual(
      [...one.locked!],
      [
        [0, check],
        [2, check],
      ],
    )
    assert.equal((await row(first)).pings, before)
    await release()
    const again = await store.pings.record([pings[0]!, pings[2]!])
    assert.deepEqual([again.outcomes, again.locked], [['ok', 'ok'], undefined])
    assert.equal(again.alerts, action === 'fail')
    assert.equal((await row(first)).pings, before + 2)
  })
}

for (const table of ['projects', 'channels'])
  test(`a check is created by its ping once nothing of its project is locked in ${table} any more`, async t => {
    const { alice, bob, store, lock } = await openWorld(t)
    for (const scene of [alice, alice, bob]) await scene.addChannel('Own')
    const pings = ['key', 'bob'].map(pingKey =>
      arrivedPing({ pingKey, slug: 'new', create: true }, alice.now),
    )
    const { projectId } = alice
    const release = await lock(
      table,
      table === 'projects' ? `id = ${projectId}` : `project_id = ${projectId}`,
    )
    const { outcomes, locked } = await store.pings.record(pings)
    assert.deepEqual([outcomes, [...locked!]], [['locked', 'created'], [[0, { checkId: null, projectId }]]])
    await release()
    assert.deepEqual((await store.pings.record(pings)).outcomes, ['created', 'ok'])
  })

test('pings wait behind earlier ones of their check, whatever they name', async t => {
  const { alice, bob, store, row } = await openWorld(t)
  const [first, second] = [await addCheck(alice, 'first'), await addCheck(bob, 'second')]
  const after = [(await row(first)).id]
  const bySlug = arrivedPing({ pingKey: 'key', slug: 'first', create: false }, alice.now)
  // Twice: a process remembers the checks of its last pings.
  for (let times = 0; times < 2; times++) {
    const pings = [ping(alice, first, 'success'), bySlug, ping(alice, second, 'success')]
    const { outcomes, locked } = await store.pings.record(pings, { checks: after, projects: [] })
    assert.deepEqual(outcomes, ['locked', 'locked', 'ok'])
    const check = { checkId: after[0]!, projectId: alice.projectId }
    assert.deepEqual([...locked!.values()], [check, check])
  }
  assert.equal((await row(first)).pings, 1)
})

test('an e-mail that has to be read does not wait for a lock before it is read', async t => {
  const { alice, store, lock, row } = await openWorld(t)
  const changes = { slug: 'first', filterSubject: true, failureKw: 'FAILED' }
  const { check } = await store.checks.create(alice.projectId, { changes, unique: null, now: 1 })
  const mail = { ...ping(alice, check.uuid, 'success'), scheme: 'email', mail: null }
  const read = { ...mail, mail: { subject: 'FAILED', body: '' } }
  const release = await lock('checks', `id = ${(await row(check.uuid)).id}`)
  assert.deepEqual((await store.pings.record([mail, read])).outcomes, ['unread', 'locked'])
  await release()
  const after = [(await row(check.uuid)).id]
  assert.deepEqual((await store.pings.record([mail, read], { checks: after, projects: [] })).outcomes, [
    'unread',
    'locked',
  ])
  await alice.addChannel('Own')
  const unlock = await lock('channels', 'true')
  assert.deepEqual((await store.pings.record([mail, read])).outcomes, ['unread', 'locked'])
  await unlock()
})

test('it is known which checks are locked; those that are gone are not', async t => {
  const { alice, bob, store, lock, row } = await openWorld(t)
  const ids = [(await row(await addCheck(alice, 'first'))).id, (await row(await addCheck(bob, 'second'))).id]
  const release = await lock('checks', `id = ${ids[0]}`)
  assert.deepEqual(await store.pings.lockedChecks([...ids, 1_000]), [ids[0]])
  await release()
  assert.deepEqual(await store.pings.lockedChecks(ids), [])
})

test(
  'pings of one check through two processes are recorded in the order in which they began to wait',
  onOneServer,
  async t => {
    const { alice, store, url, query, lock, row } = await openWorld(t)
    const other = await openPostgresStore(url, testSettings, { create: false })
    t.after(() => other.close())
    const [here, there] = [store, other].map(one => new PingQueue(one, new Changes(), assert.fail))
    const inLine = async () => {
      const [found] = await query(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return found!.n
    }
    for (let round = 0; round < 5; round++) {
      const uuid = await addCheck(alice, `check ${round}`)
      const release = await lock('checks', `id = ${(await row(uuid)).id}`)
      const answers = []
      for (const [queue, action, waiting] of [
        [there, 'start', 1],
        [there, 'success', 1],
        [here, 'start', 2],
        [here, 'fail', 2],
      ] as const) {
        alice.now += 1_000
        const before = queue!.locked
        answers.push(queue!.record(ping(alice, uuid, action)))
        await eventually(() => queue!.locked > before)
        // It is counted before its process waits in line.
        await eventually(async () => (await inLine()) === waiting)
      }
      // For longer than those that cannot wait in line pause.
      await sleep(100 * round)
      await release()
      assert.deepEqual(await Promise.all(answers), ['ok', 'ok', 'ok', 'ok'])
      const log = await query(
        `SELECT string_agg(p.kind, ' ' ORDER BY p.n) AS kinds FROM pings p JOIN checks c ON c.id = p.check_id WHERE c.uuid = '${uuid}'`,
      )
      assert.deepEqual(log, [{ kinds: 'success start success start fail' }])
    }
  },
)

test('what waits in line ends when the store is closed', async t => {
  const { alice, url, lock, row } = await openWorld(t)
  const store = await openPostgresStore(url, testSettings, { create: false })
  const uuid = await addCheck(alice, 'first')
  const { id } = await row(uuid)
  const release = await lock('checks', `id = ${id}`)
  const inLine = store.pings.recordInLine(id, () => assert.fail('it was not its turn'))
  const ended = assert.rejects(inLine)
  await sleep(100)
  const tooLong = new AbortController()
  await Promise.race([
    store.close(),
    sleep(5_000, null, { signal: tooLong.signal }).then(() => assert.fail('it is waited for')),
  ])
  tooLong.abort()
  await ended
  await release()
})

test('pings do not wait for messages about a check whose log they make too long', async t => {
  const { alice, bob, store, lock, row, query } = await openWorld(t)
  const [first, second] = [await addCheck(alice, 'first'), await addCheck(bob, 'second')]
  await alice.addChannel('Own')
  await alice.ping('first', 'fail')
  const [message] = await alice.claim()
  await alice.settle(message!, 'sent')
  await query(`UPDATE checks SET n_pings = 1999 WHERE uuid = '${first}'`)
  const release = await lock('notifications', 'true')
  const pings = [first, second].map(uuid => ping(alice, uuid, 'success'))
  // The first is not remembered as it is now, so that it is read.
  assert.deepEqual((await store.pings.record(pings)).outcomes, ['ok', 'ok'])
  assert.equal((await row(first)).pings, 2_000)
  await release()
})

test('a check whose ping is put off neither goes down by a deadline after that ping nor is shown as down', async t => {
  const { alice, bob, store, row } = await openWorld(t)
  const [first] = [await addCheck(alice, 'first'), await addCheck(bob, 'second')]
  const now = alice.now + 121_000
  const behind = { [partOfCheck((await row(first)).id)]: alice.now + 119_000 }
  await store.instance.beat('web', now, { behind })
  assert.equal((await store.alerts.declareDown(now, 100)).declared, 1)
  assert.equal((await row(first)).status, 'up')
  const viewer = { projectId: alice.projectId, version: 3, access: 'rw', now } as const
  const listed = await store.checks.showList(viewer, { slug: null, tags: [] })
  assert.equal(JSON.parse(Buffer.from(listed).toString()).checks[0].status, 'grace')
  await store.instance.beat('web', now + 1_000, {})
  assert.equal((await store.alerts.declareDown(now + 1_000, 100)).declared, 1)
})

test('a run whose start waited for a lock counts from our answer, in every process', async t => {
  const { alice, store, lock, row } = await openWorld(t)
  const uuid = await addCheck(alice, 'first')
  alice.now += 1_000
  const queue = new PingQueue(store, new Changes(), assert.fail, undefined, { now: () => alice.now })
  const beat = (now: number) => {
    const facts = { heardUntil: queue.hearing.heardUntil(now), behind: queue.hearing.behind() }
    return store.instance.beat('web', now, facts)
  }
  const release = await lock('checks', `id = ${(await row(uuid)).id}`)
  const since = performance.now()
  const started = queue.record(arrivedPing({ uuid }, alice.now, { action: 'start' }))
  await eventually(() => queue.locked === 1)
  await beat(alice.now + 59_999)
  while (performance.now() - since < 1_000) await sleep(20)
  await release()
  assert.equal(await started, 'ok')
  await queue.settled()
  // The limit of the run is the grace time of 60 s, which began with our answer.
  const { alertAfter } = (await store.checks.facts(alice.projectId, uuid, alice.now)).check
  const waitedMs = alertAfter! - alice.now - 60_000
  assert.ok(waitedMs >= 1_000 && waitedMs < 8_000, `${waitedMs} ms`)
  await beat(alertAfter! - 1)
  assert.equal((await store.alerts.declareDown(alertAfter! - 1, 100)).declared, 0)
  await beat(alertAfter!)
  assert.equal((await store.alerts.declareDown(alertAfter!, 100)).declared, 1)
  assert.equal((await row(uuid)).last_start, alice.now)
})

test('outages of very many single checks do not end the hold of one of all', async t => {
  const { alice, store, query } = await openWorld(t)
  await addCheck(alice, 'first')
  const deadline = alice.now + 120_000
  const outage = (part: string, endsAt: string) =>
    `SELECT ${deadline - 5_000}, ${deadline + 5_000}, ${endsAt}, 0, 0, ${part}`
  await query(`INSERT INTO outages (started_at, ended_at, hold_until, partial, heard_ms, part)
    ${outage(`''`, `${deadline + 60_000}`)}
    UNION ALL ${outage(`'=' || (1000 + n)`, `${deadline + 60_000} + n`)} FROM generate_series(1, 2000) n`)
  await store.instance.beat('me', deadline + 10_000)
  assert.equal((await store.alerts.declareDown(deadline + 10_000, 100)).declared, 0)
  await store.instance.beat('me', deadline + 70_000)
  assert.equal((await store.alerts.declareDown(deadline + 70_000, 100)).declared, 1)
})

async function openWorld(t: TestContext) {
  const world = await LockedRows.open(t)
  const { alice, bob, store } = world
  /** What the database has of a check. */
  const row = async (uuid: string) => {
    const [found] = await world.query(
      `SELECT id::int, n_pings::int AS pings, status, last_start::float8 FROM checks WHERE uuid = '${uuid}'`,
    )
    return found as { id: number; pings: number; status: string; last_start: number | null }
  }
  const { url, query } = world
  return { alice, bob, store, url, row, query, lock: world.lock.bind(world) }
}

function ping({ now }: StoreHarness, uuid: string, action: ArrivedPing['action']): ArrivedPing {
  return arrivedPing({ uuid }, now, { action })
}
