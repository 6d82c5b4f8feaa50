import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterFailure } from '../../../src/core/events/webhook.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** When a webhook that fails whenever it is due is given up. `resumesAt`: when the next attempt is made after `failures`. */
function givenUpAt(resumesAt: Record<number, number> = {}): number {
  let [failing, now] = [{ failures: 0, failingSince: null as number | null }, 0]
  for (;;) {
    const { givesUp, dueAt, ...after } = afterFailure(failing, now)
    if (givesUp) return now
    failing = after
    now = resumesAt[after.failures] ?? dueAt
  }
}

test('an event webhook is given up after three days of failures', () => {
  const at = givenUpAt()
  assert.ok(at >= 3 * DAY && at < 3 * DAY + HOUR, `after ${at / HOUR} hours`)
})

test('the time in which an event webhook was not tried does not count', () => {
  const never = { failures: 1, failingSince: 0 }
  assert.equal(afterFailure(never, 75 * HOUR).givesUp, false)
  assert.ok(givenUpAt({ 1: 75 * HOUR, 30: 10 * DAY }) >= 12 * DAY)
})

test('the pause doubles with each failure, up to an hour', () => {
  const pause = (failures: number) => afterFailure({ failures, failingSince: 0 }, 0).dueAt / 1_000
  assert.deepEqual([0, 1, 2, 9, 10, 1_000].map(pause), [5, 10, 20, 2_560, 3_600, 3_600])
})
