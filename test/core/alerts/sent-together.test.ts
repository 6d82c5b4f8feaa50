import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentTogether } from '../../../src/core/alerts/sent-together.js'

/** `down A1@5`: the alert about check A to channel 1 after 5 seconds; `flip@5` is another event. Newest first, as in a log. */
function eventOf(text: string) {
  const [, checkStatus, check, uuid, seconds] = /^(\w+) ?(\w)?(\d)?@(\d+)$/.exec(text)!
  const at = Number(seconds) * 1000
  if (check === undefined) return { type: 'flip' as const, at, text }
  const notification = { channel: { uuid: uuid! }, checkStatus: checkStatus!, check: { uuid: check } }
  return { type: 'notification' as const, at, notification, text }
}

const CASES: [string, string[], string[][]][] = [
  [
    'one change and two channels',
    ['down A2@1', 'down A1@0', 'flip@0'],
    [['down A1@0', 'down A2@1'], ['flip@0']],
  ],
  [
    'two checks at once',
    ['down B2@1', 'down A2@1', 'down B1@0', 'down A1@0'],
    [
      ['down B1@0', 'down B2@1'],
      ['down A1@0', 'down A2@1'],
    ],
  ],
  ['two statuses', ['up A2@2', 'down A1@0'], [['up A2@2'], ['down A1@0']]],
  [
    'a change back and forth',
    ['down A2@3', 'up A1@2', 'down A1@0'],
    [['down A2@3'], ['up A1@2'], ['down A1@0']],
  ],
  ['a repeat to the same channel', ['down A1@9', 'down A1@0'], [['down A1@9'], ['down A1@0']]],
  ['later than a minute', ['down A2@61', 'down A1@0'], [['down A2@61'], ['down A1@0']]],
  [
    'at the place of the first',
    ['down A2@9', 'flip@5', 'down A1@0'],
    [['flip@5'], ['down A1@0', 'down A2@9']],
  ],
]

test('notifications about one change are one row of a log, and no others are', () => {
  for (const [name, events, expected] of CASES) {
    const rows = sentTogether(events.map(eventOf)).map(row => row.map(({ text }) => text))
    assert.deepEqual(rows, expected, name)
  }
})
