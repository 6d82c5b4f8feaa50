import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explanationOf, type FindingFacts, findingsOf } from '../../../../src/core/checks/findings/index.js'
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

const S = 1_000
const FROM = NOW - 40 * DAY
const every = (ms: number, count: number, off = (_n: number) => 0) =>
  Array.from({ length: count }, (_, n) => FROM + n * ms + off(n))
const nightly = (off: (n: number) => number, count = 12) =>
  firstOf('0 3 * * *', 'UTC', FROM, count).map((at, n) => run(at + off(n)))

/** A case: what is found of the facts, as `code: evidence` and the patch. */
type Case = [title: string, facts: FindingFacts, evidence: string, patch?: object]

const CASES: Case[] = [
  [
    'runs a few seconds before the schedule',
    findingFacts({ check: cron('0 3 * * *'), runs: nightly(n => (n % 2 ? -12 * S : 3 * S)) }),
    'early: 5 of the last 10 runs came before the schedule, by up to 12 seconds.',
    { earlySeconds: 60 },
  ],
  [
    'runs earlier than the setting allows',
    findingFacts({
      check: { ...cron('0 3 * * *'), earlySeconds: 60 },
      runs: nightly(() => -61 * S),
    }),
    'early: 10 of the last 10 runs came before the schedule, by up to 1 minute, 1 second.',
    { earlySeconds: 120 },
  ],
  [
    'an hourly job on a daily period',
    findingFacts({ runs: every(HOUR, 21).map(at => run(at)) }),
    'period: The last 20 gaps between runs were about 1 hour, and the schedule expects one every 1 day.',
    { periodSeconds: 3_600 },
  ],
  [
    'a daily job on an hourly schedule',
    findingFacts({
      check: cron('0 * * * *'),
      runs: every(DAY, 12, n => (n % 3) * S + 5 * MINUTE).map(at => run(at)),
    }),
    'period: The last 11 gaps between runs were about 1 day, and the schedule expects one every 1 hour.',
    { schedule: '5 12 * * *' },
  ],
  [
    'a job every 5 minutes on an hourly schedule',
    findingFacts({ check: cron('0 * * * *'), runs: every(5 * MINUTE, 30).map(at => startedRun(at)) }),
    'period: The last 20 gaps between runs were about 5 minutes, and the schedule expects one every 1 hour.',
    { schedule: '*/5 * * * *' },
  ],
  [
    'a job every 7 minutes on an hourly schedule, for which there is no expression',
    findingFacts({ check: cron('0 * * * *'), runs: every(7 * MINUTE, 30).map(at => startedRun(at)) }),
    'period: The last 20 gaps between runs were about 7 minutes, and the schedule expects one every 1 hour.',
  ],
  [
    'five machines that run the nightly job at about the same time',
    findingFacts({
      check: cron('0 3 * * *'),
      runs: firstOf('0 3 * * *', 'UTC', FROM, 5).flatMap(at =>
        [0, 11, 70, 83, 200].map(seconds => run(at + seconds * S)),
      ),
    }),
    'too_often: 21 runs succeeded within 4 days, and the schedule expects 4: does the job run on several machines?',
  ],
  [
    'runs that take nearly the grace time',
    findingFacts({
      check: cron('0 3 * * *'),
      runs: firstOf('0 3 * * *', 'UTC', FROM, 20).map((at, n) =>
        run(at + (40 + n / 2) * MINUTE, { startedAt: at, durationMs: (40 + n / 2) * MINUTE }),
      ),
    }),
    'limit_short: Of the last 20 runs the longest took about 49 min, and a run may take 1 hour.',
    { graceSeconds: 74 * 60 },
  ],
  [
    'runs that take nearly the limit',
    findingFacts({
      check: { ...cron('0 3 * * *'), maxDurationSeconds: 60 },
      runs: firstOf('0 3 * * *', 'UTC', FROM, 10).map(at => startedRun(at)),
    }),
    'limit_short: Of the last 10 runs the longest took about 1 min, and a run may take 1 minute.',
    { maxDurationSeconds: 120 },
  ],
  [
    'a check that was never pinged',
    findingFacts({ check: { status: 'new', createdAt: NOW - 50 * HOUR } }),
    'never_pinged: It was created 2 days ago and has never been pinged.',
  ],
  [
    'a check without channels',
    findingFacts({ channels: [] }),
    'nobody_hears: It has no integration, so no alert is sent.',
  ],
  [
    'a check whose channels are disabled',
    findingFacts({ channels: [{ enabled: false, delivered: true }] }),
    'nobody_hears: Its 1 integration is disabled, so no alert is sent.',
  ],
  [
    'a check whose channels were never tried',
    findingFacts({
      channels: [
        { enabled: false, delivered: true },
        { enabled: true, delivered: false },
        { enabled: true, delivered: false },
      ],
    }),
    'nobody_hears: No delivery through its 2 integrations is on record: send a test.',
  ],
  [
    'a check whose policy reaches no channel',
    findingFacts({ channels: [], policy: 'On call' }),
    'nobody_hears: Its policy “On call” reaches no integration, so no alert is sent.',
  ],
  [
    'a check whose policy reaches disabled channels',
    findingFacts({ channels: Array(2).fill({ enabled: false, delivered: true }), policy: 'On call' }),
    'nobody_hears: The 2 integrations of its policy “On call” are disabled, so no alert is sent.',
  ],
  [
    'a check whose policy reaches a channel that was never tried',
    findingFacts({ channels: [{ enabled: true, delivered: false }], policy: 'On call' }),
    'nobody_hears: No delivery through the 1 integration of its policy “On call” is on record: send a test.',
  ],
  [
    'a check with as many open runs as are kept',
    findingFacts({ openRuns: 100 }),
    'many_open_runs: 100 runs have started and not ended; with each further one the oldest is given up.',
  ],
]
for (const [title, facts, evidence, patch] of CASES) {
  test(`a finding: ${title}`, () => {
    const found = findingsOf(facts)
    assert.deepEqual(
      found.map(finding => `${finding.code}: ${finding.evidence}`),
      [evidence],
    )
    assert.deepEqual(found[0]!.patch, patch)
  })
}

