/** Schedules in English. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describe, parseSchedule, ScheduleError } from '../../../src/core/schedule/index.js'
import { anyCron, anyOnCalendar } from '../../_support/fuzz/any-schedule.js'

const DESCRIPTIONS: [text: string, english: string][] = [
  ['* * * * *', 'Every minute'],
  ['*/5 9-17 * * *', 'Every fifth minute from 09:00 through 17:59'],
  ['0 9 * * MON-FRI', 'At 09:00 on weekdays'],
  ['0 * * * *', 'Every hour'],
  ['15 * * * *', 'Every hour at minute 15'],
  ['0 */2 * * *', 'Every second hour'],
  ['23 0-20/2 * * *', 'Every second hour from 00:23 through 20:23'],
  ['0,30 8,20 * * *', 'Daily at 08:00, 08:30, 20:00 and 20:30'],
  ['3,17 9-17 * * 6,7', 'At minutes 3 and 17 of every hour from 9 through 17 on Saturday and Sunday'],
  ['10-20 2 * jan-mar *', 'Every minute from 02:10 through 02:20 in January through March'],
  ['* 2,5 * * *', 'Every minute of hours 2 and 5'],
  ['0 8 25 * *', 'Monthly on the 25th at 08:00'],
  ['0 0 29 2 *', 'At 00:00 on 29 February'],
  ['0 0 L * *', 'At 00:00 on the last day of the month'],
  ['0 0 15,LW * *', 'At 00:00 on day 15 and the last weekday of the month'],
  ['0 0 * * 5L', 'At 00:00 on the last Friday of the month'],
  ['0 0 * * MON#2', 'At 00:00 on the second Monday of the month'],
  ['0 0 */2 * *', 'At 00:00 on every second day of the month'],
  ['0 0 1,15 * MON', 'At 00:00 on days 1 and 15 of the month as well as on Monday'],
  ['0 12 13 * */5', 'At 12:00 on day 13 of the month if it is Friday or Sunday'],
  ['0 0 1 * 0-6', 'Daily at 00:00'],
  ['daily', 'Daily at 00:00'],
  ['hourly', 'Every hour'],
  ['weekly', 'At 00:00 on Monday'],
  ['12:34:56', 'Daily at 12:34:56'],
  ['*:*:0/5', 'Every fifth second'],
  ['*:*:30', 'At second 30 of every minute'],
  ['9..17:0/10:0/15', 'Every 15th second of every tenth minute from 09:00 through 17:59'],
  ['Mon..Fri 9:00', 'At 09:00 on weekdays'],
  ['Sat,Sun *~7/1 20:00', 'At 20:00 on the last 7 days of the month if it is Saturday or Sunday'],
  ['*~1', 'At 00:00 on the last day of the month'],
  ['*-*~3', 'At 00:00 on the third to last day of the month'],
  ['Mon 2-29', 'At 00:00 on 29 February if it is Monday'],
  ['2020-01-01', 'At 00:00 on 1 January 2020'],
  ['2024/2-*-* 10:00', 'At 10:00 in every second year from 2024 through 2198'],
  ['12:00\n13:00 Europe/Kiev', 'Daily at 12:00; daily at 13:00, Europe/Kyiv time'],
]

test('a schedule is described in plain English', () => {
  for (const [text, english] of DESCRIPTIONS) assert.equal(describe(parseSchedule(text)), english, text)
})

test('every schedule can be described', () => {
  fc.assert(
    fc.property(fc.oneof(anyCron, anyOnCalendar), ({ text }) => {
      try {
        const english = describe(parseSchedule(text))
        assert.match(english, /^(Every|At|Daily|Monthly) /, text)
        assert.doesNotMatch(english, /undefined|null|NaN| {2}|\s$/, `${text}: ${english}`)
      } catch (error) {
        assert.ok(error instanceof ScheduleError, String(error))
      }
    }),
    { numRuns: 2000 },
  )
})
