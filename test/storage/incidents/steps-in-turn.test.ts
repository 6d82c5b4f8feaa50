/** Steps of many incidents of one project beside those of others. Decision 0103. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { escalate } from '../../../src/actions/incidents/escalate.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { addCheck } from '../../_support/worlds/locked-rows.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const STEP_S = 900
const LATER = Date.UTC(2026, 0, 16)

test('a step of a project does not wait for the many of another that were due before it', async t => {
  const world = await open(t, [8, 1])
  await world.look(4)
  assert.deepEqual(await world.sent(), [1, 1, 2])
})

test('each project has its turn before one has its second', async t => {
  const world = await open(t, [4, 4, 4])
  const turns: string[] = []
  for (let after = 0, round = 0; round < 2; ) {
    after = await world.look(2, after)
    turns.push((await world.sent()).join(' '))
    if (after === 0) round++
  }
  assert.deepEqual(turns, ['1 2', '1 2 3 3', '1 1 2 2 3 3', '1 1 2 2 3 3 3 3'])
})

test('all steps that are due are sent, also those of projects behind one whose steps are locked', async t => {
  const world = await open(t, [3, 2, 1])
  const { store } = world
  const from: (number | undefined)[] = []
  const counted: typeof store.incidents.escalate = async (now, _limit, after) => {
    from.push(after)
    // The first turn finds everything locked.
    return from.length === 1
      ? { alerts: false, checks: false, looked: 0, after: 1, tookMs: 0 }
      : await store.incidents.escalate(now, 1, after)
  }
  const incidents = { ...store.incidents, escalate: counted }
  const next = await escalate({ store: { incidents }, clock: { now: () => LATER } })
  assert.equal(next, null)
  assert.deepEqual(await world.sent(), [1, 1, 1, 2, 2, 3])
  assert.deepEqual(from.slice(0, 4), [0, 1, 2, 0])
})

test('a transaction looks at as many channels as the last full ones had time for', async t => {
  const { store, sent } = await open(t, [5])
  const limits: number[] = []
  const counted: typeof store.incidents.escalate = async (now, limit, after) => {
    limits.push(limit)
    return await store.incidents.escalate(now, limit, after)
  }
  const slices = {
    size: 3,
    took(ms: number) {
      assert.ok(ms > 0)
      slices.size = 1
    },
  }
  const incidents = { ...store.incidents, escalate: counted }
  await escalate({ store: { incidents }, clock: { now: () => LATER }, slices })
  assert.deepEqual(limits, [3, 1, 1])
  assert.deepEqual(await sent(), [1, 1, 1, 1, 1])
})

test('at a stop the rest is left', async t => {
  const { store, sent } = await open(t, [5])
  const slices = { size: 2, took() {} }
  const look = async (isEnding: () => boolean) =>
    await escalate({ store, clock: { now: () => LATER }, slices, isEnding })
  let looks = 0
  assert.ok((await look(() => looks++ === 1))! <= LATER)
  assert.equal((await sent()).length, 2)
  assert.equal(await look(() => false), null)
  assert.equal((await sent()).length, 5)
})

async function open(t: TestContext, checks: readonly number[]) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  for (const [place, count] of checks.entries()) {
    const made = { name: `P${place}`, ownerId: null, pingKey: `key${place}`, now: 1 }
    const project = await store.projects.create(made)
    const scene = new StoreHarness(store, project.id)
    scene.now += place * 1_000
    const slugs = Array.from({ length: count }, (_, number) => `job-${number}`)
    const uuids: string[] = []
    for (const slug of slugs) uuids.push(await addCheck(scene, slug))
    const phone = await scene.addChannel('Phone')
    const { projectId, now } = scene
    await store.channels.assign({ id: phone.id, projectId, checks: [], now })
    const steps = [{ after: STEP_S, channels: [phone.uuid] }]
    await store.incidents.createPolicy(projectId, { name: 'P', isDefault: true, steps, repeat: null, now })
    await store.pings.record(uuids.map(uuid => arrivedPing({ uuid }, now, { action: 'fail' })))
  }
  return {
    store,
    look: async (limit: number, after = 0) => (await store.incidents.escalate(LATER, limit, after)).after,
    /** The projects to which steps were sent, once for each step. */
    sent: async () => {
      const rows = await raw(`SELECT ch.project_id FROM deliveries d JOIN channels ch ON ch.id = d.channel_id
        WHERE d.again = 'step' ORDER BY ch.project_id`)
      return rows.map(row => Number(row.project_id))
    },
  }
}
