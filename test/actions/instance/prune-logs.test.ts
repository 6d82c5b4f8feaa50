import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pruneLogs } from '../../../src/actions/instance/prune-logs.js'
import { FakeClock } from '../../_support/clock.js'
import { recordPings } from '../../_support/record-pings.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

test('pruning keeps the newest pings of each check, up to the limit', async t => {
  const scene = await StoreHarness.open(t, { pingLogLimit: 5 })
  for (const [slug, pings] of [
    ['busy', 12],
    ['quiet', 5],
    ['busier', 60],
  ] as const) {
    await scene.store.pings.record(Array.from({ length: pings }, () => scene.arrived(slug)))
  }
  assert.equal(await pruneLogs(scene.store, new FakeClock()), 7 + 55)
  assert.equal(await pruneLogs(scene.store, new FakeClock()), 0)
})

test('pruning continues over all checks in several steps', async t => {
  const scene = await StoreHarness.open(t, { pingLogLimit: 1 })
  const many = Array.from({ length: 60 }, (_, number) => `check-${number}`)
  const pings = [
    ...many.flatMap(slug => [scene.arrived(slug), scene.arrived(slug)]),
    ...Array.from({ length: 99 }, () => scene.arrived('first')),
  ]
  // A hundredth ping would prune its check at once.
  await recordPings(scene.store, pings)
  assert.equal(await pruneLogs(scene.store, new FakeClock()), 60 + 98)
  assert.equal(await pruneLogs(scene.store, new FakeClock()), 0)
})
