import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const NOW = Date.UTC(2026, 0, 15, 12)

test('the waiting time of alerts counts from their creation, despite retries', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const channel = { projectId: id, name: '', kind: 'webhook', settings: {}, members: [], now: 1 }
  await store.channels.create(channel)
  const target = { pingKey: 'key', slug: 'backup', create: true }
  await store.pings.record([arrivedPing(target, NOW, { action: 'fail' })])
  await raw('UPDATE deliveries SET due_at = due_at + 3600000')
  const { deliveries, oldestDelivery, channels } = await store.instance.state(NOW + 60_000)
  assert.deepEqual([deliveries, oldestDelivery, channels], [1, NOW, 1])
})

test('alerts that are held on purpose do not wait for a receiver', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const channel = { projectId: id, name: '', kind: 'webhook', settings: {}, members: [], now: 1 }
  const { uuid } = await store.channels.create(channel)
  const target = { pingKey: 'key', slug: 'backup', create: true }
  await store.pings.record([arrivedPing(target, NOW, { action: 'fail' })])
  const read = async () => {
    const { deliveries, heldDeliveries, oldestDelivery } = await store.instance.state(NOW + 60_000)
    const [waiting] = await store.instance.waitingThrough([uuid, 'gone'], NOW + 60_000)
    return [deliveries, heldDeliveries, oldestDelivery, waiting === uuid]
  }
  assert.deepEqual(await read(), [1, 0, NOW, true])
  await raw(`UPDATE deliveries SET due_at = ${NOW + 3_600_000}, held_by = 'silence'`)
  assert.deepEqual(await read(), [0, 1, null, false])
  await raw('UPDATE deliveries SET attempts = 1')
  assert.deepEqual(await read(), [1, 0, NOW, true], 'it was tried before')
  await raw(`UPDATE deliveries SET attempts = 0, held_by = 'minute'`)
  assert.deepEqual(await read(), [1, 0, NOW, true], 'a limit only delays')
  await raw(`UPDATE deliveries SET due_at = ${NOW}, held_by = 'silence'`)
  assert.deepEqual(await read(), [1, 0, NOW, true], 'the silence is over')
})
