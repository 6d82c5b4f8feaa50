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
  test(`${count} of what is called “${noun}” is written “${words}”`, () => {
    assert.equal(plural(count, noun, several), words)
  })
}

test('one is, none and several are', () => {
  assert.deepEqual([0, 1, 2].map(are), ['are', 'is', 'are'])
})
