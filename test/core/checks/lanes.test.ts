/** The timeline of all checks without a store: ranges, ticks, sentences and the order of lanes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawnLane, LANE_WIDTH } from '../../../src/core/checks/lanes/drawn-lane.js'
import {
  type Lane,
  type LaneFacts,
  laneOf,
  laneRuns,
  type RunFacts,
} from '../../../src/core/checks/lanes/lane.js'
import { movedSpan, presetSpan, rangeWithin } from '../../../src/core/checks/lanes/lane-range.js'
import { columnsOf, inLaneOrder, summaryOf } from '../../../src/core/checks/lanes/lane-summary.js'
import { laneWords, summaryWords, wentDownWords } from '../../../src/core/checks/lanes/lane-words.js'
import { wentDownTogether } from '../../../src/core/checks/lanes/went-down.js'
import { type LoggedEvent, pairedRuns } from '../../../src/core/pings/run-ledger.js'

const BERLIN = 'Europe/Berlin'
const at = (text: string) => Date.parse(text)
const utc = (ms: number) => new Date(ms).toISOString().slice(0, 16)

const QUIET: LaneFacts = {
  check: { uuid: 'u', name: 'a', tags: '', project: { uuid: 'p', name: 'P' }, status: 'up', createdAt: 0 },
  runs: [],
  count: 0,
  isBusy: false,
  incidents: [],
}
const ping = (n: number, when: number, action: 'start' | 'success' | 'fail') => ({
  n,
  at: when,
  action,
  rid: null,
  exitStatus: null,
  durationMs: null,
  cause: action === 'fail' ? ('failed' as const) : null,
})
const RANGE = { from: 0, to: 1_200 }
const NOW = 1_200
const named = (name: string, facts: Partial<LaneFacts & RunFacts>): Lane => {
  const runs = laneRuns({ paired: [], passed: [], open: [], ...facts }, RANGE)
  return laneOf({ ...QUIET, ...facts, runs, check: { ...QUIET.check, ...facts.check, name } }, RANGE, NOW)
}

test('presets follow the clock of the reader, also on days of 23 and 25 hours', () => {
  const spring = at('2026-03-29T10:00Z')
  const night = presetSpan('night', spring, BERLIN)
  assert.deepEqual([utc(night.from), utc(night.to)], ['2026-03-28T19:00', '2026-03-29T06:00'])
  const day = presetSpan('today', spring, BERLIN)
  assert.equal(day.to - day.from, 23 * 3_600_000)
  const autumn = presetSpan('yesterday', at('2026-10-26T10:00Z'), BERLIN)
  assert.equal(autumn.to - autumn.from, 25 * 3_600_000)
  const week = presetSpan('week', spring, BERLIN)
  assert.equal(week.to - week.from, (7 * 24 - 1) * 3_600_000)
})

test('a range is in order, and neither too short nor too long', () => {
  assert.deepEqual(rangeWithin({ from: 5, to: 1 }), { from: 5, to: 60_005 })
  const long = rangeWithin({ from: 0, to: 400 * 86_400_000 })
  assert.equal(long.to - long.from, 31 * 86_400_000)
  assert.deepEqual(movedSpan({ from: 10, to: 30 }, 'earlier'), { from: -10, to: 10 })
  assert.deepEqual(movedSpan({ from: 10, to: 30 }, 'in'), { from: 15, to: 25 })
})

test('what went wrong comes first, by when it began, then the others by name', () => {
  const lanes = [
    named('z', { paired: pairedRuns([ping(1, 50, 'success')], false) }),
    named('late', { paired: pairedRuns([ping(1, 900, 'fail')], false) }),
    named('B', { paired: pairedRuns([ping(1, 50, 'success')], false) }),
    named('early', { incidents: [{ id: 1, openedAt: -500, closedAt: 100, sentAt: [] }] }),
  ]
  assert.deepEqual(
    inLaneOrder(lanes).map(({ check }) => check.name),
    ['early', 'late', 'B', 'z'],
  )
})

test('a check is not down in the time to come, and nothing is known before it was created', () => {
  const facts: LaneFacts = {
    ...QUIET,
    check: { ...QUIET.check, createdAt: 300 },
    incidents: [{ id: 1, openedAt: 700, closedAt: null, sentAt: [] }],
  }
  const lane = laneOf(facts, RANGE, 900)
  assert.deepEqual(lane.down, [{ from: 700, to: 900 }])
  assert.deepEqual(lane.unknown, [
    { from: 0, to: 300 },
    { from: 900, to: 1_200 },
  ])
  assert.equal(summaryOf([lane], RANGE).stillDown, 1)
  assert.deepEqual(laneOf(facts, RANGE, 5_000).unknown, [{ from: 0, to: 300 }])
  assert.deepEqual(laneOf(facts, { from: 0, to: 200 }, 5_000).unknown, [{ from: 0, to: 200 }], 'all of it')
})

test('a run that was under way at the deadline took too long, and was not missed', () => {
  const missed = { at: 700, cause: 'missed', since: 500 } as const
  const of = (...pings: LoggedEvent[]) =>
    laneWords(named('a', { paired: pairedRuns(pings, false), passed: [missed], count: 1 }))
  assert.equal(of(ping(1, 505, 'start'), ping(2, 900, 'success')), '1 run, 1 too long')
  assert.equal(of(ping(1, 505, 'start')), '1 run, 1 too long')
  assert.equal(of(ping(1, 705, 'start'), ping(2, 900, 'success')), '1 run, 1 missed')
  assert.equal(of(ping(1, 495, 'start'), ping(2, 498, 'success')), '1 run, 1 missed')
})

test('numbers, columns and words of some lanes', () => {
  const lanes = [
    named('a', {
      paired: pairedRuns([ping(1, 0, 'start'), ping(2, 100, 'success'), ping(3, 150, 'fail')], false),
      count: 3,
    }),
    named('b', {
      paired: pairedRuns([ping(1, 300, 'start')], false),
      passed: [
        { at: 700, cause: 'overrun', since: null },
        { at: 900, cause: 'missed', since: 800 },
      ],
      incidents: [{ id: 1, openedAt: 700, closedAt: null, sentAt: [701] }],
      count: 1,
    }),
  ]
  const summary = summaryOf(lanes, RANGE)
  assert.deepEqual(summary, { ran: 2, runs: 3, failed: 1, missed: 1, overran: 1, wentDown: 1, stillDown: 1 })
  assert.equal(
    summaryWords(summary, true),
    '2 checks ran 3 times. 1 run failed, 1 did not start, 1 took too long; 1 check stayed down.',
  )
  assert.deepEqual(lanes.map(laneWords), ['2 runs, 1 failed', '1 run, 1 missed, 1 too long'])
  assert.deepEqual(
    columnsOf(lanes, RANGE, 4).map(({ success, failed, missed }) => [success, failed, missed]),
    [
      [1, 1, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0, 0, 0],
    ],
  )
})

/** Checks with these tags; a number after `!` is the minute at which one went down. */
const tagged = (...checks: string[]) =>
  checks.map((text, index) => {
    const [tags, minute] = text.split('!') as [string, string?]
    const openedAt = Number(minute) * 60_000
    const incidents = minute === undefined ? [] : [{ id: index, openedAt, closedAt: null, sentAt: [] }]
    return named(`check ${index}`, { check: { ...QUIET.check, tags: tags.trim() }, incidents })
  })

