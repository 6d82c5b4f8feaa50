import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change } from '../../../../src/core/alerts/delivery/change.js'
import { planChannel } from '../../../../src/core/alerts/delivery/plan.js'
import type { ChannelState, WaitingCheck } from '../../../../src/core/alerts/delivery/plan-values.js'
import {
  failingFor,
  failsForADay,
  isGone,
  nextProbeAt,
  unknownSince,
} from '../../../../src/core/alerts/delivery/unreachable.js'
import { channelAt, downChange, waitingCheck } from '../../../_support/waiting-check.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A channel whose attempts all fail, at these instants. */
function failingAfter(instants: readonly number[]): number {
  let failing = { failingMs: 0, lastFailureAt: null as number | null }
  for (const at of instants) failing = { failingMs: failingFor(failing, at), lastFailureAt: at }
  return failing.failingMs
}

test('a channel that fails every 30 minutes fails for a day after a day, not before', () => {
  const attempts = (count: number) => Array.from({ length: count }, (_, index) => index * (HOUR / 2))
  assert.equal(failsForADay(failingAfter(attempts(48))), false)
  assert.equal(failsForADay(failingAfter(attempts(49))), true)
})

test('days without attempts do not count', () => {
  assert.equal(failingAfter([0, 2 * DAY, 2 * DAY + 3_000]), HOUR + 3_000)
  assert.equal(failsForADay(failingAfter(Array.from({ length: 20 }, (_, index) => index * DAY))), false)
})

test('an alert that is given up after few attempts failed for a day, unless something arrived in the last hour', () => {
  const fewer = { failingMs: failingAfter([0, 12 * HOUR]), lastFailureAt: 12 * HOUR }
  assert.equal(failsForADay(failingFor(fewer, DAY)), false)
  assert.equal(failsForADay(failingFor(fewer, DAY, true)), true)
  const arrived = { failingMs: 0, lastFailureAt: DAY - HOUR / 2 }
  assert.equal(failsForADay(failingFor(arrived, DAY, true)), false)
})

test('setting the clock back does not reduce the failing time', () => {
  assert.equal(failingAfter([DAY, DAY + 5_000, 0, 1_000]), 6_000)
})

const REFUSALS: [string, instants: number[], isGone: boolean][] = [
  ['one refusal', [0], false],
  ['retries for less than an hour', [0, HOUR / 4, HOUR / 2, HOUR - 1], false],
  ['retries for an hour', [0, HOUR / 4, HOUR / 2, HOUR], true],
  ['the first retry after a day, which waits for its turn', [0, HOUR + 300_000], true],
  ['a second refusal when nothing was tried for a week', [0, 7 * DAY], false],
  ['refusals once a day', [0, DAY, 2 * DAY, 3 * DAY], false],
  ['retries for an hour after a day without one', [0, DAY, DAY + HOUR / 2, DAY + HOUR], true],
  ['a clock that was set back', [DAY, 0], false],
]

for (const [what, instants, expected] of REFUSALS)
  test(`an address is ${expected ? '' : 'not '}gone after ${what}`, () => {
    const last = instants.at(-1)!
    let channel = {
      unknownSince: null as number | null,
      failing: { failingMs: 0, lastFailureAt: null as number | null },
    }
    for (const at of instants.slice(0, -1)) {
      channel = { unknownSince: unknownSince(channel, at), failing: { failingMs: 0, lastFailureAt: at } }
    }
    assert.equal(isGone(unknownSince(channel, last), last), expected)
  })

test('an unreachable channel is tried again within the hour, however long its message waits', () => {
  const after = (retryAt: number | null, now: number) => nextProbeAt([retryAt], now)
  assert.equal(after(DAY, 1_000), 1_000 + HOUR)
  assert.equal(after(HOUR / 2, 0), HOUR / 2)
  assert.equal(after(null, 0), HOUR / 2)
})

const MINUTE = 60_000
const NOW = 10 * DAY
const PROBE_AT = NOW + HOUR

const DOWN = downChange(NOW - MINUTE)

const CHECK = waitingCheck([DOWN])

const UNREACHABLE: ChannelState = { ...channelAt(NOW), unreachableUntil: PROBE_AT }

/** What the check's changes wait for, and until when. Nothing is sent or dropped. */
function waitsFor(channel: ChannelState, check: Partial<WaitingCheck>): unknown[] {
  const checks = [{ ...CHECK, ...check }]
  const { messages, holds, drops } = planChannel(channel, { checks, notices: [] }, { most: 5 }, NOW)
  assert.deepEqual([messages, drops], [[], []])
  return holds.map(({ reason, until }) => [reason, until])
}

const silence = { reason: 'silence', until: NOW + MINUTE, name: 'Nightly' } as const
const flapping = { reportedAt: NOW - HOUR, changedAt: NOW - MINUTE }
const calm: Change = { ...DOWN, at: NOW - 15 * MINUTE, heldBy: 'flapping' }
const waitsForProbe = ['unreachable', PROBE_AT]

const HELD: [string, Partial<WaitingCheck>, (string | number)[]][] = [
  ['nothing but the channel', {}, waitsForProbe],
  ['a silence', { holds: [silence] }, ['silence', NOW + MINUTE]],
  ['no silence that is over', { changes: [{ ...DOWN, heldBy: 'silence' }] }, waitsForProbe],
  ['an outage', { outageUntil: NOW + MINUTE }, ['outage', NOW + MINUTE]],
  ['no outage that is over', { changes: [{ ...DOWN, heldBy: 'outage' }] }, waitsForProbe],
  ['flapping', { flapping }, ['flapping', DOWN.at + 15 * MINUTE]],
  ['no flapping that is over', { flapping, changes: [calm] }, waitsForProbe],
]

for (const [what, check, expected] of HELD)
  test(`an alert of an unreachable channel waits for what holds it now: ${what}`, () => {
    assert.deepEqual(waitsFor(UNREACHABLE, check), [expected])
  })

test('an alert of a channel of an unknown kind is held by a silence until that ends', () => {
  const unknown: ChannelState = { ...UNREACHABLE, usable: 'unknown', unreachableUntil: null }
  assert.deepEqual(waitsFor(unknown, { holds: [silence] }), [['silence', NOW + MINUTE]])
  const isOver = { changes: [{ ...DOWN, heldBy: 'silence' as const }] }
  assert.deepEqual(waitsFor(unknown, isOver), [['unknown', NOW + 15 * MINUTE]])
})

test('a recovery after a failure that was reported waits for the channel only', () => {
  const up: Change = { ...DOWN, status: 'up', flipId: 2 }
  const recovered = { changes: [up], reported: { flipId: 1 }, isDown: false }
  assert.deepEqual(waitsFor(UNREACHABLE, { ...recovered, holds: [silence] }), [waitsForProbe])
})
