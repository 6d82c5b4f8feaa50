import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMON_ZONES } from '../../../../src/core/checks/findings/common-zones.js'
import { timeZone } from '../../../../src/core/checks/findings/time-zone.js'
import { zoneNames } from '../../../../src/core/schedule/index.js'
import { zoneNamed } from '../../../../src/core/schedule/zones/zone.js'
import {
  cron,
  DAY,
  findingFacts,
  firstOf,
  HOUR,
  MINUTE,
  NOW,
  run,
  startedRun,
} from '../../../_support/findings.js'

const FROM = NOW - 30 * DAY

/** A check set to `tz` whose job runs at the same time by the clock of `machine`, `late` ms after it. */
function set(
  tz: string,
  machine: string,
  { count = 9, schedule = '0 3 * * *', late = 2_000, from = FROM } = {},
) {
  const runs = firstOf(schedule, machine, from, count).map(at => run(at + late))
  return findingFacts({ check: cron(schedule, tz), runs })
}

test('a job on another clock is off by the difference between the clocks', () => {
  const finding = timeZone({ ...set('UTC', 'Europe/Riga'), zones: ['Europe/Riga'] })!
  assert.equal(
    finding.evidence,
    'The last 9 runs came 2 hours before the schedule: is it set to UTC while the machine is on Europe/Riga, Europe/Helsinki, Africa/Johannesburg or another zone with that offset?',
  )
  assert.deepEqual(finding.patch, { tz: 'Europe/Riga' })
})

test('a job in UTC whose check is set to Riga comes 2 hours late', () => {
  const finding = timeZone(set('Europe/Riga', 'UTC'))!
  assert.match(finding.evidence, /^The last 9 runs came 2 hours after the schedule: .* on UTC/)
  assert.deepEqual(finding.patch, { tz: 'UTC' })
})

const ZONES: [check: string, machine: string][] = [
  ['UTC', 'Asia/Kathmandu'],
  ['Europe/Berlin', 'America/New_York'],
  ['America/St_Johns', 'UTC'],
  ['Europe/Berlin', 'Europe/London'],
]
for (const [check, machine] of ZONES) {
  test(`the zone of a machine on ${machine} is found for a check set to ${check}`, () => {
    const finding = timeZone({ ...set(check, machine), zones: [machine] })
    assert.deepEqual(finding?.patch, { tz: machine })
  })
}

test('if only one clock changes, the runs since then identify the zone', () => {
  const from = Date.parse('2026-03-24T12:00:00Z')
  const finding = timeZone({ ...set('UTC', 'Europe/Riga', { from, count: 16 }), zones: ['Europe/Riga'] })!
  assert.match(finding.evidence, /^The last 11 runs came 3 hours before/)
  assert.deepEqual(finding.patch, { tz: 'Europe/Riga' })
})

test('the common zones have every offset in use', () => {
  for (const at of ['2026-01-15', '2026-07-15'].map(day => Date.parse(day))) {
    const offsets = new Set(COMMON_ZONES.map(name => zoneNamed(name).at(at).offset))
    const names = zoneNames().filter(name => !name.startsWith('Etc/'))
    for (const name of names) assert.ok(offsets.has(zoneNamed(name).at(at).offset), name)
  }
})

const NONE: [title: string, facts: ReturnType<typeof findingFacts>][] = [
  ['four runs are too few', set('UTC', 'Europe/Riga', { count: 4 })],
  ['the zones have the same offset', set('Europe/Riga', 'Europe/Helsinki')],
  ['runs are six minutes late', set('UTC', 'UTC', { late: 6 * MINUTE })],
  ['runs come 22 minutes late, which no zone is', set('UTC', 'UTC', { late: 22 * MINUTE })],
  ['a run takes an hour, tells only its end and is in time', set('UTC', 'UTC', { late: 58 * MINUTE })],
  [
    'the schedule names its zone itself',
    {
      ...findingFacts({
        check: { kind: 'oncalendar', schedule: '*-*-* 03:00 UTC', tz: 'Europe/Riga' },
        runs: firstOf('0 3 * * *', 'Europe/Riga', FROM, 9).map(at => run(at)),
      }),
    },
  ],
  [
    'runs come at any time',
    findingFacts({
      check: cron('0 3 * * *'),
      runs: firstOf('0 3 * * *', 'UTC', FROM, 9).map((at, n) => run(at + ((n * 7) % 9) * 100 * MINUTE)),
    }),
  ],
  ['the check has a period', findingFacts({ runs: [1, 2, 3, 4, 5, 6].map(n => run(FROM + n * DAY)) })],
  ['an hourly job cannot tell', set('UTC', 'Europe/Riga', { schedule: '0 * * * *', count: 20 })],
]
for (const [title, facts] of NONE)
  test(`no zone is named: ${title}`, () => assert.equal(timeZone(facts), null))

test('a late start can point to another zone even within a long grace time', () => {
  const runs = firstOf('0 3 * * *', 'UTC', FROM, 9).map(at => startedRun(at + 2 * HOUR))
  const facts = findingFacts({ check: { ...cron('0 3 * * *', 'UTC'), graceSeconds: 86_400 }, runs })
  assert.equal(timeZone(facts)?.code, 'time_zone')
})
