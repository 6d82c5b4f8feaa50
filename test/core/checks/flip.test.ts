import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredStatus } from '../../../src/core/checks/check.js'
import { isAlerting } from '../../../src/core/checks/flip.js'

describe('people are alerted', () => {
  const rows: [StoredStatus, StoredStatus, boolean][] = [
    ['new', 'up', false],
    ['paused', 'up', false],
    ['new', 'down', true],
    ['paused', 'down', true],
    ['up', 'down', true],
    ['down', 'up', true],
    ['up', 'paused', false],
    ['down', 'paused', false],
    ['paused', 'new', false],
  ]
  for (const [oldStatus, newStatus, alerting] of rows) {
    test(`${alerting ? 'about' : 'not about'} ${oldStatus}→${newStatus}`, () => {
      assert.equal(isAlerting({ oldStatus, newStatus }), alerting)
    })
  }
})
