import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReceivePauses } from '../../../src/lib/http/receive-pauses.js'

function harness() {
  let now = 1_000
  const pauses = new ReceivePauses(() => now)
  return {
    pauses,
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('a network whose data took long to process pauses for twenty times as long', () => {
  const { pauses, pass } = harness()
  pauses.process('192.0.2.1', () => pass(200))
  assert.equal(pauses.pauseFor('192.0.2.1'), 4_000)
  pass(4_000)
  assert.equal(pauses.pauseFor('192.0.2.1'), 0)
})

test('other networks do not pause', () => {
  const { pauses, pass } = harness()
  pauses.process('2001:db8:1:1::1', () => pass(200))
  assert.equal(pauses.pauseFor('2001:db8:1:1::2'), 4_000)
  assert.equal(pauses.pauseFor('2001:db8:1:2::1'), 0)
})

test('an ordinary handshake causes no pause', () => {
  const { pauses, pass } = harness()
  pauses.process('192.0.2.1', () => pass(5))
  assert.equal(pauses.pauseFor('192.0.2.1'), 0)
})
