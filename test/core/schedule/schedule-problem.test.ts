import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleProblem } from '../../../src/core/schedule/schedule-problem.js'

const FIVE = 'A cron expression has five fields: minute, hour, day of the month, month, day of the week.'
const NO_SUCH_DAY = 'is not a day that one of the months has'
const ORDER =
  'An OnCalendar expression has weekdays, date, time and time zone, in this order and each at most once, such as Mon..Fri 09:00.'

const wrong = (place: string, name: string, complaint: string, allowed: string) =>
  `The ${place} field, the ${name}, ${complaint}. Use ${allowed}, lists 1,3, ranges 1-5, steps */2 or *.`

const table: ['cron' | 'oncalendar', string, string | null][] = [
  ['cron', '15 3 * * *', null],
  ['cron', '61 25 * *', `${FIVE} This has 4.`],
  ['cron', '0 15 3 * * *', `${FIVE} This has 6.`],
  ['cron', '15', `${FIVE} This has 1.`],
  ['cron', '61 3 * * *', wrong('first', 'minute', 'cannot be "61"', '0-59')],
  ['cron', '15 25 * * *', wrong('second', 'hour', 'cannot be "25"', '0-23')],
  ['cron', '15 3 * * MOM', wrong('fifth', 'day of the week', 'cannot be "MOM"', '0-7 or SUN-SAT')],
  ['cron', '15 3 30 2 *', wrong('third', 'day of the month', `is wrong: "30" ${NO_SUCH_DAY}`, '1-31 or L')],
  ['cron', '@Daily', 'Write @Daily as five fields: 0 0 * * *.'],
  ['cron', 'Mon..Fri 09:00', 'This is an OnCalendar expression: choose “OnCalendar”.'],
  ['cron', '15 3 * * *\n15 4 * * *', `${FIVE} This has 10.`],
  ['cron', '', 'Enter a schedule, such as 15 3 * * *.'],
  ['oncalendar', 'Mon..Fri 09:00', null],
  ['oncalendar', '15 3 * * *', 'This is a cron expression: choose “Cron”.'],
  ['oncalendar', 'Mon 25:00', 'Hour: "25" is outside 0-23.'],
  ['oncalendar', 'Mon 09:00\nTue 09:61', 'Line 2: minute: "61" is outside 0-59.'],
  ['oncalendar', '61 25 * * *', ORDER],
  ['oncalendar', '09:00 Mon', ORDER],
  ['oncalendar', '@daily', 'Write daily, without the @.'],
]

for (const [kind, text, problem] of table) {
  test(`${kind} ${JSON.stringify(text)}: ${problem ?? 'nothing is wrong'}`, () => {
    assert.equal(scheduleProblem(kind, text), problem)
  })
}
