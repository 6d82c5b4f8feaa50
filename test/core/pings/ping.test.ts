/** What a ping does to its check, row by row. Source: docs/behaviour.md, sections 2.3 to 2.7. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredStatus } from '../../../src/core/checks/check.js'
import type { Action } from '../../../src/core/pings/ping-event.js'
import { checkAt, DAY, flipText, GRACE, HOUR, MIN, pinged, T } from '../../_support/check-at.js'

describe('a ping to a check that is', () => {
  // stored status, signal, status after, flip, running after, alert_after
  const rows: [StoredStatus, Action, StoredStatus, string | null, boolean, number | null][] = [
    ['new', 'success', 'up', 'new→up', false, T + DAY + GRACE],
    ['new', 'fail', 'down', 'new→down (failed)', false, null],
    ['new', 'start', 'new', null, true, T + GRACE],
    ['new', 'log', 'new', null, false, null],
    ['new', 'ign', 'new', null, false, null],
    ['up', 'success', 'up', null, false, T + DAY + GRACE],
    ['up', 'fail', 'down', 'up→down (failed)', false, null],
    ['up', 'start', 'up', null, true, T + GRACE],
    ['up', 'log', 'up', null, false, T - HOUR + DAY + GRACE],
    ['up', 'ign', 'up', null, false, T - HOUR + DAY + GRACE],
    ['down', 'success', 'up', 'down→up', false, T + DAY + GRACE],
    ['down', 'fail', 'down', null, false, null],
    ['down', 'start', 'down', null, true, null],
    ['down', 'log', 'down', null, false, null],
    ['down', 'ign', 'down', null, false, null],
    ['paused', 'success', 'up', 'paused→up', false, T + DAY + GRACE],
    ['paused', 'fail', 'down', 'paused→down (failed)', false, null],
    ['paused', 'start', 'new', 'paused→new', true, T + GRACE],
    ['paused', 'log', 'paused', null, false, null],
    ['paused', 'ign', 'paused', null, false, null],
  ]
  for (const [status, action, after, flip, running, alertAfter] of rows) {
    test(`${status}: ${action} leaves it ${after}${running ? ', running' : ''}`, () => {
      const effect = pinged(checkAt(status), action)
      assert.equal(effect.check.status, after)
      assert.equal(flipText(effect.flip), flip)
      assert.equal(effect.check.lastStart !== null, running)
      assert.equal(effect.check.alertAfter, alertAfter)
      assert.equal(effect.check.nPings, 8)
      assert.equal(effect.action, action)
    })
  }

  for (const action of ['success', 'fail', 'start', 'log'] as const) {
    test(`paused with manual resume: ${action} is logged as ignored and changes nothing`, () => {
      const before = checkAt('paused', { manualResume: true })
      const effect = pinged(before, action)
      assert.deepEqual(effect.check, { ...before, nPings: 8 })
      assert.equal(effect.action, 'ign')
      assert.equal(effect.flip, null)
    })
  }
})

describe('a run that ends', () => {
  const RUN = '11111111-1111-4111-8111-111111111111'
  const OTHER = '22222222-2222-4222-8222-222222222222'
  // rid of the start, signal, its rid, still running, duration
  const rows: [string | null, 'success' | 'fail', string | null, boolean, number | null][] = [
    [null, 'success', null, false, 5 * MIN],
    [RUN, 'success', RUN, false, 5 * MIN],
    [RUN, 'fail', RUN, false, 5 * MIN],
    [RUN, 'success', null, false, null],
    [RUN, 'fail', null, false, null],
    [RUN, 'fail', OTHER, false, null],
    [RUN, 'success', OTHER, true, null],
    [null, 'success', OTHER, true, null],
    [null, 'fail', OTHER, false, null],
  ]
  for (const [startRid, action, rid, running, duration] of rows) {
    const name = `${action} with ${rid === null ? 'no run id' : rid === startRid ? 'the run id of the start' : 'another run id'} after a start ${startRid === null ? 'without' : 'with'} one`
    test(`${name} ${running ? 'keeps running' : 'stops'}${duration ? ' and has a duration' : ''}`, () => {
      const before = checkAt('up', { lastStart: T - 5 * MIN, lastStartRid: startRid, lastDurationMs: 1 })
      const { check: after } = pinged(before, action, rid)
      assert.equal(after.lastStart !== null, running)
      assert.equal(after.lastDurationMs, duration)
      assert.equal(after.lastStartRid, startRid)
      assert.equal(after.lastPing, T)
    })
  }
})

describe('the state before a ping', () => {
  const actions: Action[] = ['success', 'fail', 'start', 'log', 'ign']
  for (const action of actions) {
    test(`is not changed by ${action}`, () => {
      const before = Object.freeze(checkAt('up', { lastStart: T - MIN }))
      const { check: after } = pinged(before, action)
      assert.equal(after.nPings, before.nPings + 1)
      assert.equal(before.nPings, 7)
    })
  }

  test('is not changed when the schedule throws', () => {
    const before = Object.freeze({ ...checkAt('up'), kind: 'cron' as const, schedule: 'never' })
    assert.throws(() => pinged(before, 'fail') && pinged(before, 'success'))
    assert.equal(before.lastPing, T - HOUR)
  })
})

describe('the instant of a ping', () => {
  test('is its arrival, but never before the check’s last event', () => {
    const before = checkAt('up', { lastPing: T + 5 })
    assert.equal(pinged(before, 'success').at, T + 5)
  })

  test('is its arrival if the last event is from a clock that was set back since', () => {
    const before = checkAt('up', { lastPing: T + HOUR })
    assert.equal(pinged(before, 'success').at, T)
  })
})
