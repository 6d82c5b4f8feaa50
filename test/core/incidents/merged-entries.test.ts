import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IncidentEntry } from '../../../src/core/incidents/listed-incident.js'
import { mergeEntries } from '../../../src/core/incidents/merged-entries.js'

const channel = (name: string) => ({ uuid: name, name, kind: 'webhook' })
const sent = (at: number, name: string, error = ''): IncidentEntry => ({
  type: 'message',
  at,
  channel: channel(name),
  status: 'down',
  attempts: 1,
  lastAt: at,
  error,
})
const held = (at: number, name: string, text: string): IncidentEntry => ({
  type: 'held',
  at,
  channel: channel(name),
  reason: 'silence',
  text,
  until: null,
})
const names = (entries: IncidentEntry[]) =>
  mergeEntries(entries).map(({ channels }) => channels.map(one => one!.name).join())

test('what was sent to several channels at once is one line', () => {
  assert.deepEqual(names([sent(0, 'a'), sent(10, 'b'), sent(59_999, 'c'), sent(60_000, 'd')]), ['a,b,c', 'd'])
})

test('a failure keeps its own line, with its error', () => {
  assert.deepEqual(names([sent(0, 'a'), sent(0, 'b', 'no answer'), sent(0, 'c', 'no answer')]), [
    'a',
    'b',
    'c',
  ])
})

test('only holds with the same reason and words are one line', () => {
  assert.deepEqual(names([held(0, 'a', 'x'), held(0, 'b', 'x'), held(0, 'c', 'y')]), ['a,b', 'c'])
})

test('what concerns no channel is never merged', () => {
  const note: IncidentEntry = { type: 'note', at: 0, by: 'Alice', note: 'x' }
  assert.equal(mergeEntries([note, note]).length, 2)
})
