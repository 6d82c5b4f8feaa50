/** The ends of the holds of dependencies while another transaction has locked a channel of one project. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { REOPEN_MS } from '../../../src/core/incidents/incident.js'
import { dependenciesJob } from '../../../src/jobs/dependencies.js'
import { MOST_AT_ONCE } from '../../../src/storage/incidents/release-dependants.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { eventually } from '../../_support/eventually.js'
import { addCheck, LockedRows } from '../../_support/worlds/locked-rows.js'
import type { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000

test('the end of an incident waits for its locked channel, and those of others do not', async t => {
  const { alice, bob, store, lockChannels, runJob } = await openWorld(t)
  for (const { scene, router } of [alice, bob]) {
    for (const action of ['fail', 'success'] as const) await ping(scene, router, action)
  }
  const projects = async () =>
    (await store.incidents.ended(alice.scene.now)).map(({ projectId }) => projectId)
  assert.deepEqual(await projects(), [alice.scene.projectId, bob.scene.projectId])
  const unlock = await lockChannels(alice.scene)
  const errors = runJob()
  await eventually(async () => !(await projects()).includes(bob.scene.projectId))
  assert.deepEqual(await projects(), [alice.scene.projectId])
  await unlock()
  await eventually(async () => (await projects()).length === 0)
  assert.deepEqual(errors, [])
})

test('the end of an incident does not wait for very many of another project whose channel is locked', async t => {
  const { alice, bob, query, lockChannels, runJob } = await openWorld(t)
  for (let left = MOST_AT_ONCE; left >= 0; left--) {
    for (const action of ['fail', 'success'] as const) await ping(alice.scene, alice.router, action)
    alice.scene.now += REOPEN_MS + 1
  }
  for (const action of ['fail', 'success'] as const) await ping(bob.scene, bob.router, action)
  const waiting = async ({ projectId }: StoreHarness) => {
    const rows = await query(
      `SELECT id FROM incidents WHERE project_id = ${projectId} AND releases = 1 AND closed_at IS NOT NULL`,
    )
    return rows.length
  }
  const count = await waiting(alice.scene)
  assert.ok(count > MOST_AT_ONCE, `${count}`)
  const unlock = await lockChannels(alice.scene)
  const errors = runJob()
  await eventually(async () => (await waiting(bob.scene)) === 0)
  assert.equal(await waiting(alice.scene), count)
  await unlock()
  await eventually(async () => (await waiting(alice.scene)) === 0)
  assert.deepEqual(errors, [])
})

// Both, because nothing says which comes first.
for (const name of ['Alice', 'Bob'] as const) {
  test(`the end of a wait of ${name} waits for its locked channel, and those of others do not`, async t => {
    const { alice, bob, query, lockChannels, runJob } = await openWorld(t)
    for (const { scene, backup } of [alice, bob]) await ping(scene, backup, 'fail')
    assert.deepEqual(await alice.scene.claim(), [], 'both wait for the router')
    const { now } = alice.scene
    const due = async () => {
      const rows = await query(`SELECT DISTINCT ch.project_id::int4 AS id FROM deliveries d
        JOIN channels ch ON ch.id = d.channel_id WHERE d.due_at <= ${now} ORDER BY 1`)
      return rows.map(({ id }) => id)
    }
    assert.deepEqual(await due(), [])
    const [locked, free] = name === 'Alice' ? [alice.scene, bob.scene] : [bob.scene, alice.scene]
    const unlock = await lockChannels(locked)
    const errors = runJob()
    await eventually(async () => (await due()).includes(free.projectId))
    assert.deepEqual(await due(), [free.projectId])
    await unlock()
    await eventually(async () => (await due()).length === 2)
    assert.deepEqual(errors, [])
  })
}

/** Two projects, each with a channel and a check `backup` that depends on `router`. */
async function openWorld(t: TestContext) {
  const world = await LockedRows.open(t)
  const [alice, bob] = [await addPair(world.alice), await addPair(world.bob)]
  for (const scene of [world.alice, world.bob]) scene.now += MINUTE
  return {
    alice,
    bob,
    store: world.store,
    query: world.query,
    lockChannels: ({ projectId }: StoreHarness) => world.lock('channels', `project_id = ${projectId}`),
    /** Runs the job until the test ends. Returns its errors. */
    runJob() {
      const errors: unknown[] = []
      const { store, alice } = world
      const job = dependenciesJob({ store, clock: { now: () => alice.now }, onError: e => errors.push(e) })
      job.start()
      t.after(() => job.stop())
      return errors
    },
  }
}

async function addPair(scene: StoreHarness) {
  const [router, backup] = [await addCheck(scene, 'router'), await addCheck(scene, 'backup')]
  await scene.addChannel('Chat')
  const asked = { changes: {}, parents: [router], now: scene.now }
  await scene.store.checks.update(scene.projectId, backup, asked)
  return { scene, router, backup }
}

async function ping({ store, now }: StoreHarness, uuid: string, action: 'success' | 'fail'): Promise<void> {
  await store.pings.record([arrivedPing({ uuid }, now, { action })])
}
