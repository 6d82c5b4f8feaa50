import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { occurrences, parseSchedule, windowsWithin } from '../../../src/core/schedule/index.js'
import { joined, type Span, within } from '../../../src/core/time/spans.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The windows, by walking from one occurrence to the next. */
function walked(text: string, tz: string, lengthSeconds: number, since: number, span: Span): Span[] {
  const schedule = parseSchedule(text)
  const rules = schedule.rules.map(rule => ({ ...rule, skipped: 'moved', repeated: 'first' }) as const)
  const windows: Span[] = []
  const before = Math.max(since, span.from - lengthSeconds * 1000) - 1
  for (const start of occurrences({ ...schedule, rules }, tz, before)) {
    if (start >= span.to) break
    windows.push(
      ...[within({ from: start, to: start + lengthSeconds * 1000 }, span)].flatMap(one => one ?? []),
    )
  }
  return joined(windows)
}

const field = (most: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min: 1, max: most }).map(String),
    fc.integer({ min: 1, max: 20 }).map(step => `*/${step}`),
    fc.tuple(fc.integer({ min: 1, max: 11 }), fc.integer({ min: 12, max: most })).map(pair => pair.join('-')),
  )
const cron = fc
  .tuple(field(59), field(23), field(28), field(12), fc.constantFrom('*', '*', '0', '1-5', '7#1'))
  .map(fields => fields.join(' '))
const time = fc.tuple(
  fc.constantFrom('*', '0..23/2', '0', '2', '1..3', '23'),
  fc.constantFrom('*', '0/2', '30', '59', '0..20'),
  fc.constantFrom('*', '0', '59', '0/7', '30..31'),
)
const line = fc
  .tuple(
    fc.constantFrom('', 'Mon ', 'Mon..Fri ', '*-1/2 ', '*-*-29 ', '2-29 ', '2027-*-* ', '2025-10~1 '),
    time.map(parts => parts.join(':')),
    fc.constantFrom('', '', '', ' Asia/Tokyo', ' America/Havana'),
  )
  .map(parts => parts.join(''))
const lines = fc.array(line, { minLength: 1, maxLength: 4 }).map(some => some.join('\n'))
const valid = (text: string) => {
  try {
    parseSchedule(text)
    return true
  } catch {
    return false
  }
}
const schedules = fc.oneof(cron, lines).filter(valid)

const zones = fc.constantFrom(
  'UTC',
  'Europe/Riga',
  'America/New_York',
  'America/Havana',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
)
/** Around changes of the clock: a day that Apia skipped, hours that others skip or repeat, and any others. */
const instants = fc.oneof(
  fc.constantFrom(Date.UTC(2011, 11, 30), Date.UTC(2027, 2, 28), Date.UTC(2027, 3, 4), Date.UTC(2027, 9, 31)),
  fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 11, 31) }),
)
const near = (most: number) => fc.integer({ min: -most, max: most })
const lengths = fc.oneof(
  fc.constantFrom(60, 61, 119, 120, 3_600, 86_400, 86_401, 7 * 86_400),
  fc.integer({ min: 60, max: 100_000 }),
)

test('windows within a span are those that begin at the occurrences of the schedule', () => {
  const spans = fc.oneof(
    fc.tuple(instants, near(3 * DAY), fc.integer({ min: -1, max: 9 * DAY })),
    fc.tuple(instants, near(12 * HOUR), fc.integer({ min: 1, max: DAY })),
  )
  fc.assert(
    fc.property(schedules, zones, lengths, spans, near(6 * DAY), (text, tz, lengthSeconds, span, age) => {
      const [around, before, length] = span
      const [from, to] = [around + before, around + before + length]
      const since = from + age
      const windows = windowsWithin({ schedule: parseSchedule(text), tz, lengthSeconds, since }, { from, to })
      const expected = walked(text, tz, lengthSeconds, since, { from, to })
      assert.deepEqual(
        [...windows],
        expected.flatMap(one => [one.from, one.to]),
      )
    }),
    { numRuns: 500 },
  )
})

test('windows on rare dates, and at times that the clock skips once a year, are found', () => {
  const years = { from: Date.UTC(2027, 0, 1), to: Date.UTC(2029, 0, 1) }
  const cases = [
    ['0 12 29 2 *', 'Europe/Riga'],
    ['30 3 * * sun', 'Europe/Riga'],
    ['Sun 2:15', 'Australia/Lord_Howe'],
  ] as const
  for (const [text, tz] of cases) {
    const windows = windowsWithin({ schedule: parseSchedule(text), tz, lengthSeconds: 60, since: 0 }, years)
    const expected = walked(text, tz, 60, 0, years).flatMap(one => [one.from, one.to])
    assert.deepEqual([...windows], expected)
    assert.ok(expected.length > 0)
  }
})
