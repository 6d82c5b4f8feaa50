/** Pings whose alerts go to very many channels: others do not wait for them. Decision 0158. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import { MOST_CHANNELS } from '../../../src/core/projects/most-channels.js'
import { Changes } from '../../../src/lib/changes.js'
import { MOST_TARGETS_AT_ONCE } from '../../../src/storage/channels/count-targets.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const AT_ONCE = MOST_TARGETS_AT_ONCE / MOST_CHANNELS

test('pings that alert many channels do not share a transaction with those of others', async t => {
  const { alice, addProject, addChecks, deliveries } = await openWorld(t)
  const bob = await addProject('bob')
  await bob.addChannel('Own')
  const ofAlice = await addChecks(alice, AT_ONCE + 1)
  const ofBob = await addChecks(bob, 3)
  const pings = [...ofAlice, ...ofBob].map(uuid => fail(uuid))
  const none = { checks: [], projects: [] }
  const recorded = await alice.store.pings.record(pings, none)
  assert.deepEqual(recorded.outcomes, [...Array(AT_ONCE + 1).fill('locked'), ...Array(3).fill('ok')])
  assert.deepEqual([...recorded.large!], [...recorded.locked!.keys()])
  assert.equal(await deliveries(), 3)
  const alone = await alice.store.pings.record([pings[0]!], none)
  assert.deepEqual(alone.outcomes, ['ok'])
  const apart = await alice.store.pings.record([...pings.slice(1, AT_ONCE + 1), fail(ofAlice[0]!)])
  assert.deepEqual(apart.outcomes, Array(AT_ONCE + 1).fill('ok'))
  assert.equal(await deliveries(), (AT_ONCE + 1) * MOST_CHANNELS + 3)
})

test('of checks that are linked to some channels each, as many are alerted together as there is room for', async t => {
  const { alice, addChecks, deliveries } = await openWorld(t)
  const some = (await alice.store.channels.list(alice.projectId)).slice(0, 30).map(({ uuid }) => uuid)
  const checks = await addChecks(alice, 40, some.join(','))
  const pings = checks.map(uuid => fail(uuid))
  const { outcomes } = await alice.store.pings.record(pings, { checks: [], projects: [] })
  const room = Math.floor(MOST_TARGETS_AT_ONCE / 30)
  assert.deepEqual(outcomes, [...Array(room).fill('ok'), ...Array(40 - room).fill('locked')])
  assert.equal(await deliveries(), room * 30)
})

test('of pings that all alert many channels, the first are recorded, however many', async t => {
  const { alice, addChecks } = await openWorld(t)
  const some = (await alice.store.channels.list(alice.projectId)).slice(0, 126).map(({ uuid }) => uuid)
  const [wide] = await addChecks(alice, 1)
  const narrow = await addChecks(alice, 7, some.join(','))
  const { outcomes } = await alice.store.pings.record([wide!, ...narrow].map(uuid => fail(uuid)))
  const room = Math.floor((MOST_TARGETS_AT_ONCE - MOST_CHANNELS) / 126)
  assert.deepEqual(outcomes, [...Array(1 + room).fill('ok'), ...Array(7 - room).fill('locked')])
})

test('a ping that alerts nobody leaves the room as it is, also if there is none', async t => {
  const { alice, addChecks } = await openWorld(t)
  const uuids = [
    ...(await addChecks(alice, AT_ONCE)),
    ...(await addChecks(alice, 1, '')),
    ...(await addChecks(alice, 1)),
  ]
  const { outcomes } = await alice.store.pings.record(uuids.map(uuid => fail(uuid)))
  assert.deepEqual(outcomes, [...Array(AT_ONCE + 1).fill('ok'), 'locked'])
})

test('pings that create no check, because the account has too many, are no reason to put off others', async t => {
  const { alice, addProject, raw } = await openWorld(t)
  const bob = await addProject('bob')
  await raw(`UPDATE projects SET n_checks = 1000000 WHERE id = ${alice.projectId}`)
  const full = Array.from({ length: AT_ONCE }, (_, n) => alice.arrived(`new-${n}`))
  const { outcomes } = await alice.store.pings.record([...full, bob.arrived('new')])
  assert.deepEqual(outcomes, [...Array(AT_ONCE).fill('not-found'), 'created'])
})

test('checks that are linked to few of the channels of their project are alerted together', async t => {
  const { alice, addChecks, deliveries } = await openWorld(t)
  const checks = await addChecks(alice, 60, '')
  const { outcomes, locked } = await alice.store.pings.record(checks.map(uuid => fail(uuid)))
  assert.ok(outcomes.every(outcome => outcome === 'ok'))
  assert.equal(locked, undefined)
  assert.equal(await deliveries(), 0)
})

test('of checks whose policies may name all channels fewer are alerted together', async t => {
  const { alice, addChecks } = await openWorld(t)
  const uuids = (await alice.store.channels.list(alice.projectId)).slice(0, 100).map(({ uuid }) => uuid)
  const steps = [{ after: 0, channels: uuids }]
  const policy = { name: 'On call', steps, repeat: null, isDefault: true, now: alice.now }
  await alice.store.incidents.createPolicy(alice.projectId, policy)
  const checks = await addChecks(alice, AT_ONCE + 1, '')
  const { outcomes } = await alice.store.pings.record(checks.map(uuid => fail(uuid)))
  assert.equal(outcomes.filter(outcome => outcome === 'ok').length, AT_ONCE)
})

test('of one check’s pings the first are recorded, and the others after them', async t => {
  const { alice, addChecks, deliveries } = await openWorld(t)
  const [uuid] = await addChecks(alice, 1)
  const pings = Array.from({ length: 64 }, (_, index) =>
    arrivedPing({ uuid: uuid! }, alice.now + index, { action: index % 2 === 0 ? 'fail' : 'success' }),
  )
  const { outcomes } = await alice.store.pings.record(pings)
  assert.deepEqual(outcomes, [...Array(AT_ONCE).fill('ok'), ...Array(64 - AT_ONCE).fill('locked')])
  assert.equal(await deliveries(), MOST_TARGETS_AT_ONCE)
})

test('of checks that pings create, only so many are created at once', async t => {
  const { alice, addProject } = await openWorld(t)
  const bob = await addProject('bob')
  const createdOf = async (harness: StoreHarness) => {
    const pings = Array.from({ length: 40 }, (_, index) => harness.arrived(`new-${index}`))
    const { outcomes, locked, large } = await harness.store.pings.record(pings)
    const created = outcomes.filter(outcome => outcome === 'created').length
    assert.deepEqual(outcomes.slice(created), Array(40 - created).fill('locked'))
    const waiting = { checkId: null, projectId: harness.projectId }
    assert.deepEqual([...locked!.values()], Array(40 - created).fill(waiting))
    assert.equal(large!.size, 40 - created)
    return created
  }
  assert.equal(await createdOf(bob), 32)
  assert.equal(await createdOf(alice), AT_ONCE)
})

test('pings of a slug whose check is not created yet wait with the one that would create it', async t => {
  const { alice } = await openWorld(t)
  const slugs = Array.from({ length: AT_ONCE + 1 }, (_, index) => `new-${index}`)
  const last = slugs.at(-1)!
  const plain = arrivedPing({ pingKey: 'alice', slug: last, create: false }, alice.now)
  const pings = [plain, ...slugs.map(slug => alice.arrived(slug)), plain, alice.arrived(last)]
  const { outcomes } = await alice.store.pings.record(pings)
  const created = Array(AT_ONCE).fill('created')
  assert.deepEqual(outcomes, ['not-found', ...created, 'locked', 'locked', 'locked'])
  const again = await alice.store.pings.record(pings.slice(-3))
  assert.deepEqual(again.outcomes, ['created', 'ok', 'ok'])
})

test('first pings of new checks wait behind earlier ones of their project, and not behind those of others', async t => {
  const { alice, addProject } = await openWorld(t)
  const bob = await addProject('bob')
  const { store, projectId } = alice
  await store.pings.record([alice.arrived('known')])
  const pings = [alice.arrived('new'), bob.arrived('new'), alice.arrived('known'), alice.arrived('new')]
  const recorded = await store.pings.record(pings, { checks: [], projects: [projectId] })
  assert.deepEqual(recorded.outcomes, ['locked', 'created', 'ok', 'locked'])
  const waiting = { checkId: null, projectId }
  assert.deepEqual(
    [...recorded.locked!],
    [
      [0, waiting],
      [3, waiting],
    ],
  )
  assert.deepEqual([...recorded.large!], [0, 3])
})

test('pings wait behind earlier ones of their check, whatever they name', async t => {
  const { alice, raw } = await openWorld(t)
  await alice.store.pings.record([alice.arrived('known')])
  const [check] = await raw('SELECT id, uuid FROM checks')
  const [id, uuid] = [Number(check!.id), String(check!.uuid)]
  const pings = [arrivedPing({ uuid }, alice.now), alice.arrived('known')]
  const { outcomes, locked } = await alice.store.pings.record(pings, { checks: [id], projects: [] })
  assert.deepEqual(outcomes, ['locked', 'locked'])
  assert.deepEqual([...locked!.values()], Array(2).fill({ checkId: id, projectId: alice.projectId }))
})

test('a project can have only so many channels', async t => {
  const { alice, addProject } = await openWorld(t)
  await assert.rejects(alice.addChannel('One more'), { code: 'limit', message: /500 integrations/ })
  await (await addProject('bob')).addChannel('First')
})

test('all that is put off is recorded after the others, in the order in which it came', async t => {
  const { alice, addChecks, deliveries, raw } = await openWorld(t)
  const checks = await addChecks(alice, 2 * AT_ONCE)
  const queue = new PingQueue(alice.store, new Changes(), assert.fail)
  const known = checks.flatMap(uuid => [
    queue.record(fail(uuid)),
    queue.record(arrivedPing({ uuid }, 2_000_001, { action: 'log' })),
  ])
  const created = Array.from({ length: 12 }, (_, index) => queue.record(alice.arrived(`new-${index}`)))
  assert.deepEqual(await Promise.all(known), Array(known.length).fill('ok'))
  assert.deepEqual(await Promise.all(created), Array(12).fill('created'))
  assert.deepEqual([queue.length, queue.locked, queue.hearing.behind()], [0, 0, {}])
  assert.equal(await deliveries(), checks.length * MOST_CHANNELS)
  const logged = await raw(
    `SELECT kind FROM pings WHERE n = 1 AND created_at < ${alice.now} ORDER BY check_id`,
  )
  assert.deepEqual(
    logged.map(({ kind }) => kind),
    Array(checks.length).fill('fail'),
  )
})

function fail(uuid: string) {
  return arrivedPing({ uuid }, 2_000_000, { action: 'fail' })
}

/** Alice's project has as many channels as it can have. */
async function openWorld(t: TestContext) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const addProject = async (name: string) => {
    const { id } = await store.projects.create({ name, ownerId: null, pingKey: name, now: 1 })
    return new StoreHarness(store, id, undefined, name)
  }
  const alice = await addProject('alice')
  for (let index = 0; index < MOST_CHANNELS; index++) await alice.addChannel(`Channel ${index}`)
  const addChecks = async ({ projectId }: StoreHarness, count: number, channels = '*') => {
    const uuids: string[] = []
    while (uuids.length < count) {
      const { check } = await store.checks.create(projectId, { changes: {}, channels, unique: null, now: 1 })
      uuids.push(check.uuid)
    }
    return uuids
  }
  const deliveries = async () => Number((await raw('SELECT count(*) AS n FROM deliveries'))[0]!.n)
  return { alice, addProject, addChecks, deliveries, raw }
}
