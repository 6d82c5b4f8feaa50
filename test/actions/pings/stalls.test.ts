import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stalls } from '../../../src/actions/pings/stalls.js'

test('after a stall, pings may be unread for as long again and a second', () => {
  const stalls = new Stalls()
  for (const at of [0, 250, 500]) stalls.note(at)
  assert.equal(stalls.unreadFor(900), 0)
  stalls.note(2_900)
  assert.equal(stalls.unreadFor(2_900), 2_000)
  stalls.note(3_300)
  assert.equal(stalls.unreadFor(3_300), 2_400)
  for (let at = 3_500; at < 5_900; at += 250) stalls.note(at)
  assert.equal(stalls.unreadFor(5_899), 4_999)
  assert.equal(stalls.unreadFor(5_900), 0)
})

test('after a longer one, which is an outage, they may be so for four seconds', () => {
  const stalls = new Stalls()
  stalls.note(0)
  stalls.note(60_000)
  for (let at = 60_250; at <= 63_750; at += 250) stalls.note(at)
  assert.equal(stalls.unreadFor(63_999), 63_999)
  assert.equal(stalls.unreadFor(64_000), 0)
})

test('who asks first after a stall notices it', () => {
  const stalls = new Stalls()
  stalls.note(0)
  assert.equal(stalls.unreadFor(1_500), 1_500)
})

test('one stall after the other holds nothing for ever', () => {
  const stalls = new Stalls()
  let longest = 0
  for (let at = 0; at < 60_000; at += 600) {
    stalls.note(at)
    longest = Math.max(longest, stalls.unreadFor(at))
  }
  assert.ok(longest > 600 && longest < 3_000, `${longest}`)
})

test('nothing is noticed unless it watches', () => {
  const stalls = new Stalls()
  assert.deepEqual([stalls.unreadFor(0), stalls.unreadFor(10_000)], [0, 0])
  stalls.start()
  stalls.stop()
  assert.equal(stalls.unreadFor(performance.now() + 10_000), 0)
})