test('a tag is named if it tells the checks that went down together from the others, and no cause is made up', () => {
  const day = { from: 0, to: 86_400_000 }
  const others = Array.from({ length: 8 }, () => 'prod')
  for (const [name, checks, expected] of [
    ['all with one tag', [...others, 'prod db1!1', 'prod db1!2', 'db1!3', 'db1!5'], ['4 of 4 db1, 1 to 5']],
    ['most of them', ['db1!1', 'db1!1', 'db1!1', 'web!2', 'web', 'web', 'web'], ['3 of 4 db1, 1 to 2']],
    [
      'a tag that most others have too',
      ['prod!1', 'prod!1', 'prod!1', 'prod!1', ...others],
      ['0 of 4 null, 1 to 1'],
    ],
    ['no tag', ['!1', 'a!1', 'b!1', 'c!1'], ['0 of 4 null, 1 to 1']],
    ['too few', ['db1!1', 'db1!1', 'db1!1'], []],
    ['too far apart', ['db1!1', 'db1!4', 'db1!7', 'db1!10'], []],
    ['the better of two', ['a b!1', 'a b!1', 'a b!1', 'a b!1', 'a'], ['4 of 4 b, 1 to 1']],
    ['of equal ones the first by name', ['b a!1', 'b a!1', 'b a!1', 'b a!1'], ['4 of 4 a, 1 to 1']],
    [
      'several',
      ['a!1', 'a!1', 'a!1', 'a!1', 'b!60', 'b!61', 'b!61', 'b!61', 'b!61'],
      ['4 of 4 a, 1 to 1', '5 of 5 b, 60 to 61'],
    ],
    ['outside of the range', ['a!-1', 'a!-1', 'a!-1', 'a!-1'], []],
  ] as const) {
    const found = wentDownTogether(tagged(...checks), day).map(
      ({ count, tag, tagged, from, to }) =>
        `${tagged} of ${count} ${tag}, ${from / 60_000} to ${to / 60_000}`,
    )
    assert.deepEqual(found, expected, name)
  }
})

test('a check that went down four times is not four checks', () => {
  const incidents = [1, 2, 3, 4].map(minute => ({
    id: minute,
    openedAt: minute * 60_000,
    closedAt: 1,
    sentAt: [],
  }))
  assert.deepEqual(wentDownTogether([named('flaps', { incidents })], { from: 0, to: 86_400_000 }), [])
})

test('the sentence of checks that went down together says how many have the tag', () => {
  const group = { count: 14, from: 0, to: 0 }
  for (const [tag, count, expected] of [
    ['db1', 14, '14 checks with tag db1 went down at 02:10.'],
    ['db1', 12, '14 checks went down at 02:10, 12 of them with tag db1.'],
    [null, 0, '14 checks went down at 02:10.'],
  ] as const) {
    assert.equal(wentDownWords({ ...group, tag, tagged: count }, 'at 02:10').join(''), expected)
  }
})

test('of a lane, bars are drawn that lie within it and can be seen, and successes that touch are one', () => {
  const half = LANE_WIDTH / 2
  const paired = pairedRuns(
    [
      ping(1, 0, 'success'),
      ping(2, 2, 'success'),
      ping(3, 600, 'fail'),
      ping(4, 602, 'fail'),
      ping(5, 900, 'start'),
    ],
    false,
  )
  const lane = named('a', {
    paired,
    open: [900],
    incidents: [{ id: 1, openedAt: 600, closedAt: null, sentAt: [700] }],
  })
  const drawn = drawnLane(lane, RANGE, NOW)
  assert.deepEqual(Object.fromEntries(drawn.runs), {
    success: [0, 6],
    failed: [half, half + 4, half + 2, half + 6],
    running: [900, LANE_WIDTH],
  })
  assert.deepEqual([drawn.down, drawn.unknown, drawn.sent], [[half, LANE_WIDTH], [], [700]])
  assert.deepEqual([drawn.words, drawn.isTroubled], ['5 runs, 2 failed, running', true])
})
