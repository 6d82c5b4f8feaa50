/** Silences in which nothing is expected, through the store. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AskedSilence } from '../../../src/core/silences/asked-silence.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function hourly(t: Parameters<typeof StoreHarness.open>[0]) {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  const [uuid] = await scene.checkUuids()
  const changes = { periodSeconds: 3600, graceSeconds: 300, tags: 'db' }
  await scene.store.checks.update(scene.projectId, uuid!, { changes, now: scene.now })
  const check = async () =>
    (await scene.store.checks.withChannels(scene.projectId, { uuid: uuid! }, scene.now)).check
  const expectNothing = async (lengthMs: number, more: Partial<AskedSilence> = {}) =>
    await scene.store.silences.create(scene.projectId, {
      mode: 'expect_nothing',
      scope: { project: true },
      channels: null,
      times: { kind: 'once', from: scene.now, to: scene.now + lengthMs },
      reason: '',
      createdBy: 'Alice',
      now: scene.now,
      ...more,
    })
  /** The watcher looks whenever a deadline passes, until `ms` later. */
  const watch = async (ms: number) => {
    const until = scene.now + ms
    let downs = 0
    for (;;) {
      const next = await scene.store.alerts.nextWake()
      scene.now = Math.min(until, Math.max(scene.now, next ?? until))
      downs += (await scene.store.alerts.declareDown(scene.now, 10)).declared
      if (scene.now === until) return downs
    }
  }
  return { scene, uuid: uuid!, check, expectNothing, watch }
}

test('the watcher asks for the first occurrence after the window, by scope and by tag', async t => {
  for (const scope of [{ project: true }, { tags: ['web', 'db'] }] as const) {
    const { scene, expectNothing, watch } = await hourly(t)
    await expectNothing(3 * HOUR - MINUTE, { scope })
    const begun = scene.now
    assert.equal(await watch(3 * HOUR + 4 * MINUTE), 0)
    assert.equal(await watch(MINUTE), 1)
    assert.equal(scene.now, begun + 3 * HOUR + 5 * MINUTE)
  }
})

test('a silence of other checks, or one that only holds, waives nothing', async t => {
  const { expectNothing, watch } = await hourly(t)
  await expectNothing(3 * HOUR, { scope: { tags: ['web'] } })
  await expectNothing(3 * HOUR, { mode: 'hold' })
  assert.equal(await watch(HOUR + 5 * MINUTE), 1)
})

test('a window counts when it is judged late, after it is over', async t => {
  const { scene, expectNothing, check } = await hourly(t)
  await expectNothing(HOUR + 30 * MINUTE)
  scene.now += HOUR + 50 * MINUTE
  assert.equal((await scene.store.alerts.declareDown(scene.now, 10)).declared, 0)
  assert.equal((await check()).status, 'up')
})

test('a silence that is ended asks again', async t => {
  const { scene, expectNothing, watch } = await hourly(t)
  const { id } = await expectNothing(10 * HOUR)
  assert.equal(await watch(2 * HOUR + 5 * MINUTE), 0)
  await scene.store.silences.end(scene.projectId, id, scene.now)
  assert.equal(await watch(HOUR), 1)
})

test('a recurring window waives on each of its days', async t => {
  const { scene, expectNothing, watch } = await hourly(t)
  await expectNothing(0, {
    times: { kind: 'cron', schedule: '30 12 * * *', tz: 'UTC', durationSeconds: 5 * 3600, from: null },
  })
  for (let day = 0; day < 3; day++) {
    // The harness begins at 12:00.
    assert.equal(await watch(5 * HOUR + 30 * MINUTE), 0, `day ${day}`)
    await scene.ping('backup')
    for (let hour = 0; hour < 18; hour++) {
      assert.equal(await watch(HOUR), 0)
      await scene.ping('backup')
    }
    assert.equal(await watch(30 * MINUTE), 0)
    await scene.ping('backup')
  }
})

