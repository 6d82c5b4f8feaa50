import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMetrics } from '../../../src/cli/pings/find-metrics.js'

const find = (text: string, pattern: RegExp) => findMetrics(Buffer.from(text), pattern)

test('the first word and the last number of each match are sent', () => {
  assert.equal(find('rows: 1423\nsize 5 MB', /rows: [0-9]+|size .*/gm), '&metric=rows:1423&metric=size:5')
  assert.equal(find('nothing', /rows: [0-9]+/gm), '')
})

test('an expression that takes too long on an output sends no numbers', () => {
  assert.equal(find(`${'a'.repeat(50_000)}!`, /(a+)+$/gm), null)
})

test('a match of the whole output is cut before its name and number are looked for', () => {
  assert.equal(find(`rows ${' 1'.repeat(200_000)} x`, /[\s\S]+/gm), '&metric=rows:1')
})
