import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleProblem } from '../../../src/core/schedule/schedule-problem.js'

const FIVE = 'A cron expression has five fields: minute, hour, day of the month, month, day of the week.'

const table: ['cron' | 'oncalendar', string, string | null][] = [
  ['cron', '15 3 * * *', null],
  ['cron', '61 25 * *', `${FIVE} This has 4.`],
  ['cron', '0 15 3 * * *', `${FIVE} This has 6.`],
  ['cron', '15', `${FIVE} This has 1.`],
  ['cron', '61 3 * * *', 'Minute: "61" is outside 0-59.'],
  ['cron', '15 25 * * *', 'Hour: "25" is outside 0-23.'],
  ['cron', '@Daily', 'Write @Daily as five fields: 0 0 * * *.'],
  ['cron', 'Mon..Fri 09:00', 'This is an OnCalendar expression: choose “OnCalendar” below.'],
  ['cron', '15 3 * * *\n15 4 * * *', `${FIVE} This has 10.`],
  ['cron', '', 'Enter a schedule, such as 15 3 * * *.'],
  ['oncalendar', 'Mon..Fri 09:00', null],
  ['oncalendar', '15 3 * * *', 'This is a cron expression: choose “Cron” above.'],
  ['oncalendar', 'Mon 25:00', 'Hour: "25" is outside 0-23.'],
]

for (const [kind, text, problem] of table) {
  test(`${kind} ${JSON.stringify(text)}: ${problem ?? 'nothing is wrong'}`, () => {
    assert.equal(scheduleProblem(kind, text), problem)
  })
}
