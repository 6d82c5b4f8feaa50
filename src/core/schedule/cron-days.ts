import { DAY_OF_MONTH, DAY_OF_WEEK, MONTH, readItem, readList, readStep, readValue } from './cron-field.js'
import { type DayRule, type DayTest, dayRule } from './day-rule.js'
import { ScheduleError } from './schedule-error.js'

const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * The days that the last three fields of a cron expression name. Where one of the two day fields starts with
 * a star a day must match both, else either will do. Source: crontab(5) of Debian, the note on the day of a
 * command's execution; `*` there means the first character, so `*` and a step count as a star too.
 */
export function cronDays(daysOfMonth: string, months: string, daysOfWeek: string): DayRule {
  const monthNumbers = readList(MONTH, months)
  const inMonth = daysOfMonth.split(',').map(readDayOfMonth)
  const inWeek = daysOfWeek.split(',').map(readDayOfWeek)
  const earliest = Math.min(...inMonth.map(({ earliest }) => earliest))
  if (earliest > Math.max(...monthNumbers.map(number => LONGEST[number - 1]!))) {
    throw new ScheduleError('day of month', daysOfMonth, 'a day that the months have')
  }
  const both = daysOfMonth.startsWith('*') || daysOfWeek.startsWith('*')
  return dayRule(monthNumbers, null, (...day) => {
    const matchesMonth = inMonth.some(({ test }) => test(...day))
    const matchesWeek = inWeek.some(test => test(...day))
    return both ? matchesMonth && matchesWeek : matchesMonth || matchesWeek
  })
}

/** `L` is the last day of the month, `LW` its last day from Monday to Friday; a step changes neither. */
function readDayOfMonth(item: string): { earliest: number; test: DayTest } {
  const slash = item.indexOf('/')
  const base = (slash < 0 ? item : item.slice(0, slash)).toUpperCase()
  if (base !== 'L' && base !== 'LW') {
    const days = readItem(DAY_OF_MONTH, item)
    return { earliest: days[0]!, test: day => days.includes(day) }
  }
  if (slash >= 0) readStep(DAY_OF_MONTH, item, slash)
  const test = base === 'L' ? isLast : isLastWorkday
  return { earliest: 28, test }
}

/** `5L` is the last Friday of the month, `5#2` or `FRI#2` the second; 0 and 7 are Sunday. */
function readDayOfWeek(item: string): DayTest {
  const hash = item.indexOf('#')
  if (hash >= 0) {
    const wanted = readValue(DAY_OF_WEEK, item.slice(0, hash), item) % 7
    const nth = item.slice(hash + 1)
    if (!/^[1-5]$/.test(nth)) throw new ScheduleError('day of week', item, 'followed by # and 1-5')
    return (day, weekday) => weekday === wanted && Math.ceil(day / 7) === Number(nth)
  }
  if (/^[0-7]L$/i.test(item)) {
    const wanted = Number(item[0]) % 7
    return (day, weekday, length) => weekday === wanted && day + 7 > length
  }
  const weekdays = readItem(DAY_OF_WEEK, item).map(number => number % 7)
  return (_, weekday) => weekdays.includes(weekday)
}

const isLast: DayTest = (day, _, length) => day === length

const isLastWorkday: DayTest = (day, weekday, length) =>
  weekday === 5 ? day + 2 >= length : weekday >= 1 && weekday <= 4 && day === length
