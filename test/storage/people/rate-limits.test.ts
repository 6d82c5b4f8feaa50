import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestStore } from '../../_support/worlds/store.js'

const HOUR = 3_600_000
const limit = (key: string, capacity = 3) => ({ key, capacity, periodMs: HOUR })

test('a bucket grants its capacity at once, then one use per part of the period', async t => {
  const store = await openTestStore(t)
  const take = (now: number) => store.people.takeFromLimits([limit('a')], now)
  assert.deepEqual([await take(0), await take(0), await take(0)], [0, 0, 0])
  assert.equal(await take(0), HOUR / 3 - 1)
  assert.equal(await take(HOUR / 3), 0)
  assert.ok((await take(HOUR / 3)) > 0)
})

test('if one of several buckets is empty, none is charged', async t => {
  const store = await openTestStore(t)
  await store.people.takeFromLimits([limit('full', 1)], 0)
  assert.ok((await store.people.takeFromLimits([limit('other', 1), limit('full', 1)], 0)) > 0)
  assert.equal(await store.people.takeFromLimits([limit('other', 1)], 0), 0)
})

test('concurrent uses are all counted', async t => {
  const store = await openTestStore(t)
  const waits = await Promise.all(
    Array.from({ length: 8 }, () => store.people.takeFromLimits([limit('a')], 0)),
  )
  assert.equal(waits.filter(wait => wait === 0).length, 3)
})

test('a refilled bucket grants its capacity', async t => {
  const store = await openTestStore(t)
  for (let n = 0; n < 4; n++) await store.people.takeFromLimits([limit('a')], 0)
  await store.people.resetLimits(['a'])
  assert.equal(await store.people.takeFromLimits([limit('a')], 0), 0)
})
