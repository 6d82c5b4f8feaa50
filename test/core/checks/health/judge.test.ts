import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stateAfterDeadlines } from '../../../../src/core/checks/health/judge.js'
import { checkAt, DAY, GRACE, T } from '../../../_support/check-at.js'

describe('silence', () => {
  test('dates the flip at the deadline, with the reason missed', () => {
    const { state: after, flips } = stateAfterDeadlines(checkAt('up', { lastPing: T }), T + 2 * DAY, null)
    assert.deepEqual(flips, [
      { createdAt: T + DAY + GRACE, oldStatus: 'up', newStatus: 'down', reason: 'missed' },
    ])
    assert.equal(after.status, 'down')
    assert.equal(after.alertAfter, null)
  })

  test('after a start has the reason overrun, and the check stays started', () => {
    const { state: after, flips } = stateAfterDeadlines(checkAt('new', { lastStart: T }), T + GRACE, null)
    assert.deepEqual(flips, [
      { createdAt: T + GRACE, oldStatus: 'new', newStatus: 'down', reason: 'overrun' },
    ])
    assert.equal(after.lastStart, T)
  })
})
