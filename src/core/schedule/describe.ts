import { readCronDays } from './cron-days.js'
import { calendarDaysInWords, cronDaysInWords } from './describe-days.js'
import { timesInWords } from './describe-times.js'
import { ordinal } from './english.js'
import { readLine } from './parse-oncalendar.js'
import type { Schedule } from './schedule.js'

/**
 * A schedule in plain English, such as `At 09:00 on weekdays`. OnCalendar lines are separated by
 * semicolons, with their time zones.
 */
export function describe(schedule: Schedule): string {
  const text =
    schedule.kind === 'cron'
      ? describeCron(schedule)
      : schedule.text.trim().split('\n').map(describeLine).join('; ')
  return text[0]!.toUpperCase() + text.slice(1)
}

function describeCron({ text, rules }: Schedule): string {
  const [, , dayOfMonth, month, dayOfWeek] = text.trim().split(/\s+/) as [
    string,
    string,
    string,
    string,
    string,
  ]
  return sentence(timesInWords(rules[0]!.times), cronDaysInWords(readCronDays(dayOfMonth, month, dayOfWeek)))
}

function describeLine(line: string): string {
  const { days, times, zone } = readLine(line)
  const words = sentence(timesInWords(times), calendarDaysInWords(days))
  return zone === null ? words : `${words}, ${zone} time`
}

function sentence(times: string, days: string): string {
  if (!times.startsWith('at ') || times.includes('every')) return days === '' ? times : `${times} ${days}`
  const dayOfMonth = /^on day (\d+) of the month$/.exec(days)?.[1]
  if (dayOfMonth) return `monthly on the ${ordinal(Number(dayOfMonth))} ${times}`
  return days === '' ? `daily ${times}` : `${times} ${days}`
}
