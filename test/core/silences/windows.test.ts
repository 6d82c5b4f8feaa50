import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseSchedule, previousBefore } from '../../../src/core/schedule/index.js'
import type { SilenceTimes, Timed } from '../../../src/core/silences/silence.js'
import {
  activeAt,
  activeWithin,
  nextChangeAfter,
  overAt,
  windowsADay,
} from '../../../src/core/silences/windows.js'
import { spansOf } from '../../../src/core/time/edges.js'
import { joined, lengthOf, type Span } from '../../../src/core/time/spans.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 0, 15)

const anyTimes: fc.Arbitrary<SilenceTimes> = fc.oneof(
  fc.tuple(fc.integer({ min: 0, max: 96 }), fc.integer({ min: 1, max: 96 })).map(([from, length]) => ({
    kind: 'once' as const,
    from: START + from * HOUR,
    to: START + (from + length) * HOUR,
  })),
  fc
    .tuple(
      fc.constantFrom('0 * * * *', '30 2 * * *', '15 1,2 * * *', '0 22 * * mon-fri', '*/20 3 * * *'),
      fc.constantFrom('UTC', 'Europe/Riga', 'America/New_York'),
      fc.constantFrom(60, 1800, 3600, 5400, 86_400),
      fc.integer({ min: -48, max: 48 }),
    )
    .map(([schedule, tz, durationSeconds, from]) => ({
      kind: 'cron' as const,
      schedule,
      tz,
      durationSeconds,
      from: START + from * HOUR,
    })),
  fc.constantFrom(600, 7200).map(durationSeconds => ({
    kind: 'oncalendar' as const,
    schedule: 'Mon..Fri 09:00\nSat 10:30',
    tz: 'Europe/Riga',
    durationSeconds,
    from: START,
  })),
)
const anySilence: fc.Arbitrary<Timed> = fc.record({
  times: anyTimes,
  endedAt: fc.option(
    fc.integer({ min: -24, max: 120 }).map(hours => START + hours * HOUR + 1),
    { nil: null },
  ),
})
const instants = fc.integer({ min: START - 2 * DAY, max: START + 6 * DAY })

test('between two changes a silence does not change', () => {
  fc.assert(
    fc.property(anySilence, instants, fc.double({ min: 0, max: 1, noNaN: true }), (silence, at, part) => {
      const next = nextChangeAfter(silence, at)
      if (next === null) {
        assert.equal(activeAt(silence, at + part * 400 * DAY), activeAt(silence, at))
        assert.equal(activeAt(silence, at), false)
        return
      }
      assert.ok(next > at)
      assert.equal(activeAt(silence, at + Math.floor((next - at - 1) * part)), activeAt(silence, at))
      // The end of a window that more than 500 starts continue may come too early.
      if (next < at + 20 * DAY) assert.notEqual(activeAt(silence, next), activeAt(silence, at))
    }),
    { numRuns: 2_000 },
  )
})

test('windows between two instants are in order, do not touch, and are when it is active', () => {
  fc.assert(
    fc.property(anySilence, instants, fc.integer({ min: 1, max: 5 * DAY }), (silence, from, length) => {
      const to = from + length
      const windows = windowsBetween(silence, from, to)
      for (const [index, window] of windows.entries()) {
        assert.ok(window.from >= from && window.to <= to && window.from < window.to)
        if (index > 0) assert.ok(windows[index - 1]!.to < window.from)
      }
      for (let at = from; at < to; at += 7 * 60_000) {
        const isIn = windows.some(window => at >= window.from && at < window.to)
        assert.equal(isIn, activeAt(silence, at))
      }
    }),
    { numRuns: 500 },
  )
})

test('windows that go on for ever cost a limited number of steps, and leave no gaps', () => {
  const endless: Timed = {
    times: { kind: 'cron', schedule: '* * * * *', tz: 'UTC', durationSeconds: 60, from: START },
    endedAt: null,
  }
  const next = nextChangeAfter(endless, START + DAY)!
  assert.ok(next > START + DAY && next < START + 2 * DAY, 'too early, but not by a year of steps')
  assert.ok(nextChangeAfter(endless, START + DAY, HOUR)! - (START + DAY) < 2 * HOUR)
  assert.deepEqual(windowsBetween(endless, START + DAY, START + 3 * DAY), [
    { from: START + DAY, to: START + 3 * DAY },
  ])
})

test('a schedule of many lines is looked at no longer than one of a few', () => {
  const times = {
    kind: 'oncalendar',
    schedule: Array.from({ length: 25 }, () => '*:*').join('\n'),
    tz: 'UTC',
    durationSeconds: 61,
    from: START,
  } as const
  const endless = { times, endedAt: null }
  const next = nextChangeAfter(endless, START + DAY)!
  assert.ok(next > START + DAY + HOUR / 2 && next < START + DAY + HOUR)
  assert.deepEqual(windowsBetween(endless, START + DAY, START + 2 * DAY), [
    { from: START + DAY, to: START + 2 * DAY },
  ])
})

