import assert from 'node:assert/strict'
import { test } from 'node:test'
import { are, plural } from '../../../src/core/text/plural.js'

const cases: [number, string, string | undefined, string][] = [
  [0, 'check', undefined, '0 checks'],
  [1, 'check', undefined, '1 check'],
  [2, 'check', undefined, '2 checks'],
  [1, 'change was', 'changes were', '1 change was'],
  [5, 'change was', 'changes were', '5 changes were'],
]

for (const [count, noun, several, words] of cases) {
  test(`${count} with the noun “${noun}” is “${words}”`, () => {
    assert.equal(plural(count, noun, several), words)
  })
}

test('the verb is singular only for one', () => {
  assert.deepEqual([0, 1, 2].map(are), ['are', 'is', 'are'])
})
