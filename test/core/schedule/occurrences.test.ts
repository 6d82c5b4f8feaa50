/** What holds for every schedule, zone and instant. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  nextAfter,
  occurrences,
  parseSchedule,
  previousBefore,
  previousWithin,
  ScheduleError,
} from '../../../src/core/schedule/index.js'
import { anyCron, anyOnCalendar } from '../../_support/fuzz/any-schedule.js'
import { readingAt } from '../../_support/wall-clock.js'

const zones = fc.constantFrom(
  'UTC',
  'Europe/Riga',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
)
const instants = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2060, 0, 1) })

test('the next occurrence is later and matches the clock, or is at the end of a gap', () => {
  fc.assert(
    fc.property(fc.oneof(anyCron, anyOnCalendar), zones, instants, (drawn, zone, instant) => {
      const found = nextAfter(parse(drawn.text), zone, instant)
      if (found === null) return
      assert.ok(found > instant)
      const reading = readingAt(zone, found)
      if (drawn.names(reading)) return
      const jump = reading - (readingAt(zone, found - 1000) + 1000)
      assert.ok('fixed' in drawn && drawn.fixed && jump > 0, `${drawn.text} in ${zone} after ${instant}`)
      const gap = Array.from({ length: jump / 60_000 }, (_, minute) => reading - jump + minute * 60_000)
      assert.ok(gap.some(drawn.names), `${drawn.text} in ${zone} after ${instant}`)
    }),
    { numRuns: 2000 },
  )
})

test('no occurrence is between the previous one and the next one', () => {
  fc.assert(
    fc.property(fc.oneof(anyCron, anyOnCalendar), zones, instants, (drawn, zone, instant) => {
      const waits = 'fixed' in drawn && !drawn.fixed && drawn.text.split(' ')[1] !== '*'
      fc.pre(zone !== 'Australia/Lord_Howe' || !waits)
      const schedule = parse(drawn.text)
      const next = nextAfter(schedule, zone, instant)
      if (next === null) return
      const previous = previousBefore(schedule, zone, next)
      assert.ok(previous === null || previous <= instant, `${drawn.text} in ${zone} after ${instant}`)
      assert.equal(previousBefore(schedule, zone, next + 1), next)
      if (previous !== null) assert.equal(nextAfter(schedule, zone, previous), next)
    }),
    { numRuns: 2000 },
  )
})

test('the last occurrence within a time is the last one of all, if that is within it', () => {
  const lengths = fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 40 * 86_400 }))
  const lines = fc.oneof(fc.constantFrom('2-29 03:30', '2-30', 'Mon 2-29', '2011-12-30 12:00'))
  const any = fc.oneof(
    fc.oneof(anyCron, anyOnCalendar).map(({ text }) => text),
    fc.tuple(anyOnCalendar, lines).map(([{ text }, rare]) => `${text}\n${rare}`),
  )
  fc.assert(
    fc.property(any, zones, instants, lengths, (text, zone, instant, seconds) => {
      const schedule = parse(text)
      const since = instant - seconds * 1000
      const last = previousBefore(schedule, zone, instant)
      const within = last !== null && last >= since ? last : null
      assert.equal(previousWithin(schedule, zone, since, instant), within, `${text} in ${zone}`)
    }),
    { numRuns: 3_000 },
  )
})

test('occurrences are listed to the end of the schedule', () => {
  const fridays = occurrences(parseSchedule('Fri 2024-2-* 12:00'), 'UTC', Date.UTC(2024, 1, 10))
  assert.deepEqual(
    [...fridays].map(instant => new Date(instant).toISOString().slice(0, 10)),
    ['2024-02-16', '2024-02-23'],
  )
  const first = occurrences(parseSchedule('0 0 * * *'), 'UTC', 0).next()
  assert.deepEqual(first, { done: false, value: 86_400_000 })
})

test('an ended schedule has a previous occurrence but no next one', () => {
  const schedule = parseSchedule('2020-01-01')
  assert.equal(nextAfter(schedule, 'UTC', Date.UTC(2021, 0, 1)), null)
  assert.equal(previousBefore(schedule, 'UTC', Date.UTC(2021, 0, 1)), Date.UTC(2020, 0, 1))
  assert.equal(previousBefore(schedule, 'UTC', Date.UTC(2020, 0, 1)), null)
})

test('a job that ran in the first showing of an hour does not run in the second', () => {
  const second = Date.parse('2021-10-31T03:10:00+02:00')
  for (const text of ['30 3 * * *', '03:30']) {
    const found = nextAfter(parseSchedule(text), 'Europe/Riga', second)
    assert.equal(found, Date.parse('2021-11-01T03:30:00+02:00'), text)
  }
})

test('a wildcard job waiting through a half-hour change starts its hour at half past', () => {
  const rows: [text: string, found: string][] = [
    ['* 16 * * *', '2024-10-06T16:30:00+11:00'],
    ['*/20 16 * * *', '2024-10-06T16:40:00+11:00'],
    ['0 */4 * * *', '2024-10-06T04:00:00+11:00'],
    ['30 * * * *', '2024-10-06T02:30:00+11:00'],
    ['0 16 * * *', '2024-10-06T16:00:00+11:00'],
  ]
  const start = Date.parse('2024-10-06T01:45:00+10:30')
  for (const [text, found] of rows) {
    assert.equal(nextAfter(parseSchedule(text), 'Australia/Lord_Howe', start), Date.parse(found), text)
  }
})

function parse(text: string) {
  try {
    return parseSchedule(text)
  } catch (error) {
    assert.ok(error instanceof ScheduleError && error.message.includes('never'), String(error))
    return fc.pre(false) as never
  }
}
