import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyKey } from '../../../src/core/pings/body-key.js'

test('bodies have the same names as in the reference', () => {
  const names = [0, 1, 2, 3, 4].map(n => bodyKey('uuid', n))
  assert.deepEqual(names, ['uuid/zj-0', 'uuid/zi-1', 'uuid/zh-2', 'uuid/zg-3', 'uuid/zf-4'])
})

test('the name of a later ping sorts before that of an earlier one', () => {
  const numbers = [1, 2, 9, 10, 11, 99, 100, 101, 999, 1_000, 123_456, 1_000_000]
  const names = numbers.map(n => bodyKey('uuid', n))
  assert.deepEqual([...names].sort(), names.toReversed())
})
