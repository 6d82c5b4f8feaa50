/** The search for the days of a schedule, compared with a walk day by day. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstDayOf, lengthOf, monthOf, weekdayOf } from '../../../src/core/schedule/civil-month.js'
import { type DayRule, dayAtLeast, dayAtMost, dayRule } from '../../../src/core/schedule/day-rule.js'

const FIRST_YEAR = 1890
const LAST_YEAR = 2110

/** Days of a year that may be rare, such as a 29 February that is a Monday, or that no year has. */
const someOf = (...numbers: number[]) => fc.subarray(numbers, { minLength: 1 })
const anyRule = fc.record({
  months: someOf(1, 2, 4, 12),
  days: someOf(1, 15, 28, 29, 30, 31),
  weekdays: fc.constantFrom<number[]>([0, 1, 2, 3, 4, 5, 6], [1], [0, 6]),
  years: fc.option(fc.uniqueArray(fc.integer({ min: FIRST_YEAR, max: LAST_YEAR }), { minLength: 1 })),
})
const anyDay = fc.integer({ min: dayOf(FIRST_YEAR), max: dayOf(LAST_YEAR) })
const anyMonth = fc.integer({ min: FIRST_YEAR * 12, max: LAST_YEAR * 12 })

test('the first and the last day that match are those of a walk day by day', () => {
  fc.assert(
    fc.property(anyRule, anyDay, anyMonth, ({ months, days, weekdays, years }, day, month) => {
      const rule = dayRule(
        months,
        years?.toSorted((a, b) => a - b) ?? null,
        (number, weekday) => days.includes(number) && weekdays.includes(weekday),
      )
      const matches = (day: number) => {
        const its = monthOf(day)
        return (
          (years?.includes(Math.floor(its / 12)) ?? true) &&
          months.includes((((its % 12) + 12) % 12) + 1) &&
          days.includes(day - firstDayOf(its) + 1) &&
          weekdays.includes(weekdayOf(day))
        )
      }
      assert.equal(dayAtLeast(rule, day, month), walk(matches, day, firstDayOf(month + 1) - 1, 1))
      assert.equal(dayAtMost(rule, day, month), walk(matches, day, firstDayOf(month), -1))
    }),
    { numRuns: 300 },
  )
})

test('a date that no year has is not looked for in its months', () => {
  const shapes = new Proxy([], { get: () => assert.fail('looked for in a month') })
  const rule: DayRule = { ...dayRule([2, 4], null, day => day === 31), shapes }
  assert.equal(dayAtLeast(rule, dayOf(1970), 2199 * 12 + 11), null)
  assert.equal(dayAtMost(rule, dayOf(2199), 1970 * 12), null)
})

test('months are found whatever month was asked about before', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -800_000, max: 800_000 }), { minLength: 2 }), days => {
      for (const day of days) {
        const month = monthOf(day)
        const date = new Date(day * 86_400_000)
        assert.equal(month, date.getUTCFullYear() * 12 + date.getUTCMonth())
        assert.equal(firstDayOf(month), day - date.getUTCDate() + 1)
        assert.equal(firstDayOf(month) + lengthOf(month), firstDayOf(month + 1))
      }
    }),
  )
})

function walk(matches: (day: number) => boolean, from: number, to: number, step: 1 | -1): number | null {
  for (let day = from; step === 1 ? day <= to : day >= to; day += step) if (matches(day)) return day
  return null
}

function dayOf(year: number): number {
  return firstDayOf(year * 12)
}
