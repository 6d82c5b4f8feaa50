import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentMap } from '../../src/lib/recent-map.js'

test('a full map drops the key that was set longest ago', () => {
  const map = new RecentMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c'), map.size], [3, undefined, 4, 2])
})
