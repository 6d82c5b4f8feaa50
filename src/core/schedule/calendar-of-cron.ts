import { readCronDays } from './cron-days.js'
import { type CronField, DAY_OF_MONTH, HOUR, MINUTE, MONTH, readList } from './cron-field.js'

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/**
 * A cron expression as lines for systemd's OnCalendar, which occur at the same times except where a clock changes; null
 * if it has a day such as `L` or `5#2`. Throws ScheduleError.
 */
export function calendarOfCron(expression: string): string[] | null {
  const [minute, hour, dayOfMonth, month, dayOfWeek] = expression.trim().split(/\s+/) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const { months, inMonth, inWeek, both } = readCronDays(dayOfMonth, month, dayOfWeek)
  if (inMonth.some(days => typeof days === 'string') || inWeek.some(days => 'nth' in days)) return null
  const days = parts(DAY_OF_MONTH, inMonth.flat() as number[])
  const week = weekdays(inWeek.flat() as number[])
  const line = (onDays: string, onWeekdays: string) =>
    `${onWeekdays}*-${parts(MONTH, months)}-${onDays} ${parts(HOUR, readList(HOUR, hour))}:${parts(MINUTE, readList(MINUTE, minute))}:00`
  return both ? [line(days, week)] : [line(days, ''), line('*', week)]
}

/** `*`, `0/15`, `9..17` or a list: the shortest form of the numbers of a field. */
function parts({ min, max }: CronField, numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b)
  const [first, second] = sorted as [number, number]
  const last = sorted.at(-1)!
  if (sorted.length === max - min + 1) return '*'
  const step = second - first
  const isRegular = sorted.length > 2 && sorted.every((number, place) => number === first + place * step)
  if (isRegular && last + step > max) return `${twoDigits(first)}/${step}`
  if (isRegular && step === 1) return `${twoDigits(first)}..${twoDigits(last)}`
  return sorted.map(twoDigits).join(',')
}

/** `Mon..Fri ` or `Mon,Thu `; empty for all. */
function weekdays(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].map(day => (day + 6) % 7).sort((a, b) => a - b)
  if (sorted.length === 7) return ''
  const names = sorted.map(day => WEEKDAYS[(day + 1) % 7]!)
  const isRange = sorted.length > 2 && sorted.at(-1)! - sorted[0]! === sorted.length - 1
  return `${isRange ? `${names[0]}..${names.at(-1)}` : names.join(',')} `
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
