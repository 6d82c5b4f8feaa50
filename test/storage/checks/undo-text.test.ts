import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EditStep, Undoable } from '../../../src/core/checks/undo.js'
import { readUndo, undoText } from '../../../src/storage/checks/bulk-edit/undo-text.js'

const channels = Array.from({ length: 20 }, (_, n) => `channel-${n}`)

const edited = (check: string, before: string[], after: string[]): EditStep => ({
  did: 'edit',
  check,
  name: '',
  before: { settings: { tags: '' }, channels: before, policy: null },
  after: { settings: { tags: 'prod' }, channels: after, policy: 3 },
})

const CHANGES: [what: string, change: Undoable][] = [
  ['a plan', { plan: 'move', checks: ['a', 'b'], target: 3 }],
  ['steps without lists', { steps: [{ did: 'tags', check: 'a', before: '', after: 'prod' }] }],
  [
    'edits of channels',
    { steps: [edited('a', channels, []), edited('b', [...channels], []), edited('c', [], ['x'])] },
  ],
  [
    'an edit of other values',
    { steps: [{ did: 'edit', check: 'a', name: '', before: { settings: {} }, after: { settings: {} } }] },
  ],
]

for (const [what, change] of CHANGES) {
  test(`${what} can be read as it was stored`, () => {
    assert.deepEqual(readUndo(undoText(change)), change)
  })
}

test('what was stored with the lists in each step can be read', () => {
  const change = { steps: [edited('a', channels, [])] }
  assert.deepEqual(readUndo(JSON.stringify(change)), change)
})

test('a list that many checks have is stored once', () => {
  const steps = Array.from({ length: 100 }, (_, n) => edited(`check-${n}`, [...channels], []))
  assert.equal(undoText({ steps }).split('channel-19').length - 1, 1)
})

test('plans begin as the queries for them expect', () => {
  assert.match(undoText({ plan: 'delete', checks: ['a'] }), /^\{"plan":"delete"/)
})
