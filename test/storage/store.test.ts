/** The store as both engines offer it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methods } from '../../src/storage/nouns.js'
import { openTestStore } from '../_support/worlds/store.js'

test('an engine has every method that a noun defines', async t => {
  const { backup: _, close: __, ...nouns } = await openTestStore(t)
  const bound = Object.entries(nouns).flatMap(([noun, ofNoun]) =>
    Object.keys(ofNoun).map(name => `${noun}.${name}`),
  )
  assert.ok(bound.includes('checks.pause'))
  assert.deepEqual(bound.sort(), [...methods.keys()].sort())
})
