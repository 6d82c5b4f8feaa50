import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pruneLogs } from '../../src/actions/prune-logs.js'
import { FakeClock } from '../_support/clock.js'
import { Scene } from '../_support/scene.js'

test('pruning keeps the newest pings of each check, as many as the limit says', async t => {
  const scene = await Scene.open(t, { pingLogLimit: 5 })
  for (const [slug, pings] of [
    ['busy', 12],
    ['quiet', 5],
    ['busier', 60],
  ] as const) {
    await scene.store.recordPings(Array.from({ length: pings }, () => scene.arrived(slug)))
  }
  assert.equal(await pruneLogs(scene.store, new FakeClock()), 7 + 55)
  assert.equal(await pruneLogs(scene.store, new FakeClock()), 0)
})
