import { DAY_OF_MONTH, DAY_OF_WEEK, MONTH, readItem, readList, readStep, readValue } from './cron-field.js'
import { type DayRule, type DayTest, dayRule } from './day-rule.js'
import { ScheduleError } from './schedule-error.js'

/** An item of the day-of-month field: the days it lists, `L` or `LW`. */
export type MonthDays = readonly number[] | 'last' | 'last workday'

/** An item of the day-of-week field: the weekdays it lists (0 is Sunday), or one such as `5L` or `5#2`. */
export type WeekDays = readonly number[] | { readonly weekday: number; readonly nth: number | 'last' }

/** The last three fields of a cron expression. */
export interface CronDays {
  readonly months: readonly number[]
  readonly inMonth: readonly MonthDays[]
  readonly inWeek: readonly WeekDays[]
  /**
   * Whether a day must match both day fields, which is the case if one of them starts with a star; otherwise either
   * is enough. Source: crontab(5) of Debian, the note on the day of a command's execution.
   */
  readonly both: boolean
}

const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Reads the last three fields of a cron expression. Throws ScheduleError, also if no month has the days. */
export function readCronDays(daysOfMonth: string, month: string, daysOfWeek: string): CronDays {
  const months = readList(MONTH, month)
  const inMonth = daysOfMonth.split(',').map(readMonthDays)
  const inWeek = daysOfWeek.split(',').map(readWeekDays)
  const possible = inMonth.some(
    days => typeof days === 'string' || days.some(day => months.some(month => day <= LONGEST[month - 1]!)),
  )
  if (!possible) {
    throw new ScheduleError('day of month', daysOfMonth, 'a day that one of the months has')
  }
  return { months, inMonth, inWeek, both: daysOfMonth.startsWith('*') || daysOfWeek.startsWith('*') }
}

/** The days of these fields. */
export function cronDayRule({ months, inMonth, inWeek, both }: CronDays): DayRule {
  const monthTests = inMonth.map(testOfMonth)
  const weekTests = inWeek.map(testOfWeek)
  return dayRule(months, null, (day, weekday, length) => {
    const matchesMonth = monthTests.some(test => test(day, weekday, length))
    if (matchesMonth !== both) return matchesMonth
    return weekTests.some(test => test(day, weekday, length))
  })
}

/** A step after `L` or `LW` changes nothing. */
function readMonthDays(item: string): MonthDays {
  const slash = item.indexOf('/')
  const base = (slash < 0 ? item : item.slice(0, slash)).toUpperCase()
  if (base !== 'L' && base !== 'LW') return readItem(DAY_OF_MONTH, item)
  if (slash >= 0) readStep(DAY_OF_MONTH, item, slash)
  return base === 'L' ? 'last' : 'last workday'
}

function readWeekDays(item: string): WeekDays {
  const hash = item.indexOf('#')
  if (hash >= 0) {
    const weekday = readValue(DAY_OF_WEEK, item.slice(0, hash), item) % 7
    const nth = item.slice(hash + 1)
    if (!/^[1-5]$/.test(nth)) throw new ScheduleError('day of week', item, 'a weekday followed by #1 to #5')
    return { weekday, nth: Number(nth) }
  }
  if (/^[0-7]L$/i.test(item)) return { weekday: Number(item[0]) % 7, nth: 'last' }
  return readItem(DAY_OF_WEEK, item).map(number => number % 7)
}

function testOfMonth(days: MonthDays): DayTest {
  if (days === 'last') return (day, _, length) => day === length
  if (days !== 'last workday') return day => days.includes(day)
  // A Friday is the last workday even if a Saturday or the whole weekend follows.
  return (day, weekday, length) =>
    weekday === 5 ? day + 2 >= length : weekday >= 1 && weekday <= 4 && day === length
}

function testOfWeek(days: WeekDays): DayTest {
  if (!('nth' in days)) return (_, weekday) => days.includes(weekday)
  const { weekday: wanted, nth } = days
  if (nth === 'last') return (day, weekday, length) => weekday === wanted && day + 7 > length
  return (day, weekday) => weekday === wanted && Math.ceil(day / 7) === nth
}
