import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SendingHealth } from '../../src/jobs/sending-health.js'
import { FakeClock } from '../_support/clock.js'

const MINUTE = 60

function sendingHealth() {
  const clock = new FakeClock()
  const said: string[] = []
  const health = new SendingHealth(clock, ({ what, channel = '', minutes, error }) =>
    said.push([what, channel, minutes, error].filter(Boolean).join(' ')),
  )
  const fail = (...channels: string[]) => {
    for (const channel of channels) health.noteDelivery(channel, { outcome: 'retry', error: 'no route' })
  }
  return { clock, said, health, fail }
}

test('alerts failing for five minutes are trouble if no channel works', () => {
  const { clock, health, fail } = sendingHealth()
  fail('a', 'b')
  assert.equal(health.trouble(2), null, 'at first')
  clock.advance(5 * MINUTE)
  assert.equal(health.trouble(2), 'alerts cannot be sent')
  health.noteDelivery('a', { outcome: 'sent' })
  assert.equal(health.trouble(2), null, 'when one goes out')
})

test('one failing receiver is no trouble; three are, unless another was reached', () => {
  const { clock, health, fail } = sendingHealth()
  fail('a')
  clock.advance(5 * MINUTE)
  assert.equal(health.trouble(100), null)
  fail('b', 'c')
  clock.advance(5 * MINUTE)
  assert.equal(health.trouble(100), 'alerts cannot be sent')
  health.noteDelivery('d', { outcome: 'sent' })
  assert.equal(health.trouble(100), null)
})

test('a channel that failed before the last success counts, where every channel fails', () => {
  const { clock, health, fail } = sendingHealth()
  fail('a')
  clock.advance(MINUTE)
  health.noteDelivery('b', { outcome: 'sent' })
  fail('b')
  clock.advance(5 * MINUTE)
  assert.equal(health.trouble(3), null, 'the third may work')
  assert.equal(health.trouble(2), 'alerts cannot be sent')
})

test('three channels count only if each failed after the last success', () => {
  const { clock, health, fail } = sendingHealth()
  fail('a', 'b', 'c')
  clock.advance(6 * MINUTE)
  health.noteDelivery('d', { outcome: 'sent' })
  fail('a', 'b')
  clock.advance(5 * MINUTE)
  assert.equal(health.trouble(100), null)
  fail('c')
  clock.advance(4 * MINUTE)
  assert.equal(health.trouble(100), null, 'it failed once, four minutes ago')
  clock.advance(MINUTE)
  assert.equal(health.trouble(100), 'alerts cannot be sent')
})

test('nothing is in trouble through which nothing waits any more', () => {
  const { clock, health, fail } = sendingHealth()
  fail('a', 'b')
  health.noteMail({ outcome: 'retry', error: 'connection refused' })
  clock.advance(5 * MINUTE)
  assert.deepEqual(health.channels(), ['a', 'b'])
  health.forgetOthers(new Set(['a']), true)
  assert.equal(health.trouble(2), 'e-mails cannot be sent')
  health.forgetOthers(new Set(['a']), false)
  assert.equal(health.trouble(2), null)
  assert.equal(health.trouble(1), 'alerts cannot be sent')
})

test('e-mails failing for five minutes are trouble until one is sent', () => {
  const { clock, health } = sendingHealth()
  health.noteMail({ outcome: 'retry', error: 'connection refused' })
  clock.advance(5 * MINUTE)
  assert.equal(health.trouble(0), 'e-mails cannot be sent')
  health.noteMail({ outcome: 'sent' })
  assert.equal(health.trouble(0), null)
})

test('disabled channels, and those not tried for long, are no trouble', () => {
  const { clock, health, fail } = sendingHealth()
  fail('a', 'b')
  clock.advance(5 * MINUTE)
  health.noteDelivery('a', { outcome: 'disable' })
  assert.equal(health.trouble(2), null)
  assert.equal(health.trouble(1), 'alerts cannot be sent')
  clock.advance(6 * 60 * MINUTE)
  assert.equal(health.trouble(1), null)
})

test('failures that last for minutes are reported now and then, with the newest reason', () => {
  const { clock, said, fail } = sendingHealth()
  for (let minute = 0; minute <= 26; minute++) {
    fail('a')
    clock.advance(MINUTE)
  }
  assert.deepEqual(said, [
    'alerts of a channel a 5 no route',
    'alerts of a channel a 15 no route',
    'alerts of a channel a 25 no route',
  ])
})

test('a report of e-mails that fail names no channel', () => {
  const { clock, said, health } = sendingHealth()
  for (let minute = 0; minute <= 5; minute++) {
    health.noteMail({ outcome: 'retry', error: 'no route' })
    clock.advance(MINUTE)
  }
  assert.deepEqual(said, ['e-mails to people 5 no route'])
})