const NONE: [title: string, facts: FindingFacts][] = [
  ['a check that is new', findingFacts({ check: { status: 'new' } })],
  ['a paused check that was never pinged', findingFacts({ check: { status: 'paused', createdAt: 0 } })],
  ['two early runs', findingFacts({ check: cron('0 3 * * *'), runs: nightly(n => (n > 9 ? -5 * S : 0)) })],
  [
    'early runs for which there is a setting',
    findingFacts({ check: { ...cron('0 3 * * *'), earlySeconds: 60 }, runs: nightly(() => -60 * S) }),
  ],
  [
    'runs late enough to be nearer to the next occurrence',
    findingFacts({
      check: cron('*/5 * * * *'),
      runs: every(5 * MINUTE, 30, () => 4 * MINUTE).map(at => run(at)),
    }),
  ],
  ['ten runs, which have nine gaps', findingFacts({ runs: every(HOUR, 10).map(at => run(at)) })],
  [
    'the bursts and pauses of a schedule',
    findingFacts({
      check: cron('0,5 * * * *'),
      runs: firstOf('0,5 * * * *', 'UTC', FROM, 24).map(at => run(at)),
    }),
  ],
  [
    'working hours',
    findingFacts({
      check: cron('0 9-17 * * 1-5', 'America/New_York'),
      runs: firstOf('0 9-17 * * 1-5', 'America/New_York', FROM, 100).map(at => run(at)),
    }),
  ],
  [
    'a job installed twice, three successes an occurrence being allowed',
    findingFacts({
      check: cron('0 3 * * *'),
      runs: firstOf('0 3 * * *', 'UTC', FROM, 9).flatMap(at => [run(at), run(at + 9 * S)]),
    }),
  ],
  [
    'durations within 80 % of the limit',
    findingFacts({
      runs: every(DAY, 20).map(at => run(at, { startedAt: at - 48 * MINUTE, durationMs: 48 * MINUTE })),
    }),
  ],
  [
    'one of two channels works',
    findingFacts({
      channels: [
        { enabled: true, delivered: false },
        { enabled: true, delivered: true },
      ],
    }),
  ],
  ['99 open runs', findingFacts({ openRuns: 99 })],
]
for (const [title, facts] of NONE) test(`no finding: ${title}`, () => assert.deepEqual(findingsOf(facts), []))

const SCHEDULES = ['30 2 * * *', '0 3 * * 1-5', '*/15 * * * *', '5 */6 * * *', '0 0 1 * *']

test('a healthy regular check has no finding, in any zone, over both clock changes', () => {
  let changes = 0
  for (const tz of zoneNames()) {
    // Near the equinoxes, and near the changes of the southern hemisphere.
    for (const from of ['2026-03-18', '2026-10-20', '2026-03-30', '2026-09-20']) {
      const since = Date.parse(`${from}T00:00:00Z`)
      const schedule = SCHEDULES[(tz.length + since / DAY) % SCHEDULES.length]!
      const runs = firstOf(schedule, tz, since, 24).map((at, n) => startedRun(at + ((n * 13) % 40) * S))
      if (zoneNamed(tz).at(since).offset !== zoneNamed(tz).at(since + 20 * DAY).offset) changes++
      const found = findingsOf(findingFacts({ check: cron(schedule, tz), runs }))
      assert.deepEqual(found, [], `${schedule} in ${tz} since ${from}`)
    }
  }
  assert.ok(changes > 200, `${changes} clock changes`)
})

test('a nightly job over a clock change has no finding in any zone', () => {
  for (const tz of zoneNames()) {
    for (const since of [Date.parse('2026-03-24T00:00:00Z'), Date.parse('2026-10-20T00:00:00Z')]) {
      const times = firstOf('30 1 * * *', tz, since, 14)
      for (const runOf of [run, startedRun]) {
        const facts = findingFacts({
          check: cron('30 1 * * *', tz),
          runs: times.map(at => runOf(at + 20 * S)),
        })
        assert.deepEqual(findingsOf(facts), [], tz)
      }
    }
  }
})

test('an alert is explained by a finding about the same cause', () => {
  const facts = findingFacts({
    channels: [],
    openRuns: 100,
    check: cron('0 3 * * *'),
    runs: nightly(() => -12 * S),
  })
  assert.equal(explanationOf('missed', facts)?.code, 'early')
  assert.equal(explanationOf('overrun', facts)?.code, 'many_open_runs')
  assert.equal(explanationOf('failed', facts), null)
  assert.equal(explanationOf('missed', findingFacts({ channels: [] })), null)
})

test('applying the proposal of a finding ends the finding', () => {
  for (const [title, facts] of CASES) {
    for (const { code, patch } of findingsOf(facts)) {
      if (!patch) continue
      const after = { ...facts, check: { ...facts.check, ...patch } }
      assert.ok(!findingsOf(after).some(left => left.code === code), title)
    }
  }
})
