/** "It pinged and still went down": what people asked of Healthchecks, and the finding that answers it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findingsOf } from '../../../../src/core/checks/findings/index.js'
import { cron, DAY, findingFacts, firstOf, NOW, run, startedRun } from '../../../_support/findings.js'

interface Thread {
  name: string
  schedule: string
  /** The zone that the check is set to, and that of the machine. */
  tz: string
  machine: string
  days: number
}

const ZONES: Thread[] = [
  {
    name: 'healthchecks#418: a job of 08:00 pings on time by its own clock',
    schedule: '0 8 * * *',
    tz: 'UTC',
    machine: 'America/Chicago',
    days: 10,
  },
  {
    name: 'healthchecks#1088: cron runs by UTC, and the check is set to Asia/Kolkata',
    schedule: '0 3 * * *',
    tz: 'Asia/Kolkata',
    machine: 'UTC',
    days: 10,
  },
  {
    name: 'healthchecks#1261: a backup of 05:15 succeeds, and its check goes down near 7',
    schedule: '15 5 * * *',
    tz: 'UTC',
    machine: 'Europe/Budapest',
    days: 10,
  },
  {
    name: 'healthchecks#1160: a weekly job pings hours before it is due',
    schedule: '0 6 * * 1',
    tz: 'America/New_York',
    machine: 'UTC',
    days: 45,
  },
]

for (const { name, schedule, tz, machine, days } of ZONES) {
  test(`${name}: the zone is named`, () => {
    const runs = firstOf(schedule, machine, NOW - days * DAY, 6).map(at => startedRun(at + 4_000))
    const found = findingsOf(findingFacts({ check: cron(schedule, tz), runs, zones: [machine] }))
    assert.deepEqual(
      found.map(({ code, patch }) => [code, patch]),
      [['time_zone', { tz: machine }]],
    )
    assert.ok(found[0]!.evidence.includes(machine), found[0]!.evidence)
  })
}

test('healthchecks#1004: a schedule of each minute from 9 to 10, and one ping a day', () => {
  const runs = firstOf('34 9 * * *', 'America/Los_Angeles', NOW - 13 * DAY, 12).map(at => run(at))
  const check = cron('* 9 * * *', 'America/Los_Angeles')
  const [found, ...others] = findingsOf(findingFacts({ check, runs }))
  assert.deepEqual([found?.code, others], ['period', []])
  assert.equal(found!.patch?.schedule, '34 9 * * *')
})
