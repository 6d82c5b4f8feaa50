import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SendingFacts, sendingTrouble } from '../../../src/core/instance/sending-trouble.js'

const ALERTS = 'alerts cannot be sent'
const CASES: [string, Partial<SendingFacts>, string | null][] = [
  ['there are no channels', { channels: 0 }, null],
  ['nothing fails', { channels: 2 }, null],
  ['the only channel fails', { channels: 1, failing: 1 }, ALERTS],
  ['one of two fails', { channels: 2, failing: 1, failingSinceArrival: 1 }, null],
  ['both fail', { channels: 2, failing: 2 }, ALERTS],
  ['three of many fail, and none works', { channels: 99, failing: 9, failingSinceArrival: 3 }, ALERTS],
  ['many fail, and others work', { channels: 99, failing: 9, failingSinceArrival: 0 }, null],
  ['two were tried since the last arrival', { channels: 99, failing: 9, failingSinceArrival: 2 }, null],
  ['e-mails fail', { channels: 99, mailsFail: true }, 'e-mails cannot be sent'],
]

for (const [name, facts, expected] of CASES) {
  test(`trouble where ${name}: ${expected ?? 'none'}`, () => {
    const none = { channels: 0, failing: 0, failingSinceArrival: 0, mailsFail: false }
    assert.equal(sendingTrouble({ ...none, ...facts }), expected)
  })
}
