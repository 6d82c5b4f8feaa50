/** The shown status. Source: docs/behaviour.md, sections 2.3 to 2.7. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pinged } from '../../../src/core/checks/check.js'
import { nextPing, statusAt } from '../../../src/core/checks/status.js'
import { checkAt, DAY, GRACE, MIN, T } from '../../_support/check-at.js'

describe('the shown status', () => {
  const up = checkAt('up', { lastPing: T })
  const due = T + DAY
  // name, check, now, status, next ping
  const rows: [string, Pinged, number, string, number | null][] = [
    ['up before the due time', up, due - 1, 'up', due],
    ['late exactly at the due time', up, due, 'grace', due],
    ['late until the grace time ends', up, due + GRACE - 1, 'grace', due],
    ['down exactly when the grace time ends', up, due + GRACE, 'down', null],
    ['new', checkAt('new'), T, 'new', null],
    ['new and running', checkAt('new', { lastStart: T }), T + GRACE - 1, 'new', T],
    ['down when the first run takes too long', checkAt('new', { lastStart: T }), T + GRACE, 'down', null],
    ['paused', checkAt('paused'), T + 9 * DAY, 'paused', null],
    ['down', checkAt('down'), T, 'down', null],
    ['down and running', checkAt('down', { lastStart: T }), T + 1, 'down', null],
    ['up and running', checkAt('up', { lastStart: T - 5 * MIN }), T, 'up', T - 5 * MIN],
    [
      'late and running, whose next ping stays the due time',
      checkAt('up', { lastPing: T - DAY - 30 * MIN, lastStart: T - 5 * MIN }),
      T,
      'grace',
      T - 30 * MIN,
    ],
    [
      'down when a run that began while late goes past the first deadline',
      checkAt('up', { lastPing: T - DAY - 30 * MIN, lastStart: T - 5 * MIN }),
      T + 30 * MIN,
      'down',
      null,
    ],
    [
      'up for ever when its schedule has ended',
      { ...up, dueAt: null, alertAfter: null },
      T + 999 * DAY,
      'up',
      null,
    ],
  ]
  for (const [name, subject, now, status, next] of rows) {
    test(`is ${name}`, () => {
      const shown = statusAt(subject, now, null)
      assert.equal(shown, status)
      assert.equal(nextPing(subject, shown), next)
    })
  }

  test('stays late while a hold lasts', () => {
    const hold = { from: due + GRACE - MIN, until: due + GRACE + 9 * MIN }
    assert.equal(statusAt(up, due + GRACE, hold), 'grace')
    assert.equal(statusAt(up, hold.until, hold), 'down')
    assert.equal(statusAt(up, due + GRACE, { ...hold, from: due + GRACE + 1 }), 'down')
  })
})
