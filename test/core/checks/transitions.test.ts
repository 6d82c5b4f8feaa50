/** The state machine, row by row. Source: docs/behaviour.md, sections 2.3 to 2.7. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pinged, StoredStatus } from '../../../src/core/checks/check.js'
import { DEFAULT_SETTINGS } from '../../../src/core/checks/check-fields.js'
import type { Flip } from '../../../src/core/checks/flip.js'
import { isAlerting } from '../../../src/core/checks/flip.js'
import { stateAfterDeadlines } from '../../../src/core/checks/health/judge.js'
import { withDeadlines } from '../../../src/core/checks/health/settle.js'
import { nextPing, statusAt } from '../../../src/core/checks/status.js'
import { pause, resume } from '../../../src/core/checks/transitions.js'
import { applyPing } from '../../../src/core/pings/ping.js'
import type { Action } from '../../../src/core/pings/ping-event.js'

const MIN = 60_000
const HOUR = 60 * MIN
const DAY = 24 * HOUR
const T = Date.UTC(2026, 0, 15, 12)
const GRACE = HOUR

type TestCheck = Pinged

function check(status: StoredStatus, over: Partial<TestCheck> = {}): TestCheck {
  return withDeadlines({
    status,
    statusSince: T - 10 * DAY,
    nPings: 7,
    lastPing: status === 'new' ? null : T - HOUR,
    lastStart: null,
    lastStartRid: null,
    lastDurationMs: null,
    dueAt: null,
    alertAfter: null,
    tracking: null,
    ...DEFAULT_SETTINGS,
    ...over,
  })
}

/** What a ping at T makes of a check, and what it did. */
function pinged(before: TestCheck, action: Action, rid: string | null = null) {
  const ping = { action, rid, arrivedAt: T, durationMs: null }
  const { state, flips, ...effect } = applyPing(before, before, ping, null)
  return { check: { ...before, ...state }, flip: flips[0] ?? null, ...effect }
}

const flipOf = (flip: Flip | null) =>
  flip && `${flip.oldStatus}→${flip.newStatus}${flip.reason && ` (${flip.reason})`}`

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
      const effect = pinged(check(status), action)
      assert.equal(effect.check.status, after)
      assert.equal(flipOf(effect.flip), flip)
      assert.equal(effect.check.lastStart !== null, running)
      assert.equal(effect.check.alertAfter, alertAfter)
      assert.equal(effect.check.nPings, 8)
      assert.equal(effect.action, action)
    })
  }

  for (const action of ['success', 'fail', 'start', 'log'] as const) {
    test(`paused with manual resume: ${action} is logged as ignored and changes nothing`, () => {
      const before = check('paused', { manualResume: true })
      const effect = pinged(before, action)
      assert.deepEqual(effect.check, { ...before, nPings: 8 })
      assert.equal(effect.action, 'ign')
      assert.equal(effect.flip, null)
    })
  }
})

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
      const before = check('up', { lastStart: T - 5 * MIN, lastStartRid: startRid, lastDurationMs: 1 })
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
      const before = Object.freeze(check('up', { lastStart: T - MIN }))
      const { check: after } = pinged(before, action)
      assert.equal(after.nPings, before.nPings + 1)
      assert.equal(before.nPings, 7)
    })
  }

  test('is not changed when the schedule throws', () => {
    const before = Object.freeze({ ...check('up'), kind: 'cron' as const, schedule: 'never' })
    assert.throws(() => pinged(before, 'fail') && pinged(before, 'success'))
    assert.equal(before.lastPing, T - HOUR)
  })
})

describe('the shown status', () => {
  const up = check('up', { lastPing: T })
  const due = T + DAY
  // name, check, now, status, next ping
  const rows: [string, TestCheck, number, string, number | null][] = [
    ['up before the due time', up, due - 1, 'up', due],
    ['late exactly at the due time', up, due, 'grace', due],
    ['late until the grace time ends', up, due + GRACE - 1, 'grace', due],
    ['down exactly when the grace time ends', up, due + GRACE, 'down', null],
    ['new', check('new'), T, 'new', null],
    ['new and running', check('new', { lastStart: T }), T + GRACE - 1, 'new', T],
    ['down when the first run takes too long', check('new', { lastStart: T }), T + GRACE, 'down', null],
    ['paused', check('paused'), T + 9 * DAY, 'paused', null],
    ['down', check('down'), T, 'down', null],
    ['down and running', check('down', { lastStart: T }), T + 1, 'down', null],
    ['up and running', check('up', { lastStart: T - 5 * MIN }), T, 'up', T - 5 * MIN],
    [
      'late and running, whose next ping stays the due time',
      check('up', { lastPing: T - DAY - 30 * MIN, lastStart: T - 5 * MIN }),
      T,
      'grace',
      T - 30 * MIN,
    ],
    [
      'down when a run that began while late goes past the first deadline',
      check('up', { lastPing: T - DAY - 30 * MIN, lastStart: T - 5 * MIN }),
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

describe('silence', () => {
  test('dates the flip at the deadline, with the reason missed', () => {
    const { state: after, flips } = stateAfterDeadlines(check('up', { lastPing: T }), T + 2 * DAY, null)
    assert.deepEqual(flips, [
      { createdAt: T + DAY + GRACE, oldStatus: 'up', newStatus: 'down', reason: 'missed' },
    ])
    assert.equal(after.status, 'down')
    assert.equal(after.alertAfter, null)
  })

  test('after a start has the reason overrun, and the check stays started', () => {
    const { state: after, flips } = stateAfterDeadlines(check('new', { lastStart: T }), T + GRACE, null)
    assert.deepEqual(flips, [
      { createdAt: T + GRACE, oldStatus: 'new', newStatus: 'down', reason: 'overrun' },
    ])
    assert.equal(after.lastStart, T)
  })
})

describe('pause and resume', () => {
  for (const status of ['new', 'up', 'down'] as const) {
    test(`a check that is ${status} can be paused, which ends its run`, () => {
      const { check: after, flip } = pause(check(status, { lastStart: T - MIN }), T)
      assert.equal(flipOf(flip), `${status}→paused`)
      assert.equal(after.status, 'paused')
      assert.deepEqual([after.lastStart, after.dueAt, after.alertAfter], [null, null, null])
    })
  }

  test('pausing a paused check makes no flip', () => {
    assert.equal(pause(check('paused'), T).flip, null)
  })

  test('a resumed check is new, without a last ping but with its count', () => {
    const resumed = resume(check('paused', { lastDurationMs: 5 }), T)!
    assert.equal(flipOf(resumed.flip), 'paused→new')
    assert.equal(resumed.check.lastPing, null)
    assert.equal(resumed.check.nPings, 7)
    assert.equal(resumed.check.lastDurationMs, 5)
    assert.equal(statusAt(resumed.check, T, null), 'new')
  })

  for (const status of ['new', 'up', 'down'] as const) {
    test(`a check that is ${status} cannot be resumed`, () => assert.equal(resume(check(status), T), null))
  }
})

describe('the instant of a ping', () => {
  test('is its arrival, but never before the check’s last event', () => {
    const before = check('up', { lastPing: T + 5 })
    assert.equal(pinged(before, 'success').at, T + 5)
  })

  test('is its arrival if the last event is from a clock that was set back since', () => {
    const before = check('up', { lastPing: T + HOUR })
    assert.equal(pinged(before, 'success').at, T)
  })
})
