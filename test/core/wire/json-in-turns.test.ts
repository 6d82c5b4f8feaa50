import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toJson } from '../../../src/core/wire/json.js'
import { jsonInTurns, plainJsonInTurns } from '../../../src/core/wire/json-in-turns.js'
import { finished } from '../../_support/config/at-once.js'

test('JSON that is written in turns is the same to the byte', () => {
  const withMaps = fc
    .jsonValue()
    .map(value => ({ value, none: undefined, map: new Map([['é', value]]), list: [value] }))
  fc.assert(
    fc.property(withMaps, fc.nat(4), (value, depth) => {
      assert.equal(Buffer.from(finished(jsonInTurns(value, depth))).toString(), toJson(value))
    }),
  )
})

test('plain JSON that is written in turns is the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(4), (value, depth) => {
      assert.equal(finished(plainJsonInTurns(value, depth)), JSON.stringify(value))
    }),
  )
})

test('each item of a list is written in a turn of its own', () => {
  const items = Array.from({ length: 5_000 }, (_, id) => ({ id, text: 'x'.repeat(20) }))
  const writing = jsonInTurns({ items }, 2)
  let turns = 0
  while (!writing.next().done) turns++
  assert.ok(turns >= items.length)
})
