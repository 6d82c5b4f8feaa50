import { type CalendarItem, DAY, DAY_FROM_END, MONTH, numbersOf, readItems, YEAR } from './calendar-field.js'
import { type DayRule, dayRule } from './day-rule.js'
import { ScheduleError } from './schedule-error.js'

/** The weekdays and the date of an OnCalendar line. Null means any. */
export interface CalendarDays {
  /** 0 is Sunday. */
  readonly weekdays: readonly number[] | null
  /** Ascending. */
  readonly years: readonly number[] | null
  readonly months: readonly number[]
  readonly days: readonly number[] | null
  /** Whether `days` counts from the end of the month, with 1 for its last day. */
  readonly fromEnd: boolean
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** systemd's week begins on Monday, so `Sat..Sun` ascends. */
const MONDAY_FIRST = [1, 2, 3, 4, 5, 6, 0]

/**
 * Reads the days of an OnCalendar line: `weekdays` such as `Mon,Wed..Fri` or null, `date` such as `*-1..6-*`
 * or `*-02~03`. Throws ScheduleError. Source: systemd.time(7), CALENDAR EVENTS.
 */
export function readCalendarDays(weekdays: string | null, date: string): CalendarDays {
  const tilde = date.lastIndexOf('~')
  const cut = tilde < 0 ? date.lastIndexOf('-') : tilde
  const head = date.slice(0, Math.max(cut, 0)).split('-')
  if (cut < 0 || head.length > 2) {
    throw new ScheduleError('date', date, 'Y-M-D or M-D, with ~ for the last - to count from the end')
  }
  const years = head.length === 2 ? readItems(YEAR, head[0]!) : null
  const days = readItems(tilde < 0 ? DAY : DAY_FROM_END, date.slice(cut + 1))
  return {
    weekdays: weekdays === null ? null : readWeekdays(weekdays),
    years: years && [...new Set(numbersOf(YEAR, years))].sort((a, b) => a - b),
    months: numbersOf(MONTH, readItems(MONTH, head.at(-1)!)),
    days: days && (tilde < 0 ? numbersOf(DAY, days) : countedFromEnd(days)),
    fromEnd: tilde >= 0,
  }
}

/** The days that these fields name. */
export function calendarDayRule({ weekdays, years, months, days, fromEnd }: CalendarDays): DayRule {
  return dayRule(
    months,
    years,
    (day, weekday, length) =>
      (weekdays === null || weekdays.includes(weekday)) &&
      (days === null || days.includes(fromEnd ? length - day + 1 : day)),
  )
}

/** Steps go towards the end of the month: `7/2` is the seventh, fifth, third and first day counted from the end. */
function countedFromEnd(items: CalendarItem[]): number[] {
  return items.flatMap(({ first, last, step }) => {
    const nearest = last === null ? 1 : first
    const days: number[] = []
    for (let day = last ?? first; day >= nearest; day -= step) days.push(day)
    return days
  })
}

function readWeekdays(text: string): number[] {
  const list = text.endsWith(',') ? text.slice(0, -1) : text
  return list.split(',').flatMap(item => {
    const mark = item.includes('..') ? '..' : '-'
    const at = item.indexOf(mark)
    const first = readWeekday(at < 0 ? item : item.slice(0, at), item)
    const last = at < 0 ? first : readWeekday(item.slice(at + mark.length), item)
    if (first > last) throw new ScheduleError('weekday', item, 'a range that ascends from Monday to Sunday')
    return MONDAY_FIRST.slice(first, last + 1)
  })
}

/** The index of a weekday in a week that begins on Monday. */
function readWeekday(text: string, item: string): number {
  const name = text.toLowerCase()
  const weekday = WEEKDAYS.findIndex(full => name === full || name === full.slice(0, 3))
  if (weekday < 0) throw new ScheduleError('weekday', item, 'a weekday such as Mon or Monday')
  return MONDAY_FIRST.indexOf(weekday)
}
