import { cronDayRule, readCronDays } from './cron-days.js'
import { HOUR, MINUTE, readList } from './cron-field.js'
import { numberSet } from './number-set.js'
import type { Rule } from './schedule.js'

const ON_THE_MINUTE = numberSet([0])

/**
 * The rule of a cron expression's five fields. Throws ScheduleError.
 *
 * If neither the minute nor the hour begins with a star, the job has a fixed time: it runs once at that time despite
 * clock changes. Any other job follows the clock. Source: cron(8) of Debian, the note on daylight saving time.
 */
export function parseCron(fields: readonly string[]): Rule {
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields as [string, string, string, string, string]
  const fixed = !minute.startsWith('*') && !hour.startsWith('*')
  return {
    times: {
      minutes: numberSet(readList(MINUTE, minute)),
      hours: numberSet(readList(HOUR, hour)),
      seconds: ON_THE_MINUTE,
    },
    days: cronDayRule(readCronDays(dayOfMonth, month, dayOfWeek)),
    zone: null,
    skipped: fixed ? 'moved' : 'dropped',
    repeated: fixed ? 'first' : 'both',
  }
}
