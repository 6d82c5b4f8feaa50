import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSearch } from '../../../src/core/instance/search-query.js'

const nothing = { only: null, words: [], tags: [], projects: [], phrase: '' }

for (const [typed, query] of [
  ['', {}],
  ['  Nightly  BACKUP ', { words: ['nightly', 'backup'], phrase: 'Nightly BACKUP' }],
  ['>pause backup', { only: 'actions', words: ['pause', 'backup'], phrase: 'pause backup' }],
  ['> ', { only: 'actions' }],
  ['?cron', { only: 'docs', words: ['cron'], phrase: 'cron' }],
  ['#Prod #eu backup', { words: ['backup'], tags: ['prod', 'eu'], phrase: 'backup' }],
  ['@fleet #', { projects: ['fleet'] }],
] as const) {
  test(`a search for “${typed}” is understood`, () => {
    assert.deepEqual(readSearch(typed), { ...nothing, ...query })
  })
}

test('a search is cut to 100 characters and 8 words', () => {
  assert.equal(readSearch('a '.repeat(40)).words.length, 8)
  assert.equal(readSearch('a'.repeat(200)).words[0]!.length, 100)
})