test('a recurring silence is active from each start for as long as its windows last', () => {
  const lines = fc.constantFrom('*:0/2:30', '2-30', 'Mon 2-29', '12:00', '1-29 Pacific/Chatham', '2031-1-1')
  const starts = fc.uniqueArray(lines, { minLength: 1 }).map(some => ['2026-1-17 8:00', ...some].join('\n'))
  const lengths = fc.constantFrom(60, 90, 121, 3_600, 86_400, 7 * 86_400)
  const between = { min: START - 20 * DAY, max: START + 20 * DAY }
  // In any order: nothing that was asked before may matter.
  const asked = fc.array(fc.integer(between), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(starts, lengths, fc.integer(between), asked, (text, durationSeconds, from, instants) => {
      const times = { kind: 'oncalendar' as const, schedule: text, tz: 'Europe/Riga', durationSeconds, from }
      for (const at of instants) {
        const start = previousBefore(parseSchedule(text), times.tz, at + 1)
        const isActive = start !== null && start >= from && at < start + durationSeconds * 1000
        assert.equal(activeAt({ times, endedAt: null }, at), isActive)
      }
    }),
    { numRuns: 500 },
  )
})

test('the held time of several silences is counted once where they overlap', () => {
  fc.assert(
    fc.property(
      fc.array(anySilence, { maxLength: 3 }),
      instants,
      fc.integer({ min: 60_000, max: 2 * DAY }),
      (some, from, length) => {
        const step = 60_000
        const start = Math.floor(from / step) * step
        const to = start + Math.floor(length / step) * step
        const whole = some.map(one => ({ ...one, endedAt: one.endedAt === null ? null : one.endedAt - 1 }))
        let counted = 0
        for (let at = start; at < to; at += step) if (whole.some(one => activeAt(one, at))) counted += step
        const windows = whole.flatMap(one => windowsBetween(one, start, to))
        assert.equal(lengthOf(joined(windows)), counted)
      },
    ),
    { numRuns: 300 },
  )
})

test('a silence is over when nothing of it is active any more', () => {
  fc.assert(
    fc.property(anySilence, instants, (silence, at) => {
      const over = overAt(silence)
      if (over !== null && at >= over) assert.equal(nextChangeAfter(silence, at), null)
      else if (over === null) assert.notEqual(nextChangeAfter(silence, at), null)
    }),
  )
})

test('a recurring silence on dates of a year is over after the last of them', () => {
  const times = {
    kind: 'oncalendar',
    schedule: '2026-12-24 18:00\n2026-12-31 18:00',
    tz: 'UTC',
    durationSeconds: 43_200,
    from: START,
  } as const
  assert.equal(overAt({ times, endedAt: null }), Date.UTC(2027, 0, 1, 6))
  assert.equal(overAt({ times, endedAt: Date.UTC(2026, 11, 25) }), Date.UTC(2026, 11, 25))
})

test('a window that begins before the end of the last one prolongs it', () => {
  const times = {
    kind: 'cron',
    schedule: '0 * * * *',
    tz: 'UTC',
    durationSeconds: 5400,
    from: START,
  } as const
  const silence = { times, endedAt: null }
  assert.ok(activeAt(silence, START + 400 * DAY))
  assert.ok(nextChangeAfter(silence, START + 10)! >= START + 20 * DAY)
  assert.deepEqual(windowsBetween(silence, START - HOUR, START + 3 * HOUR), [
    { from: START, to: START + 3 * HOUR },
  ])
})

function windowsBetween(silence: Timed, from: number, to: number): Span[] {
  return spansOf(activeWithin(silence, { from, to }))
}

test('windows of a day are counted as they begin, and those of a line that touch once', () => {
  const counted = (schedule: string, durationSeconds: number, kind: 'cron' | 'oncalendar' = 'cron') =>
    windowsADay({ kind, schedule, tz: 'UTC', durationSeconds, from: 0 })
  assert.equal(counted('0 3 * * *', 3_600), 1)
  assert.equal(counted('*/2 * * * *', 60), 720)
  assert.equal(counted('* * * * *', 60), 1)
  assert.equal(counted('0 8-17 * * 1-5', 1_800), 10)
  // On other days, the first line has none.
  assert.equal(counted('Mon *:0/30\n3:00', 60, 'oncalendar'), 49)
  assert.equal(windowsADay({ kind: 'once', from: 0, to: 60_000 }), 0)
})
