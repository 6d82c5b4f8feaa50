import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextReportAt, type ReportFrequency, reportPeriod } from '../../../src/core/reports/report.js'
import { weekdayOf } from '../../../src/core/schedule/civil-month.js'
import { dayAt } from '../../../src/core/time/calendar.js'

const at = (text: string) => Date.parse(text)
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(0, 16))

const next: [string, ReportFrequency, string, string, number, string | null][] = [
  ['none where they are off', 'off', 'UTC', '2026-03-05T12:00Z', 0, null],
  ['a daily one tomorrow', 'daily', 'UTC', '2026-03-05T12:00Z', 0, '2026-03-06T09:00'],
  ['tomorrow even before nine', 'daily', 'UTC', '2026-03-05T01:00Z', 119, '2026-03-06T10:59'],
  ['by the clock of the zone', 'daily', 'America/New_York', '2026-03-05T03:00Z', 5, '2026-03-05T14:05'],
  [
    'at nine after the clock went forward',
    'daily',
    'Europe/Riga',
    '2026-03-28T12:00Z',
    0,
    '2026-03-29T06:00',
  ],
  ['at nine after the clock went back', 'daily', 'Europe/Riga', '2026-10-24T12:00Z', 0, '2026-10-25T07:00'],
  ['a weekly one on Monday', 'weekly', 'UTC', '2026-03-05T12:00Z', 0, '2026-03-09T09:00'],
  ['on a Monday the one after', 'weekly', 'UTC', '2026-03-09T08:00Z', 0, '2026-03-16T09:00'],
  ['on a Sunday the next day', 'weekly', 'UTC', '2026-03-08T23:59Z', 0, '2026-03-09T09:00'],
  ['a monthly one on the first', 'monthly', 'UTC', '2026-03-05T12:00Z', 0, '2026-04-01T09:00'],
  ['on a first the one after', 'monthly', 'UTC', '2026-03-01T00:00Z', 0, '2026-04-01T09:00'],
  ['over the end of a year', 'monthly', 'Asia/Tokyo', '2026-12-31T16:00Z', 0, '2027-02-01T00:00'],
]

for (const [name, frequency, tz, now, spread, expected] of next) {
  test(`the next report: ${name}`, () =>
    assert.equal(iso(nextReportAt(frequency, tz, at(now), spread)), expected))
}

const periods: [Exclude<ReportFrequency, 'off'>, string, string, string, string, string][] = [
  ['daily', 'UTC', '2026-03-05T09:30Z', '2026-03-04T00:00', '2026-03-05T00:00', '4 Mar 2026'],
  ['daily', 'Europe/Riga', '2026-03-30T07:00Z', '2026-03-28T22:00', '2026-03-29T21:00', '29 Mar 2026'],
  ['weekly', 'UTC', '2026-03-09T09:30Z', '2026-03-02T00:00', '2026-03-09T00:00', '2 Mar 2026 to 8 Mar 2026'],
  ['weekly', 'UTC', '2026-03-15T23:30Z', '2026-03-02T00:00', '2026-03-09T00:00', '2 Mar 2026 to 8 Mar 2026'],
  ['monthly', 'UTC', '2026-03-01T09:30Z', '2026-02-01T00:00', '2026-03-01T00:00', 'February 2026'],
  ['monthly', 'Europe/Riga', '2027-01-01T08:00Z', '2026-11-30T22:00', '2026-12-31T22:00', 'December 2026'],
]

for (const [frequency, tz, now, from, to, title] of periods) {
  test(`a ${frequency} report at ${now} in ${tz} covers ${title}`, () => {
    const period = reportPeriod(frequency, tz, at(now))
    assert.deepEqual([iso(period.from), iso(period.to), period.title], [from, to, title])
  })
}

test('the next report is in the future, between 9 and 11, and covers an ended period', () => {
  const zones = [
    'UTC',
    'Europe/Riga',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Cairo',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom('daily', 'weekly', 'monthly'),
      fc.integer({ min: at('2000-01-01T00:00Z'), max: at('2037-01-01T00:00Z') }),
      fc.integer({ min: 0, max: 10_000 }),
      (tz, frequency, now, spread) => {
        const due = nextReportAt(frequency, tz, now, spread)!
        assert.ok(due > now)
        assert.ok(dayAt(due, tz) > dayAt(now, tz))
        const hour = Number(
          new Intl.DateTimeFormat('en', { timeZone: tz, hour: 'numeric', hourCycle: 'h23' }).format(due),
        )
        assert.ok(hour === 9 || hour === 10, `${hour}`)
        if (frequency === 'weekly') assert.equal(weekdayOf(dayAt(due, tz)), 1)
        const { from, to } = reportPeriod(frequency, tz, due)
        assert.ok(from < to && to <= due)
      },
    ),
  )
})
