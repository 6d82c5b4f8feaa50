/** What a check remembers, after a clock that was ahead has been set back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { delayRun } from '../../../../src/core/checks/health/delay-run.js'
import { NO_TRACKING, type Tracking } from '../../../../src/core/checks/health/tracking.js'
import { trackingSetBack } from '../../../../src/core/checks/health/tracking-set-back.js'
import { anyEvents, anySettings, BEGIN, play } from './any-history.js'
import { settingsOf } from './replay.js'

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** What was covered stays so though a step of the clock is not measured exactly. */
const EXACT_TO_MS = 1_000
const T = Date.UTC(2026, 2, 2, 9)

test('what a clock that was ahead left behind is as if it never had been, to a second', () => {
  fc.assert(
    fc.property(anySettings, anyEvents(), fc.integer({ min: 0, max: 60_000 }), (settings, events, waitMs) => {
      const { check } = play(settings, events)
      const lengthMs = events.reduce((sum, { after }) => sum + after, 0)
      // The schedules repeat every two hours, and all must have happened while the clock was ahead.
      const byMs = Math.ceil((lengthMs + 1) / (2 * HOUR)) * 2 * HOUR
      const ahead = play(settings, events, () => {}, BEGIN + byMs).check
      const step = { now: BEGIN + lengthMs, byMs }
      const waited = (begin: number, one: typeof check) => {
        const { rid } = one.tracking?.runs[0] ?? { rid: null }
        return delayRun(one, one, { rid, from: begin, to: begin + lengthMs + waitMs }).tracking
      }
      const back = (tracking: Tracking | null) => tracking && trackingSetBack(tracking, settings, step)
      const expected = (tracking: Tracking | null) => {
        const coveredUntil = tracking?.coveredUntil ?? null
        return coveredUntil === null ? tracking : { ...tracking, coveredUntil: coveredUntil + EXACT_TO_MS }
      }
      assert.deepEqual(back(ahead.tracking), expected(check.tracking))
      assert.deepEqual(back(waited(BEGIN + byMs, ahead)), expected(waited(BEGIN, check)))
    }),
    { numRuns: 3_000 },
  )
})

const hourly = { schedule: '0 * * * *', start_within: 60 }

const covered: [string, Parameters<typeof settingsOf>[0], number, number][] = [
  ['an occurrence that was missed', hourly, T + HOUR, T + EXACT_TO_MS],
  [
    'the next occurrence without early pings',
    { ...hourly, timeout: 60 },
    T + 2 * HOUR,
    T + HOUR + EXACT_TO_MS,
  ],
  ['the next occurrence, satisfied early', { ...hourly, early: 3_600 }, T + HOUR, T + HOUR],
  ['one after the next', { ...hourly, early: 86_400 }, T + 2 * HOUR, T + HOUR + EXACT_TO_MS],
  ['the next occurrence, too far to be satisfied early', { ...hourly, early: 60 }, T + HOUR, T + EXACT_TO_MS],
  ['what lies in the past', hourly, T - HOUR, T - HOUR],
  ['that of a period', { timeout: 60, early: 3_600, start_within: 1 }, T + HOUR, T + EXACT_TO_MS],
]
for (const [name, settings, before, after] of covered) {
  test(`after an hour back, covered is right: ${name}`, () => {
    const tracking = { ...NO_TRACKING, coveredUntil: before }
    const step = { now: T + MINUTE, byMs: HOUR }
    assert.equal(trackingSetBack(tracking, settingsOf(settings), step).coveredUntil, after)
  })
}

test('only instants that lie ahead come back, whatever the clock says', () => {
  const runs = [
    { rid: null, at: T - 1 },
    { rid: 'a', at: T + 2 * DAY },
  ]
  const tracking = { ...NO_TRACKING, runs, failures: [{ place: 1, at: T + 2 * DAY }], countAt: T + 3 * DAY }
  const back = trackingSetBack(tracking, settingsOf({ timeout: 60 }), { now: T, byMs: 2 * DAY })
  assert.deepEqual(
    back.runs.map(({ at }) => at),
    [T - 1, T],
  )
  assert.deepEqual([back.failures[0]!.at, back.countAt], [T, T + DAY])
})
