import { firstDayOf, lengthOf, monthOf, weekdayOf } from './civil-month.js'
import { highestBit, lowestBit } from './number-set.js'

/**
 * The days of a schedule. Which days of a month match depends only on the weekday of its first day and on its
 * length, so `shapes` has the days for each of the 28 kinds of month: bit 0 is the first of the month, at index
 * `weekday * 4 + length - 28`.
 */
export interface DayRule {
  readonly shapes: readonly number[]
  /**
   * The months with a matching day, for each of the 14 kinds of year, see {@link KIND_OF}: bit 0 is January. So years
   * without a match cost next to nothing; a date such as 30 February is looked for in two centuries.
   */
  readonly months: readonly number[]
  /** Null for every year. */
  readonly years: { readonly all: ReadonlySet<number>; readonly first: number; readonly last: number } | null
}

/** The kind of each year in the calendar's cycle of 400: the weekday on which it begins, and whether it is a leap year. */
const KIND_OF = Uint8Array.from({ length: 400 }, (_, year) => {
  const start = firstDayOf(year * 12)
  return weekdayOf(start) * 2 + firstDayOf(year * 12 + 12) - start - 365
})

/** A year of each of the 14 kinds. */
const KINDS: readonly number[] = Array.from({ length: 14 }, (_, kind) => KIND_OF.indexOf(kind))

/** Whether a day matches, by its number in the month, its weekday (0 is Sunday) and the month's length. */
export type DayTest = (dayOfMonth: number, weekday: number, monthLength: number) => boolean

/** The days of `months` (1-12) in `years` (ascending) for which `matches` is true. */
export function dayRule(
  months: readonly number[],
  years: readonly number[] | null,
  matches: DayTest,
): DayRule {
  const shapes: number[] = []
  for (let first = 0; first < 7; first++) {
    for (let length = 28; length <= 31; length++) {
      let days = 0
      for (let day = 1; day <= length; day++) {
        if (matches(day, (first + day - 1) % 7, length)) days |= 1 << (day - 1)
      }
      shapes.push(days)
    }
  }
  const withDays = KINDS.map(year => {
    const some = months.filter(month => daysIn(shapes, year * 12 + month - 1) !== 0)
    return some.reduce((bits, month) => bits | (1 << (month - 1)), 0)
  })
  const listed = years && { all: new Set(years), first: years[0]!, last: years.at(-1)! }
  return { shapes, months: withDays, years: listed }
}

/** The first matching day at or after `day`, in or before the month `lastMonth`; or null. */
export function dayAtLeast(rule: DayRule, day: number, lastMonth: number): number | null {
  const here = monthOf(day)
  let month = monthAtLeast(rule, here, lastMonth)
  if (month === here) {
    const start = firstDayOf(month)
    const days = daysIn(rule.shapes, month) & (-1 << (day - start))
    if (days !== 0) return start + lowestBit(days)
    month = monthAtLeast(rule, here + 1, lastMonth)
  }
  return month === null ? null : firstDayOf(month) + lowestBit(daysIn(rule.shapes, month))
}

/** The last matching day at or before `day`, in or after the month `firstMonth`; or null. */
export function dayAtMost(rule: DayRule, day: number, firstMonth: number): number | null {
  const here = monthOf(day)
  let month = monthAtMost(rule, here, firstMonth)
  if (month === here) {
    const start = firstDayOf(month)
    const days = daysIn(rule.shapes, month) & (-1 >>> (31 - (day - start)))
    if (days !== 0) return start + highestBit(days)
    month = monthAtMost(rule, here - 1, firstMonth)
  }
  return month === null ? null : firstDayOf(month) + highestBit(daysIn(rule.shapes, month))
}

/** The first month from `month` to `lastMonth` with a matching day, or null. */
function monthAtLeast(rule: DayRule, month: number, lastMonth: number): number | null {
  const firstYear = Math.floor(month / 12)
  const lastYear = Math.min(Math.floor(lastMonth / 12), rule.years?.last ?? Number.POSITIVE_INFINITY)
  let wanted = -1 << (month - firstYear * 12)
  for (let year = firstYear; year <= lastYear; year++) {
    const months = monthsIn(rule, year) & wanted
    if (months !== 0) {
      const found = year * 12 + lowestBit(months)
      return found <= lastMonth ? found : null
    }
    wanted = -1
  }
  return null
}

/** The last month from `firstMonth` to `month` with a matching day, or null. */
function monthAtMost(rule: DayRule, month: number, firstMonth: number): number | null {
  const lastYear = Math.floor(month / 12)
  const firstYear = Math.max(Math.floor(firstMonth / 12), rule.years?.first ?? Number.NEGATIVE_INFINITY)
  let wanted = (2 << (month - lastYear * 12)) - 1
  for (let year = lastYear; year >= firstYear; year--) {
    const months = monthsIn(rule, year) & wanted
    if (months !== 0) {
      const found = year * 12 + highestBit(months)
      return found >= firstMonth ? found : null
    }
    wanted = -1
  }
  return null
}

/** The months of `year` with a matching day: bit 0 is January. */
function monthsIn({ months, years }: DayRule, year: number): number {
  if (years !== null && !years.all.has(year)) return 0
  return months[KIND_OF[((year % 400) + 400) % 400]!]!
}

/** The matching days of `month`: bit 0 is its first. */
function daysIn(shapes: readonly number[], month: number): number {
  return shapes[weekdayOf(firstDayOf(month)) * 4 + lengthOf(month) - 28]!
}
