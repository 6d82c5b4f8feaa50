import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

test('a monthly quota is limited, and starts over with the month', async t => {
  const scene = await StoreHarness.open(t)
  const use = (month: number, name = 'messages') =>
    scene.store.people.takeQuota({ projectId: scene.projectId, name, limit: 3, month })
  const granted = await Promise.all(Array.from({ length: 5 }, () => use(24_313)))
  assert.equal(granted.filter(Boolean).length, 3)
  assert.equal(await use(24_313, 'calls'), true, 'calls are counted apart')
  assert.equal(await use(24_314), true)
})
