/** What stops the clocks of policies, for incidents that are looked at in one go. Decision 0115. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
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
  const { id } = await store.silences.create(projectId, {
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
  await store.silences.update(projectId, id, { reason: 'Upgrade', now: scene.now })
  assert.deepEqual(await clocks(), expected(10, 10))
  scene.now += 5 * MINUTE
  await store.incidents.escalate(scene.now, 100)
  // Chat has nothing to do before its repeat, so its clock was not read again.
  assert.deepEqual(await clocks(), expected(10, 15))
})
