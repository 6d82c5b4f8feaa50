/** What stops the clocks of policies, for incidents that are looked at in one go. Decision 0115. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MOST_EARLIER } from '../../../src/core/silences/versions.js'
import { PolicyHarness } from '../../_support/worlds/policy-harness.js'

const MINUTE = 60_000

test('each clock stops for the silences and dependencies of its own check and channel', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store } = world
  await world.usePolicy()
  for (const slug of ['disk', 'router', 'site']) await scene.ping(slug)
  const rows = await world.raw(
    'SELECT c.uuid, d.slug FROM checks c JOIN check_details d ON d.check_id = c.id',
  )
  const uuids = new Map(rows.map(({ slug, uuid }) => [slug, String(uuid)]))
  const { projectId, now } = scene
  await store.checks.update(projectId, uuids.get('disk')!, { changes: { tags: 'db' }, now })
  await store.checks.update(projectId, uuids.get('site')!, {
    changes: {},
    parents: [uuids.get('router')!],
    now,
  })
  const silence = { mode: 'hold' as const, reason: '', createdBy: 'Alice', now }
  const times = { kind: 'once' as const, from: now, to: now + 60 * MINUTE }
  await store.silences.create(projectId, {
    ...silence,
    scope: { tags: ['db'] },
    channels: null,
    times,
  })
  await store.silences.create(projectId, {
    ...silence,
    scope: { checks: [world.check] },
    channels: [world.chat.uuid],
    times,
  })
  for (const slug of ['backup', 'disk', 'router', 'site']) await scene.ping(slug, 'fail')
  const clocks = async () => {
    const found = await world.raw(`
      SELECT d.slug, ch.name, ic.clock_ms FROM incident_channels ic JOIN channels ch ON ch.id = ic.channel_id
      JOIN check_details d ON d.check_id = ic.check_id ORDER BY d.slug, ch.name`)
    return found.map(({ slug, name, clock_ms }) => `${slug} ${name} ${Number(clock_ms) / MINUTE}`)
  }
  const expected = (chat: number, phone: number) => [
    'backup Chat 0',
    `backup Phone ${phone}`,
    'disk Chat 0',
    'disk Phone 0',
    `router Chat ${chat}`,
    `router Phone ${phone}`,
    'site Chat 0',
    'site Phone 0',
  ]
  scene.now += 10 * MINUTE
  // The clocks of a check are set when its tags are changed.
  for (const uuid of uuids.values()) {
    const tags = uuid === uuids.get('disk') ? 'db disk' : 'more'
    await store.checks.update(projectId, uuid, { changes: { tags }, now: scene.now })
  }
  assert.deepEqual(await clocks(), expected(10, 10))
  scene.now += 5 * MINUTE
  await store.incidents.escalate(scene.now, 100)
  // Chat has nothing to do before its repeat, so its clock was not read again.
  assert.deepEqual(await clocks(), expected(10, 15))
})

/** The clock (minutes) of Phone after these steps, and what the silence held until each. */
async function clockAfter(world: PolicyHarness, steps: readonly { minutes: number; holds: boolean }[]) {
  const { scene, store } = world
  const { projectId } = scene
  const times = { kind: 'once' as const, from: scene.now, to: scene.now + 1_000 * MINUTE }
  const channels = (holds: boolean) => (holds ? null : [world.chat.uuid])
  const asked = { mode: 'hold' as const, scope: { project: true as const }, reason: '', createdBy: 'Alice' }
  const { id } = await store.silences.create(projectId, {
    ...asked,
    channels: channels(steps[0]!.holds),
    times,
    now: scene.now,
  })
  await scene.ping('backup', 'fail')
  for (const { minutes, holds } of steps) {
    await store.silences.update(projectId, id, { channels: channels(holds), now: scene.now })
    scene.now += minutes * MINUTE
  }
  await store.checks.update(projectId, world.check, { changes: { tags: 'looked-at' }, now: scene.now })
  const [row] = await world.raw(`SELECT clock_ms FROM incident_channels WHERE channel_id = ${world.phone.id}`)
  return Number(row!.clock_ms) / MINUTE
}

test('each time counts by what a silence was then, however often it is changed', async t => {
  const step = fc.record({ minutes: fc.integer({ min: 0, max: 9 }), holds: fc.boolean() })
  const histories = fc.sample(fc.array(step, { minLength: 1, maxLength: MOST_EARLIER }), {
    numRuns: 8,
    seed: 7,
  })
  for (const steps of histories) {
    const world = await PolicyHarness.open(t)
    await world.usePolicy()
    const free = steps.filter(({ holds }) => !holds).reduce((sum, { minutes }) => sum + minutes, 0)
    assert.equal(await clockAfter(world, steps), free)
  }
})

test('the time of changes that are not kept any more counts by the change after them', async t => {
  const world = await PolicyHarness.open(t)
  await world.usePolicy()
  const steps = Array.from({ length: 2 * MOST_EARLIER }, (_, index) => ({
    minutes: 1,
    holds: index % 2 === 0,
  }))
  // The last ones count as they were. The oldest that is kept did not hold.
  assert.equal(await clockAfter(world, steps), steps.length - MOST_EARLIER / 2)
  const [row] = await world.raw('SELECT earlier FROM silences')
  assert.equal(JSON.parse(String(row!.earlier)).length, MOST_EARLIER)
})

test('a silence that is prolonged again and again held from its beginning', async t => {
  const world = await PolicyHarness.open(t)
  await world.usePolicy()
  const { scene, store } = world
  const times = () => ({ kind: 'once' as const, from: scene.now, to: scene.now + 60 * MINUTE })
  const asked = { mode: 'hold' as const, scope: { project: true as const }, channels: null, reason: '' }
  const by = { createdBy: 'Alice', now: scene.now }
  const { id } = await store.silences.create(scene.projectId, { ...asked, times: times(), ...by })
  await scene.ping('backup', 'fail')
  for (let i = 0; i < 3 * MOST_EARLIER; i++) {
    scene.now += 30 * MINUTE
    await store.silences.update(scene.projectId, id, { times: times(), now: scene.now })
  }
  await store.checks.update(scene.projectId, world.check, { changes: { tags: 'looked-at' }, now: scene.now })
  assert.deepEqual(await world.raw('SELECT DISTINCT clock_ms AS ms FROM incident_channels'), [{ ms: 0 }])
})
