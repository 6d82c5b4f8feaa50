/** What a person is told about a schedule that cannot be read, and what reading costs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextAfter, parseSchedule, ScheduleError } from '../../../src/core/schedule/index.js'

const COMPLAINTS: [text: string, message: string][] = [
  ['* 24 * * *', 'hour: "24" is outside 0-23'],
  ['60 * * * *', 'minute: "60" is outside 0-59'],
  ['* * 0 * *', 'day of month: "0" is outside 1-31'],
  ['0 0 * * 8', 'day of week: "8" is outside 0-7'],
  ['0 0 * foo *', 'month: "foo" is not * or a list of numbers (1-12, JAN-DEC), ranges a-b and steps /n'],
  ['5-1 * * * *', 'minute: "5-1" is not a range that ascends'],
  ['*/0 * * * *', 'minute: "*/0" is not followed by a step of 1 or more'],
  ['1, * * * *', 'minute: "" is not * or a list of numbers (0-59), ranges a-b and steps /n'],
  ['0 0 31 4,6 *', 'day of month: "31" is not a day that one of the months has'],
  ['0 0 * * MON#6', 'day of week: "MON#6" is not a weekday followed by #1 to #5'],
  ['0 0 */100 * MON#4', 'schedule: "0 0 */100 * MON#4" never occurs after 2000-01-01'],
  ['', 'line: "" is blank'],
  ['12:00\n\n13:00', 'line: "" is blank'],
  ['25:00', 'hour: "25" is outside 0-23'],
  ['*:*/15', 'minute: "*/15" is not * alone or a list of numbers, ranges a..b and steps a/n'],
  ['12:34:56:78', 'time: "12:34:56:78" is not H:M or H:M:S'],
  ['2200-01-01', 'year: "2200" is outside 1970-2199'],
  ['*~29', 'day from the end: "29" is outside 1-28'],
  ['Fri..Mon 12:00', 'weekday: "Fri..Mon" is not a range that ascends from Monday to Sunday'],
  ['@daily', 'weekday: "@daily" is not a weekday such as Mon or Monday'],
  [
    '12:34 Europe/surprise',
    'time zone: "Europe/surprise" is not the name of a time zone such as Europe/Riga',
  ],
  ['12:34 utc', 'time zone: "utc" is not the name of a time zone such as Europe/Riga'],
  ['12:00 Mon', 'line: "12:00 Mon" is not weekdays, date, time and time zone, in this order and each once'],
]

test('an error names the field, the text and what would be right', () => {
  for (const [text, message] of COMPLAINTS) {
    assert.throws(
      () => parseSchedule(text),
      error => error instanceof ScheduleError && error.message === message,
      `${JSON.stringify(text)}: ${message}`,
    )
  }
})

test('the parts of an error are available', () => {
  try {
    parseSchedule('* 24 * * *')
    assert.fail('hour 24 was read')
  } catch (error) {
    assert.ok(error instanceof ScheduleError)
    const { field, found, expected } = error
    assert.deepEqual({ field, found, expected }, { field: 'hour', found: '24', expected: '0-23' })
  }
})

test('any text up to 1,000 characters is parsed or refused with a ScheduleError', () => {
  const alphabet = fc.constantFrom(...'0123456789*/,-.~:#LW MONTUEjan\n\t'.split(''))
  const texts = fc.oneof(
    fc.string({ maxLength: 1000, unit: 'binary' }),
    fc.array(alphabet, { maxLength: 1000 }).map(characters => characters.join('')),
    fc
      .array(fc.array(alphabet, { minLength: 1, maxLength: 12 }), { minLength: 5, maxLength: 5 })
      .map(words => words.map(word => word.join('').trim() || '*').join(' ')),
  )
  fc.assert(
    fc.property(texts, text => {
      try {
        parseSchedule(text)
      } catch (error) {
        assert.ok(error instanceof ScheduleError, String(error))
      }
    }),
    { numRuns: 3000 },
  )
})

test('equal texts share one schedule, and the cache is bounded', () => {
  const first = parseSchedule('7 7 7 7 *')
  for (let copy = 0; copy < 100_000; copy++) {
    if (parseSchedule(`7 7 7 7 ${'*'.slice(0, 1)}`) !== first) assert.fail('parsed again')
  }
  for (let year = 0; year < 6000; year++) parseSchedule(`${year % 60} ${year % 24} * * ${'0'.repeat(year)}1`)
  assert.notEqual(parseSchedule('7 7 7 7 *'), first)
})

test('a text in use stays in the cache', () => {
  const often = parseSchedule('8 8 8 8 *')
  for (let number = 0; number < 6000; number++) {
    parseSchedule(`${number % 60} ${number % 24} ${(number % 28) + 1} * ${'0'.repeat(number % 700)}1`)
    if (number % 1000 === 0) parseSchedule('8 8 8 8 *')
  }
  assert.equal(parseSchedule('8 8 8 8 *'), often)
})

test('rare dates are found: 29 February on a Sunday, across the year 2100', () => {
  const years = Array.from({ length: 200 }, (_, at) => 2000 + at)
  const sundays = years.filter(year => {
    const date = new Date(Date.UTC(year, 1, 29))
    return date.getUTCDate() === 29 && date.getUTCDay() === 0
  })
  const schedule = parseSchedule('0 0 29 2 */7')
  for (const [at, year] of sundays.entries()) {
    const found = nextAfter(schedule, 'UTC', Date.UTC(sundays[at - 1] ?? 2000, 5, 1))
    assert.equal(found, Date.UTC(year, 1, 29))
  }
  const gaps = sundays.map((year, at) => year - (sundays[at - 1] ?? year))
  assert.equal(Math.max(...gaps), 40)
})
