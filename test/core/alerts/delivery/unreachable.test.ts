import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failingFor, failsForADay, nextProbeAt } from '../../../../src/core/alerts/delivery/unreachable.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A channel whose attempts all fail, at these instants. */
function failingAfter(instants: readonly number[]): number {
  let failing = { failingMs: 0, lastAttemptAt: null as number | null }
  for (const at of instants) failing = { failingMs: failingFor(failing, at), lastAttemptAt: at }
  return failing.failingMs
}

test('a channel that fails every 30 minutes fails for a day after a day, not before', () => {
  const attempts = (count: number) => Array.from({ length: count }, (_, index) => index * (HOUR / 2))
  assert.equal(failsForADay(failingAfter(attempts(48))), false)
  assert.equal(failsForADay(failingAfter(attempts(49))), true)
})

test('days without attempts do not count', () => {
  assert.equal(failingAfter([0, 2 * DAY, 2 * DAY + 3_000]), HOUR + 3_000)
  assert.equal(failsForADay(failingAfter(Array.from({ length: 20 }, (_, index) => index * DAY))), false)
})

test('setting the clock back does not reduce the failing time', () => {
  assert.equal(failingAfter([DAY, DAY + 5_000, 0, 1_000]), 6_000)
})

test('an unreachable channel is tried again within the hour, however long its message waits', () => {
  const after = (retryAt: number | null, now: number) => nextProbeAt([retryAt], now)
  assert.equal(after(DAY, 1_000), 1_000 + HOUR)
  assert.equal(after(HOUR / 2, 0), HOUR / 2)
  assert.equal(after(null, 0), HOUR / 2)
})
