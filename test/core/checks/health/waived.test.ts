/** Times in which nothing is expected: see docs/decisions/0115. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Pinged } from '../../../../src/core/checks/check.js'
import { stateAfterDeadlines, type Waived } from '../../../../src/core/checks/health/judge.js'
import { isPlain } from '../../../../src/core/checks/health/rules.js'
import { nextDeadlineAt } from '../../../../src/core/checks/health/settle.js'
import type { Span } from '../../../../src/core/time/spans.js'
import { checkAt, DAY, HOUR, MIN, pinged, T } from '../../../_support/check-at.js'

function waivedIn(windows: readonly Span[]): Waived {
  return { windowAt: instant => windows.find(({ from, to }) => instant >= from && instant < to) }
}

/** The check after it was judged at some instants, with the windows as they are known then, and when it went down. */
function judgedAt(check: Pinged, instants: readonly number[], windows: readonly Span[]) {
  let after = check
  const downs: number[] = []
  for (const at of instants) {
    const known = windows
      .filter(({ from }) => from <= at)
      .map(({ from, to }) => ({ from, to: Math.min(to, at + 1) }))
    const { state, flips } = stateAfterDeadlines(after, at, null, waivedIn(known))
    after = { ...after, ...state }
    downs.push(...flips.filter(({ newStatus }) => newStatus === 'down').map(({ createdAt }) => createdAt))
  }
  return { check: after, downs }
}

const hourly = checkAt('up', { lastPing: T, periodSeconds: 3600, graceSeconds: 300 })

test('a period check expects the first multiple of its period outside the window', () => {
  const window = { from: T + 30 * MIN, to: T + 3 * HOUR + 30 * MIN }
  const minutes = Array.from({ length: 250 }, (_, index) => T + (index + 1) * MIN)
  const { check, downs } = judgedAt(hourly, minutes, [window])
  assert.deepEqual(downs, [T + 4 * HOUR + 5 * MIN])
  assert.equal(check.status, 'down')
})

test('an occurrence at the end of a window is expected, one at its beginning is not', () => {
  const window = { from: T + HOUR, to: T + 2 * HOUR }
  const { downs } = judgedAt(hourly, [T + HOUR + 5 * MIN, T + 2 * HOUR + 5 * MIN], [window])
  assert.deepEqual(downs, [T + 2 * HOUR + 5 * MIN])
})

test('a cron check expects its next occurrence after the window', () => {
  const check = checkAt('up', { lastPing: T, kind: 'cron', schedule: '0 3 * * *', graceSeconds: 600 })
  const three = T + 15 * HOUR
  const window = { from: three - HOUR, to: three + 30 * MIN }
  const { check: after, downs } = judgedAt(check, [three + 10 * MIN], [window])
  assert.deepEqual(downs, [])
  assert.equal(after.dueAt, three + DAY)
})

test('a window that is shortened after an occurrence was waived asks for the next one', () => {
  const window = { from: T, to: T + 10 * HOUR }
  const { check } = judgedAt(hourly, [T + HOUR + 5 * MIN], [window])
  const { downs } = judgedAt(check, [T + 2 * HOUR + 5 * MIN], [{ from: T, to: T + HOUR + 30 * MIN }])
  assert.deepEqual(downs, [T + 2 * HOUR + 5 * MIN])
})

test('a run that takes too long is judged in a window, too', () => {
  const running = { ...hourly, lastStart: T + 10 * MIN, lastStartRid: null }
  const { flips } = stateAfterDeadlines(running, T + 30 * MIN, null, waivedIn([{ from: T, to: T + HOUR }]))
  assert.deepEqual(
    flips.map(({ reason }) => reason),
    ['overrun'],
  )
})

test('a waived occurrence is not a failure that counts', () => {
  const check = { ...hourly, failuresToAlert: 2, tolerated: 'missed' }
  // The first is missed, two are waived, and the next one is the second failure.
  const window = { from: T + 90 * MIN, to: T + 3 * HOUR + 30 * MIN }
  const looks = [1, 2, 3, 4].map(hours => T + hours * HOUR + 5 * MIN)
  const { downs } = judgedAt(check, looks, [window])
  assert.deepEqual(downs, [T + 4 * HOUR + 5 * MIN])
})

test('after the ping that follows a window, a plain check is plain again', () => {
  const window = { from: T - HOUR, to: T }
  const check = checkAt('up', { lastPing: T - 2 * HOUR, periodSeconds: 3600, graceSeconds: 300 })
  const { check: after } = judgedAt(check, [T - HOUR + 5 * MIN], [window])
  assert.ok(!isPlain(after, after))
  const { check: met } = pinged(after, 'success')
  assert.ok(isPlain(met, met))
  assert.equal(met.dueAt, T + HOUR)
})

test('of what waited during an outage, the last occurrence outside the windows is asked for', () => {
  const hold = { from: T + 30 * MIN, until: T + 4 * HOUR }
  const window = { from: T + 3 * HOUR - MIN, to: T + 3 * HOUR + MIN }
  const check = { ...hourly, maxDurationSeconds: 7200 }
  const { state } = stateAfterDeadlines(check, T + 3 * HOUR + 30 * MIN, hold, waivedIn([window]))
  const { flips } = stateAfterDeadlines({ ...check, ...state }, T + 4 * HOUR, hold, waivedIn([window]))
  assert.deepEqual(
    flips.map(({ createdAt }) => createdAt),
    [T + 2 * HOUR + 5 * MIN],
  )
})

test('when a check goes down does not depend on how often it is looked at', () => {
  const spans = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 400 })), { maxLength: 4 })
    .map(parts => {
      let from = T
      return parts.map(([gap, length]) => {
        const span = { from: from + gap * MIN, to: from + (gap + length) * MIN }
        from = span.to
        return span
      })
    })
  const settings = fc.record({
    periodSeconds: fc.constantFrom(600, 3600, 5400),
    graceSeconds: fc.constantFrom(60, 300, 7200),
    schedule: fc.constantFrom(null, '*/15 * * * *', '5 * * * *', '30 */2 * * *'),
    failuresToAlert: fc.constantFrom(1, 1, 3),
  })
  fc.assert(
    fc.property(settings, spans, fc.array(fc.integer({ min: 0, max: 2000 })), (given, windows, more) => {
      const { schedule, ...rest } = given
      const cron = schedule === null ? {} : ({ kind: 'cron', schedule } as const)
      const check = checkAt('up', { lastPing: T, ...rest, ...cron })
      const end = T + 2000 * MIN
      const always = Array.from({ length: 2000 }, (_, index) => T + (index + 1) * MIN)
      // Deadlines are whole minutes here, so each is looked at when it passes, as the watcher does.
      const prompt = judgedAt(check, always, windows).downs
      const sometimes = judgedAt(
        check,
        [...more.map(minute => T + minute * MIN).sort((a, b) => a - b), end],
        windows,
      )
      assert.deepEqual(sometimes.downs, prompt)
    }),
    { numRuns: 100 },
  )
})

test('with no window around its occurrences, a check is judged as without any', () => {
  const far = { from: T + 10 * DAY, to: T + 11 * DAY }
  const at = T + 2 * DAY
  assert.deepEqual(
    stateAfterDeadlines(hourly, at, null, waivedIn([far])),
    stateAfterDeadlines(hourly, at, null),
  )
  assert.equal(
    nextDeadlineAt(stateAfterDeadlines(hourly, T + 10, null, waivedIn([far])).state),
    T + HOUR + 5 * MIN,
  )
})
