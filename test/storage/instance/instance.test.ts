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
