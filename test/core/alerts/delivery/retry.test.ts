import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextAttemptAt, nextMailAttemptAt } from '../../../../src/core/alerts/delivery/retry.js'

const DAY = 86_400_000
const HOUR = 3_600_000

/** What was tried since 0. */
const tried = (attempts: number, retryAfterMs = 0) => ({ since: 0, attempts, lasting: false, retryAfterMs })
const lasting = (attempts: number, retryAfterMs = 0) => ({ ...tried(attempts, retryAfterMs), lasting: true })

test('a delivery is retried with growing pauses for a day', () => {
  const pauses = Array.from({ length: 12 }, (_, index) => nextAttemptAt(tried(index + 1), 0)! / 1000)
  assert.deepEqual(pauses, [1, 3, 10, 30, 60, 120, 300, 600, 900, 1800, 1800, 1800])
  assert.equal(nextAttemptAt(tried(5), DAY), null)
  assert.equal(nextAttemptAt(tried(5), DAY - 1), DAY)
})

test('a longer pause that the receiver asks for is used', () => {
  assert.equal(nextAttemptAt(tried(1, 90_000), 0), 90_000)
  assert.equal(nextAttemptAt(tried(5, 1_000), 0), 60_000)
  assert.equal(nextAttemptAt(tried(1, 999_999_999), 0), DAY)
})

test('a true status is retried at least every 30 minutes on the first day', () => {
  assert.equal(nextAttemptAt(lasting(1, DAY), 0), HOUR / 2)
  assert.equal(nextAttemptAt(lasting(1, 90_000), 0), 90_000)
})

test('a true status is retried without end, every 30 to 60 minutes after a day', () => {
  assert.equal(nextAttemptAt(lasting(60), 3 * DAY), 3 * DAY + HOUR / 2)
  assert.equal(nextAttemptAt(lasting(60, DAY), 3 * DAY), 3 * DAY + HOUR)
  assert.equal(nextAttemptAt(lasting(1), DAY - 10_000), DAY - 9_000)
})

test('an e-mail about trouble that lasts is retried as often as others for a day, then ever more rarely', () => {
  const pauseAfter = (age: number) => nextMailAttemptAt(lasting(60), age)! - age
  assert.equal(pauseAfter(HOUR), HOUR / 2)
  assert.equal(pauseAfter(DAY - 1), 1, 'the first day ends with an attempt')
  assert.deepEqual(
    [1.75, 3.5, 7, 700].map(days => pauseAfter(days * DAY) / HOUR),
    [6, 12, 24, 24],
  )
  assert.equal(Number.isInteger(nextMailAttemptAt(lasting(60), DAY + 1)), true)
  assert.equal(nextMailAttemptAt(tried(60), DAY), null)
})
