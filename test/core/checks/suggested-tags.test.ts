import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestedTags } from '../../../src/core/checks/suggested-tags.js'

test('tags are suggested in alphabetical order', () => {
  const counts = [
    { tag: 'web10', checks: 3 },
    { tag: 'Prod', checks: 1 },
    { tag: 'web9', checks: 2 },
  ]
  assert.deepEqual(suggestedTags(counts), ['Prod', 'web9', 'web10'])
})

test('of very many tags those that most checks have are suggested', () => {
  const counts = Array.from({ length: 1_000 }, (_, n) => ({ tag: `host${n}`, checks: n }))
  const tags = suggestedTags(counts)
  assert.equal(tags.length, 200)
  assert.deepEqual([tags[0], tags.at(-1)], ['host800', 'host999'])
})
