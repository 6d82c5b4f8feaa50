import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ListingCache } from '../../../src/storage/listing-cache.js'

const megabytes = (count: number) => new Uint8Array(count * 1024 * 1024)

test('a cached listing is valid only for its state, and returned in its own buffer', () => {
  const cache = new ListingCache()
  cache.put('a', 'one', Uint8Array.of(1, 2))
  assert.equal(cache.get('a', 'two'), undefined)
  assert.equal(cache.get('b', 'one'), undefined)
  const [first, second] = [cache.get('a', 'one')!, cache.get('a', 'one')!]
  assert.deepEqual([...first], [1, 2])
  assert.notEqual(first.buffer, second.buffer)
  cache.put('a', 'two', Uint8Array.of(3))
  assert.equal(cache.get('a', 'one'), undefined)
  assert.deepEqual([...cache.get('a', 'two')!], [3])
})

test('the most recently used listings are kept, up to 32 MB', () => {
  const cache = new ListingCache()
  for (const key of ['a', 'b', 'c']) cache.put(key, 's', megabytes(10))
  assert.ok(cache.get('a', 's'))
  cache.put('d', 's', megabytes(10))
  assert.equal(cache.get('b', 's'), undefined)
  for (const key of ['a', 'c', 'd']) assert.ok(cache.get(key, 's'), key)
  cache.put('huge', 's', megabytes(33))
  for (const key of ['a', 'c', 'd', 'huge']) assert.equal(cache.get(key, 's'), undefined, key)
})
