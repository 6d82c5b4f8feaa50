import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarOfCron } from '../../../src/core/schedule/calendar-of-cron.js'
import { parseSchedule, upcoming } from '../../../src/core/schedule/index.js'

const FROM = Date.UTC(2026, 0, 1)

for (const [cron, expected] of [
  ['15 3 * * *', ['*-*-* 03:15:00']],
  ['*/15 9-17 * * 1-5', ['Mon..Fri *-*-* 09..17:00/15:00']],
  ['0 0 1,15 * *', ['*-*-01,15 00:00:00']],
  ['30 4 1 * 0', ['*-*-01 04:30:00', 'Sun *-*-* 04:30:00']],
  ['0 6 */2 jan-mar 1,4', ['Mon,Thu *-01..03-01/2 06:00:00']],
  ['* * * * *', ['*-*-* *:*:00']],
  ['5/10 */7 * * 7', ['Sun *-*-* 00/7:05/10:00']],
  ['0 8 * * 5-7', ['Fri..Sun *-*-* 08:00:00']],
] as [string, string[]][]) {
  test(`${cron} occurs at the same times in systemd's words`, () => {
    const lines = calendarOfCron(cron)!
    assert.deepEqual(lines, expected)
    const times = (text: string) =>
      upcoming(parseSchedule(text), 'UTC', FROM, 40).map(({ instant }) => instant)
    assert.deepEqual(times(lines.join('\n')), times(cron))
  })
}

test('a last day of a month and a second Friday have no such words', () => {
  assert.equal(calendarOfCron('0 3 L * *'), null)
  assert.equal(calendarOfCron('0 3 * * 5#2'), null)
})
