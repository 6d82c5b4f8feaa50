import type { CalendarDays } from './calendar-days.js'
import type { CronDays, MonthDays, WeekDays } from './cron-days.js'
import { ascending, evenStep, every, joined, listed, MONTH_NAMES, ordinal, WEEKDAY_NAMES } from './english.js'

/** The days of a cron expression in English, such as `on Monday through Friday`; empty for every day. */
export function cronDaysInWords({ months, inMonth, inWeek, both }: CronDays): string {
  const anyMonthDay = inMonth.some(days => typeof days !== 'string' && days.length === 31)
  const anyWeekDay = inWeek.some(days => 'length' in days && new Set(days).size === 7)
  const monthDays = anyMonthDay ? '' : joined(monthDaysInWords(inMonth))
  const weekDays = joined(weekDaysInWords(inWeek))
  const single = !anyMonthDay && anyWeekDay ? date(numbersIn(inMonth), months) : null
  // If either field is enough and one of them has every day, so does the expression.
  if (!both && (anyMonthDay || anyWeekDay)) return inMonths(months)
  if (single !== null) return `on ${single}`
  if (anyWeekDay) return words(monthDays && `on ${monthDays} of the month`, inMonths(months))
  if (anyMonthDay) return words(onWeekdays(weekDays), inMonths(months))
  const link = both ? 'if it is' : 'as well as on'
  const either = both ? joined(weekDaysInWords(inWeek, 'or'), 'or') : weekDays
  return words(`on ${monthDays} of the month ${link} ${either}`, inMonths(months))
}

/** The days of an OnCalendar line in English; empty for every day. */
export function calendarDaysInWords({ weekdays, years, months, days, fromEnd }: CalendarDays): string {
  const named = weekdays === null || new Set(weekdays).size === 7 ? null : weekdaysListed(weekdays)
  const condition = weekdays && named && `if it is ${weekdaysListed(weekdays, 'or')}`
  const single = days !== null && !fromEnd ? date(days, months) : null
  if (single !== null) return words(`on ${single}`, years && inYears(years), condition)
  const inMonth = days === null ? null : `${fromEnd ? fromEndInWords(days) : dayNumbers(days)} of the month`
  const when = inMonth === null ? named && onWeekdays(named) : words(`on ${inMonth}`, condition)
  return words(when, inMonths(months), years && `in ${inYears(years)}`)
}

function monthDaysInWords(items: readonly MonthDays[]): string[] {
  const numbers = numbersIn(items)
  const parts = numbers.length > 0 ? [dayNumbers(numbers)] : []
  if (items.includes('last')) parts.push('the last day')
  if (items.includes('last workday')) parts.push('the last weekday')
  return parts
}

function weekDaysInWords(items: readonly WeekDays[], conjunction = 'and'): string[] {
  const plain = items.flatMap(days => ('nth' in days ? [] : days))
  const special = items.flatMap(days =>
    'nth' in days ? [`the ${nthInWords(days.nth)} ${WEEKDAY_NAMES[days.weekday]} of the month`] : [],
  )
  return plain.length > 0 ? [weekdaysListed(plain, conjunction), ...special] : special
}

function nthInWords(nth: number | 'last'): string {
  return nth === 'last' ? nth : ordinal(nth)
}

function numbersIn(items: readonly MonthDays[]): number[] {
  return ascending(items.flatMap(days => (typeof days === 'string' ? [] : days)))
}

function dayNumbers(days: readonly number[]): string {
  const numbers = ascending(days)
  const step = evenStep(numbers)
  if (step !== null && step > 1) {
    const whole = numbers[0] === 1 && numbers.at(-1)! + step > 31
    return whole ? every(step, 'day') : `${every(step, 'day')} from ${numbers[0]} through ${numbers.at(-1)}`
  }
  return `${numbers.length > 1 ? 'days' : 'day'} ${listed(numbers)}`
}

function fromEndInWords(days: readonly number[]): string {
  const numbers = ascending(days)
  if (numbers.length > 1 && numbers[0] === 1 && numbers.at(-1) === numbers.length) {
    return `the last ${numbers.length} days`
  }
  return `the ${joined(numbers.map(number => (number === 1 ? 'last' : `${ordinal(number)} to last`)))} day`
}

/** Weekdays in a week that begins on Monday, so that the weekend stays together. */
function weekdaysListed(weekdays: readonly number[], conjunction = 'and'): string {
  const fromMonday = ascending(weekdays.map(weekday => (weekday + 6) % 7))
  return listed(fromMonday, place => WEEKDAY_NAMES[(place + 1) % 7]!, conjunction)
}

/** `on weekdays` for the five, otherwise the days by name. */
function onWeekdays(named: string): string {
  return named === 'Monday through Friday' ? 'on weekdays' : `on ${named}`
}

/** `29 February` if there is one day of one month, else null. */
function date(days: readonly number[], months: readonly number[]): string | null {
  if (new Set(days).size !== 1 || new Set(months).size !== 1) return null
  return `${days[0]} ${MONTH_NAMES[months[0]! - 1]}`
}

function inMonths(months: readonly number[]): string {
  const numbers = ascending(months)
  return numbers.length === 12 ? '' : `in ${listed(numbers, number => MONTH_NAMES[number - 1]!)}`
}

function inYears(years: readonly number[]): string {
  const step = evenStep(years)
  return step !== null && step > 1
    ? `${every(step, 'year')} from ${years[0]} through ${years.at(-1)}`
    : listed(years)
}

function words(...parts: (string | null)[]): string {
  return parts.filter(part => part !== null && part !== '').join(' ')
}
