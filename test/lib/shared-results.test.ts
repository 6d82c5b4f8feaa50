import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedResults } from '../../src/lib/shared-results.js'

/** Results that say how often they were made. */
function counting(forMs: number, most: number) {
  const shared = new SharedResults<string, number>(forMs, most)
  let made = 0
  return (owner: object, key: string, now: number) => shared.get(owner, key, now, async () => ++made)
}

test('a result is shared for its time by those who ask for the same key of the same owner', async () => {
  const get = counting(1_000, 10)
  const store = {}
  assert.deepEqual([await get(store, 'a', 0), await get(store, 'a', 999)], [1, 1])
  assert.equal(await get(store, 'a', 1_000), 2)
  assert.equal(await get(store, 'a', 500), 3, 'the clock was set back')
  assert.equal(await get(store, 'b', 500), 4)
  assert.equal(await get({}, 'a', 500), 5)
})

test('only the results of the last keys are kept', async () => {
  const get = counting(1_000, 2)
  const store = {}
  for (const key of ['a', 'b', 'c']) await get(store, key, 0)
  assert.deepEqual([await get(store, 'c', 0), await get(store, 'a', 0)], [3, 4])
})

test('a failure is not kept', async () => {
  const shared = new SharedResults<string, number>(1_000, 2)
  const store = {}
  const failing = () => Promise.reject(new Error('away'))
  await assert.rejects(shared.get(store, 'a', 0, failing), { message: 'away' })
  assert.equal(await shared.get(store, 'a', 0, async () => 1), 1)
})
