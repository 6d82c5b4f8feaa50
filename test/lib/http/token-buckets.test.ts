import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenBuckets } from '../../../src/lib/http/token-buckets.js'

const HOUR = 3_600_000

test('a bucket grants its capacity at once, and then one token after each interval', () => {
  const buckets = new TokenBuckets(3, 1_000)
  const take = (now: number) => buckets.take('a', now)
  assert.deepEqual(
    [0, 0, 0].map(now => take(now).taken),
    [true, true, true],
  )
  assert.deepEqual(take(400), { taken: false, waitMs: 600, missingMs: 2_600 })
  assert.deepEqual(take(1_000), { taken: true, waitMs: 0, missingMs: 3_000 })
  assert.equal(buckets.take('b', 1_000).taken, true)
})

test('tokens that are still to come are granted if the wait is short, and can be returned', () => {
  const buckets = new TokenBuckets(1, 1_000)
  const take = (longestMs: number) => buckets.take('a', 0, { longestMs })
  assert.equal(take(2_000).waitMs, 0)
  assert.equal(take(2_000).waitMs, 1_000)
  assert.equal(take(0).taken, false)
  buckets.giveBack('a', 2)
  assert.deepEqual(take(0), { taken: true, waitMs: 0, missingMs: 1_000 })
})

test('a clock that is set back empties no bucket, and each fills as before', () => {
  for (const byMs of [HOUR, 30_000]) {
    const buckets = new TokenBuckets(60, 1_000)
    const take = (now: number) => buckets.take('a', now)
    for (let count = 0; count < 58; count++) take(HOUR)
    const back = HOUR - byMs
    assert.deepEqual(
      [take(back), take(back), take(back)].map(({ taken }) => taken),
      [true, true, false],
    )
    assert.equal(take(back + 1_000).taken, true)
    assert.equal(take(back + 61_000).missingMs, 1_000)
  }
})
