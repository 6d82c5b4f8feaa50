import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openTestStore } from '../../_support/worlds/store.js'

test('two first pings with create=1 in one batch make one check', async t => {
  const store = await openTestStore(t)
  await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const ping = () => arrivedPing({ pingKey: 'key', slug: 'backup', create: true }, 1_000_000)
  const { outcomes } = await store.pings.record([ping(), ping()])
  assert.deepEqual(outcomes, ['created', 'ok'])
  const again = await store.pings.record([ping()])
  assert.deepEqual(again.outcomes, ['ok'])
})
