import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { failForADay } from '../../_support/fail-for-a-day.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const NOW = Date.UTC(2026, 0, 15, 12)
const MINUTE = 60_000

test('the waiting time of alerts counts from their creation, despite retries', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const channel = { projectId: id, name: '', kind: 'webhook', settings: {}, members: [], now: 1 }
  await store.channels.create(channel)
  const target = { pingKey: 'key', slug: 'backup', create: true }
  await store.pings.record([arrivedPing(target, NOW, { action: 'fail' })])
  await raw('UPDATE deliveries SET due_at = due_at + 3600000')
  const { deliveries, oldestDelivery } = await store.instance.state(NOW + 60_000)
  assert.deepEqual([deliveries, oldestDelivery], [1, NOW])
})

test('alerts that are held on purpose do not wait for a receiver', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const channel = { projectId: id, name: '', kind: 'webhook', settings: {}, members: [], now: 1 }
  await store.channels.create(channel)
  const target = { pingKey: 'key', slug: 'backup', create: true }
  await store.pings.record([arrivedPing(target, NOW, { action: 'fail' })])
  const read = async () => {
    const { deliveries, heldDeliveries, oldestDelivery } = await store.instance.state(NOW + 60_000)
    return [deliveries, heldDeliveries, oldestDelivery]
  }
  assert.deepEqual(await read(), [1, 0, NOW])
  await raw(`UPDATE deliveries SET due_at = ${NOW + 3_600_000}, held_by = 'silence'`)
  assert.deepEqual(await read(), [0, 1, null])
  await raw('UPDATE deliveries SET attempts = 1')
  assert.deepEqual(await read(), [0, 1, null], 'it was tried before')
  await raw(`UPDATE deliveries SET held_by = 'minute'`)
  assert.deepEqual(await read(), [1, 0, NOW], 'a limit only delays')
  await raw(`UPDATE deliveries SET due_at = ${NOW}, held_by = 'silence'`)
  assert.deepEqual(await read(), [1, 0, NOW], 'the silence is over')
})

async function countsOf({ store, now }: StoreHarness) {
  const { deliveries, heldDeliveries } = await store.instance.state(now)
  return { waiting: deliveries, held: heldDeliveries }
}

/** Begins a silence of the whole project. Returns its ID. */
async function silenceAll({ store, projectId, now }: StoreHarness, lengthMs: number): Promise<number> {
  const times = { kind: 'once', from: now, to: now + lengthMs } as const
  const asked = { mode: 'hold', scope: { project: true }, channels: null, times, reason: '' } as const
  return (await store.silences.create(projectId, { ...asked, createdBy: 'Alice', now })).id
}

test('an alert is held again, and not waiting, if a silence begins after an attempt that failed', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  await scene.addChannel('Chat')
  const counts = () => countsOf(scene)
  const silence = (lengthMs: number) => silenceAll(scene, lengthMs)
  const fail = async () => {
    const [message] = await scene.claim()
    await scene.settle(message!, { type: 'retry', error: 'no answer', retryAt: scene.now + MINUTE })
  }
  await silence(MINUTE)
  await scene.ping('backup', 'fail')
  assert.deepEqual(await scene.claim(), [])
  assert.deepEqual(await counts(), { waiting: 0, held: 1 })
  scene.now += MINUTE
  await fail()
  assert.deepEqual(await counts(), { waiting: 1, held: 0 })
  await silence(60 * MINUTE)
  scene.now += MINUTE
  assert.deepEqual(await scene.claim(), [])
  assert.deepEqual(await counts(), { waiting: 0, held: 1 })
})

test('an alert through an unreachable channel counts as held until its silence ends', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('Chat')
  await failForADay(scene, 'Chat')
  await scene.ping('tried', 'fail')
  const [tried] = await scene.claim()
  const unreachable = { type: 'notice' as const, title: '', text: '', url: '' }
  // The next attempt is made after 30 minutes.
  await scene.settle(tried!, { type: 'failed', error: 'away', unreachable })
  const read = async () => {
    assert.deepEqual(await scene.claim(), [])
    const { failing } = await scene.store.instance.sending(scene.now)
    return { ...(await countsOf(scene)), failing }
  }
  await silenceAll(scene, 20 * MINUTE)
  await scene.ping('backup', 'fail')
  assert.deepEqual(await read(), { waiting: 0, held: 1, failing: 0 })
  for (const minutes of [10, 9]) {
    scene.now += minutes * MINUTE
    assert.deepEqual(await read(), { waiting: 0, held: 1, failing: 0 })
  }
  scene.now += MINUTE
  assert.deepEqual(await read(), { waiting: 1, held: 0, failing: 1 })
  const silence = await silenceAll(scene, 60 * MINUTE)
  await scene.ping('database', 'fail')
  assert.deepEqual(await read(), { waiting: 1, held: 1, failing: 1 })
  await scene.store.silences.end(scene.projectId, silence, scene.now)
  assert.deepEqual(await read(), { waiting: 2, held: 0, failing: 1 })
})
