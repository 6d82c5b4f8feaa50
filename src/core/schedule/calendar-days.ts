import { DAY, DAY_FROM_END, MONTH, numbersOf, readItems, YEAR } from './calendar-field.js'
import { type DayRule, type DayTest, dayRule } from './day-rule.js'
import { ScheduleError } from './schedule-error.js'

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** systemd's week begins on Monday, which is what makes `Sat..Sun` a range that ascends. */
const MONDAY_FIRST = [1, 2, 3, 4, 5, 6, 0]

/**
 * The days of an OnCalendar line: `weekdays` such as `Mon,Wed..Fri` or null, `date` such as `*-1..6-*` or
 * `*-02~03`. Throws ScheduleError. Source: systemd.time(7), CALENDAR EVENTS.
 */
export function calendarDays(weekdays: string | null, date: string): DayRule {
  const allowed = weekdays === null ? null : readWeekdays(weekdays)
  const { years, months, inMonth } = readDate(date)
  const matches: DayTest =
    allowed === null ? inMonth : (...day) => allowed.includes(day[1]) && inMonth(...day)
  return dayRule(months, years, matches)
}

function readDate(date: string) {
  const tilde = date.lastIndexOf('~')
  const cut = tilde < 0 ? date.lastIndexOf('-') : tilde
  const head = date.slice(0, cut).split('-')
  if (cut < 0 || head.length > 2) {
    throw new ScheduleError('date', date, 'Y-M-D or M-D, with ~ for the last - to count from the end')
  }
  const years = head.length === 2 ? readItems(YEAR, head[0]!) : null
  return {
    years: years && [...new Set(numbersOf(YEAR, years))].sort((a, b) => a - b),
    months: numbersOf(MONTH, readItems(MONTH, head.at(-1)!)),
    inMonth: tilde < 0 ? readDay(date.slice(cut + 1)) : readDayFromEnd(date.slice(cut + 1)),
  }
}

function readDay(text: string): DayTest {
  const days = numbersOf(DAY, readItems(DAY, text))
  return day => days.includes(day)
}

/** `~3` is the last day but two, `~7/1` each day from the last but six on. */
function readDayFromEnd(text: string): DayTest {
  const items = readItems(DAY_FROM_END, text)
  if (items === null) return () => true
  const fromEnd = items.flatMap(({ first, last, step }) => {
    const farthest = last ?? first
    const nearest = last === null ? 1 : first
    const days: number[] = []
    for (let day = farthest; day >= nearest; day -= step) days.push(day)
    return days
  })
  return (day, _, length) => fromEnd.includes(length - day + 1)
}

function readWeekdays(text: string): number[] {
  const list = text.endsWith(',') ? text.slice(0, -1) : text
  return list.split(',').flatMap(item => {
    const [first, last] = item.includes('..') ? split(item, '..') : split(item, '-')
    const from = readWeekday(first, item)
    const to = last === null ? from : readWeekday(last, item)
    if (from > to) throw new ScheduleError('weekday', item, 'a range that ascends from Monday to Sunday')
    return MONDAY_FIRST.slice(from, to + 1)
  })
}

function split(item: string, mark: string): [string, string | null] {
  const at = item.indexOf(mark)
  return at < 0 ? [item, null] : [item.slice(0, at), item.slice(at + mark.length)]
}

/** The place of a weekday in a week that begins on Monday. */
function readWeekday(text: string, item: string): number {
  const name = text.toLowerCase()
  const weekday = WEEKDAYS.findIndex(full => name === full || name === full.slice(0, 3))
  if (weekday < 0) throw new ScheduleError('weekday', item, 'a weekday such as Mon or Monday')
  return MONDAY_FIRST.indexOf(weekday)
}