for (const [what, act] of [
  ['a ping', async ({ scene }) => await scene.ping('backup', 'start')],
  ['a pause', async ({ scene, uuid }) => await scene.store.checks.pause(scene.projectId, uuid, scene.now)],
  [
    'a change',
    async ({ scene, uuid }) =>
      await scene.store.checks.update(scene.projectId, uuid, {
        changes: { graceSeconds: 600 },
        now: scene.now,
      }),
  ],
] as [string, (world: Awaited<ReturnType<typeof hourly>>) => Promise<unknown>][]) {
  test(`${what} that comes before the watcher waives what lies in a window`, async t => {
    const world = await hourly(t)
    const { scene, uuid, expectNothing } = world
    const changes = { failuresToAlert: 2 }
    await scene.store.checks.update(scene.projectId, uuid, { changes, now: scene.now })
    await expectNothing(5 * HOUR)
    scene.now += 4 * HOUR + 10 * MINUTE
    await act(world)
    const range = { from: null, until: null }
    const reader = { version: 3, wrapByDefault: false } as const
    const flips = await scene.store.checks.showFlips(scene.projectId, { uuid }, range, reader)
    const listed = JSON.parse(Buffer.from(flips).toString()) as { up: number }[]
    assert.deepEqual(
      listed.filter(({ up }) => up === 0),
      [],
    )
  })
}

test('a ping inside a window counts as ever', async t => {
  const { scene, expectNothing, check, watch } = await hourly(t)
  await expectNothing(3 * HOUR)
  assert.equal(await watch(2 * HOUR), 0)
  await scene.ping('backup', 'fail')
  assert.equal((await check()).status, 'down')
  await scene.ping('backup')
  assert.equal((await check()).dueAt, scene.now + HOUR)
})

const CHANGES: Record<string, (now: number) => Partial<AskedSilence>> = {
  'holds only': () => ({ mode: 'hold' }),
  'is for other checks': () => ({ scope: { tags: ['web'] } }),
  'is over sooner': now => ({ times: { kind: 'once', from: null, to: now + MINUTE } }),
}

for (const [how, changed] of Object.entries(CHANGES))
  test(`what was not expected before a silence was changed is not expected afterwards: it ${how}`, async t => {
    const { scene, expectNothing, watch } = await hourly(t)
    const { id } = await expectNothing(90 * MINUTE)
    assert.equal(await watch(HOUR + MINUTE), 0)
    const { now } = scene
    await scene.store.silences.update(scene.projectId, id, { ...changed(now), now })
    assert.equal(await watch(HOUR + 3 * MINUTE), 0)
    assert.equal(await watch(MINUTE), 1, 'the next one was expected')
  })

test('a change of a silence waives nothing that was expected before it', async t => {
  const { scene, expectNothing, watch } = await hourly(t)
  const recurring = { kind: 'cron', tz: 'UTC', durationSeconds: 1_800, from: null } as const
  const { id } = await expectNothing(HOUR, { times: { ...recurring, schedule: '0 3 1 1 *' } })
  assert.equal(await watch(HOUR + MINUTE), 0)
  const times = { ...recurring, schedule: '0 * * * *' }
  await scene.store.silences.update(scene.projectId, id, { times, now: scene.now })
  assert.equal(await watch(4 * MINUTE), 1)
})

test('a recurring silence that becomes a single one, or recurs from later on, begins then', async t => {
  const { scene } = await hourly(t)
  const { silences } = scene.store
  const by = { createdBy: 'Alice', now: scene.now }
  const asked = { mode: 'hold' as const, scope: { project: true as const }, channels: null, reason: '' }
  const yearly = { kind: 'cron', schedule: '0 3 1 6 *', tz: 'UTC', durationSeconds: 60, from: null } as const
  const from = scene.now + 24 * HOUR
  const later = [
    { kind: 'once', from, to: from + HOUR },
    { ...yearly, schedule: '0 * * * *', from },
  ] as const
  for (const times of later) {
    const { id } = await silences.create(scene.projectId, { ...asked, ...by, times: yearly })
    scene.now += MINUTE
    await silences.update(scene.projectId, id, { times, now: scene.now })
    const shown = await silences.find(scene.projectId, id, scene.now)
    assert.deepEqual([shown.state, shown.times.from], ['coming', from])
  }
  const { id } = await silences.create(scene.projectId, { ...asked, ...by, times: yearly })
  const begun = (await silences.find(scene.projectId, id, scene.now)).times.from
  scene.now += MINUTE
  await silences.update(scene.projectId, id, { times: { ...yearly, schedule: '0 4 1 6 *' }, now: scene.now })
  assert.equal((await silences.find(scene.projectId, id, scene.now)).times.from, begun)
})
