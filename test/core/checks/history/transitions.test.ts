import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pause, resume } from '../../../../src/core/checks/history/transitions.js'
import { statusAt } from '../../../../src/core/checks/status.js'
import { checkAt, flipText, MIN, T } from '../../../_support/check-at.js'

describe('pause and resume', () => {
  for (const status of ['new', 'up', 'down'] as const) {
    test(`a check that is ${status} can be paused, which ends its run`, () => {
      const { check: after, flip } = pause(checkAt(status, { lastStart: T - MIN }), T)
      assert.equal(flipText(flip), `${status}→paused`)
      assert.equal(after.status, 'paused')
      assert.deepEqual([after.lastStart, after.dueAt, after.alertAfter], [null, null, null])
    })
  }

  test('pausing a paused check makes no flip', () => {
    assert.equal(pause(checkAt('paused'), T).flip, null)
  })

  test('a resumed check is new, without a last ping but with its count', () => {
    const resumed = resume(checkAt('paused', { lastDurationMs: 5 }), T)!
    assert.equal(flipText(resumed.flip), 'paused→new')
    assert.equal(resumed.check.lastPing, null)
    assert.equal(resumed.check.nPings, 7)
    assert.equal(resumed.check.lastDurationMs, 5)
    assert.equal(statusAt(resumed.check, T, null), 'new')
  })

  for (const status of ['new', 'up', 'down'] as const) {
    test(`a check that is ${status} cannot be resumed`, () => assert.equal(resume(checkAt(status), T), null))
  }
})
