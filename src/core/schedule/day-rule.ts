import { firstDayOf, lengthOf, monthOf, weekdayOf } from './civil-month.js'
import { highestBit, lowestBit } from './number-set.js'

/**
 * The days of a schedule. Which days of a month match depends only on the weekday of its first day and on its
 * length, so `shapes` has the days for each of the 28 kinds of month: bit 0 is the first of the month, at index
 * `weekday * 4 + length - 28`.
 */
export interface DayRule {
  /** Bit 0 is January. */
  readonly months: number
  /** Ascending, or null for every year. */
  readonly years: readonly number[] | null
  readonly shapes: readonly number[]
}

/** Whether a day matches, by its number in the month, its weekday (0 is Sunday) and the month's length. */
export type DayTest = (dayOfMonth: number, weekday: number, monthLength: number) => boolean

/** The days of `months` (1-12) in `years` for which `matches` is true. */
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
  return { months: months.reduce((bits, month) => bits | (1 << (month - 1)), 0), years, shapes }
}

/** The first matching day at or after `day`, in or before the month `lastMonth`; or null. */
export function dayAtLeast(rule: DayRule, day: number, lastMonth: number): number | null {
  const firstMonth = monthOf(day)
  for (let month = firstMonth; month <= lastMonth; month++) {
    const wanted = monthAtLeast(rule, month)
    if (wanted === null || wanted > lastMonth) return null
    month = wanted
    const start = firstDayOf(month)
    const days = daysIn(rule, month, start) & (month === firstMonth ? -1 << (day - start) : -1)
    if (days !== 0) return start + lowestBit(days)
  }
  return null
}

/** The last matching day at or before `day`, in or after the month `firstMonth`; or null. */
export function dayAtMost(rule: DayRule, day: number, firstMonth: number): number | null {
  const lastMonth = monthOf(day)
  for (let month = lastMonth; month >= firstMonth; month--) {
    const wanted = monthAtMost(rule, month)
    if (wanted === null || wanted < firstMonth) return null
    month = wanted
    const start = firstDayOf(month)
    const days = daysIn(rule, month, start) & (month === lastMonth ? -1 >>> (31 - (day - start)) : -1)
    if (days !== 0) return start + highestBit(days)
  }
  return null
}

function daysIn(rule: DayRule, month: number, start: number): number {
  return rule.shapes[weekdayOf(start) * 4 + lengthOf(month) - 28]!
}

function monthAtLeast(rule: DayRule, month: number): number | null {
  let year = Math.floor(month / 12)
  let rest = rule.months & (-1 << (month - year * 12))
  if (rest === 0) {
    year += 1
    rest = rule.months
  }
  if (rule.years !== null) {
    const wanted = rule.years.find(candidate => candidate >= year)
    if (wanted === undefined) return null
    if (wanted !== year) rest = rule.months
    year = wanted
  }
  return year * 12 + lowestBit(rest)
}

function monthAtMost(rule: DayRule, month: number): number | null {
  let year = Math.floor(month / 12)
  let rest = rule.months & ((2 << (month - year * 12)) - 1)
  if (rest === 0) {
    year -= 1
    rest = rule.months
  }
  if (rule.years !== null) {
    const wanted = rule.years.findLast(candidate => candidate <= year)
    if (wanted === undefined) return null
    if (wanted !== year) rest = rule.months
    year = wanted
  }
  return year * 12 + highestBit(rest)
}
