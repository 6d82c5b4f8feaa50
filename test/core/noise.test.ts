import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  afterFlapping,
  counted,
  FLAPPING_CHANGES,
  HANDFUL,
  isFlapping,
  type News,
  roomFor,
  STEADY_MS,
  type Told,
  toldTogether,
} from '../../src/core/noise.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.parse('2026-03-05T12:00:00Z')

const NONE = { from: null, falls: 0, others: 0 }
const NOTHING: Told = { minute: NONE, hour: NONE }
const told = (news: News, ...instants: number[]) =>
  instants.reduce((before, at) => counted(before, news, at), NOTHING)
const toldAt = (...instants: number[]) => told('fall', ...instants)

const rooms: [string, Told, number, number, ReturnType<typeof roomFor>][] = [
  ['nothing was told', NOTHING, 30, NOW, { messages: HANDFUL }],
  ['two were told this minute', toldAt(NOW, NOW), 30, NOW + 1, { messages: HANDFUL - 2 }],
  [
    'a handful was told this minute',
    toldAt(...Array(HANDFUL).fill(NOW)),
    30,
    NOW + 59_999,
    { messages: 0, until: NOW + MINUTE, limit: 'minute' },
  ],
  ['that minute is over', toldAt(...Array(HANDFUL).fill(NOW)), 30, NOW + MINUTE, { messages: HANDFUL }],
  ['one is left of the hour', toldAt(NOW, NOW + 2 * MINUTE), 3, NOW + 9 * MINUTE, { messages: 1 }],
  [
    'the hour is used up',
    toldAt(NOW, NOW + MINUTE, NOW + 2 * MINUTE),
    3,
    NOW + 9 * MINUTE,
    { messages: 0, until: NOW + HOUR, limit: 'hour' },
  ],
  ['that hour is over', toldAt(NOW, NOW + 1, NOW + 2), 3, NOW + HOUR, { messages: 3 }],
  ['there is no limit an hour', toldAt(NOW, NOW, NOW), 0, NOW + MINUTE, { messages: HANDFUL }],
  ['the clock was set back since', toldAt(...Array(9).fill(NOW)), 9, NOW - 1, { messages: HANDFUL }],
]

for (const [name, told, hourly, now, expected] of rooms) {
  test(`room for falls: ${name}`, () => assert.deepEqual(roomFor(told, 'fall', hourly, now), expected))
}

test('a fall waits for falls alone, and a recovery for both', () => {
  const recovered = told('other', NOW, NOW, NOW, NOW, NOW)
  assert.deepEqual(roomFor(recovered, 'fall', 5, NOW), { messages: HANDFUL })
  assert.deepEqual(roomFor(recovered, 'other', 30, NOW), {
    messages: 0,
    until: NOW + MINUTE,
    limit: 'minute',
  })
  assert.deepEqual(roomFor(toldAt(NOW, NOW), 'other', 30, NOW), { messages: HANDFUL - 2 })
  assert.deepEqual(roomFor(toldAt(NOW, NOW), 'other', 2, NOW + MINUTE), {
    messages: 0,
    until: NOW + HOUR,
    limit: 'hour',
  })
})

test('whoever keeps to the room sends no more falls than a handful a minute and the limit an hour, no more of the rest, and never waits an hour', () => {
  const gaps = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 * MINUTE }), fc.constantFrom('fall', 'other')), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 40 }), (waits, hourly) => {
      let now = NOW
      let told = NOTHING
      const sent: { at: number; news: News }[] = []
      for (const [wait, news] of waits as [number, News][]) {
        now += wait
        const room = roomFor(told, news, hourly, now)
        if ('until' in room) {
          assert.ok(room.until > now && room.until <= now + HOUR)
          assert.ok(!('until' in roomFor(told, news, hourly, room.until)) || room.limit === 'minute')
          continue
        }
        assert.ok(room.messages > 0)
        sent.push({ at: now, news })
        told = counted(told, news, now)
      }
      const instants = sent.map(({ at }) => at)
      for (const [from, length, most] of windows(instants, hourly)) {
        const within = sent.filter(({ at }) => at >= from && at < from + length)
        const falls = within.filter(({ news }) => news === 'fall').length
        assert.ok(falls <= most, `${falls} falls within ${length} ms, at most ${most}`)
        const others = within.length - falls
        assert.ok(others <= most, `${others} others within ${length} ms, at most ${most}`)
      }
    }),
  )
})

/** The windows that the rule counts in: each begins with the first message after the one before. */
function windows(sent: readonly number[], hourly: number): [number, number, number][] {
  return (
    [
      [MINUTE, HANDFUL],
      [HOUR, hourly],
    ] as const
  ).flatMap(([length, most]) => {
    const found: [number, number, number][] = []
    let end = Number.NEGATIVE_INFINITY
    for (const at of sent) {
      if (at < end) continue
      found.push([at, length, most])
      end = at + length
    }
    return found
  })
}

test('a handful is told one by one, more in one message, and what waited for room together', () => {
  const alerts = (count: number, held = false) => Array.from({ length: count }, () => ({ held }))
  assert.equal(toldTogether(alerts(1)), false)
  assert.equal(toldTogether(alerts(HANDFUL)), false)
  assert.equal(toldTogether(alerts(HANDFUL + 1)), true)
  assert.equal(toldTogether(alerts(1, true)), false)
  assert.equal(toldTogether([...alerts(1, true), ...alerts(1)]), true)
})

test('six changes within an hour are flapping, five or slower ones are not, and quarter of an hour’s rest ends it', () => {
  const every = (gap: number, count: number) => Array.from({ length: count }, (_, index) => NOW - index * gap)
  assert.equal(isFlapping(every(12 * MINUTE, FLAPPING_CHANGES), NOW), true)
  assert.equal(isFlapping(every(12 * MINUTE, FLAPPING_CHANGES - 1), NOW), false)
  assert.equal(isFlapping(every(12 * MINUTE + 1, FLAPPING_CHANGES), NOW), false)
  assert.equal(isFlapping(every(MINUTE, 12), NOW + STEADY_MS - 1), true)
  assert.equal(isFlapping(every(MINUTE, 12), NOW + STEADY_MS), false)
  assert.equal(isFlapping([], NOW), false)
})

test('a change of a flapping check is held until the check is steady', () => {
  const flapping = { toldAt: NOW - MINUTE, changedAt: NOW - MINUTE }
  const held = { state: 'held', until: NOW + STEADY_MS }
  assert.deepEqual(afterFlapping(flapping, NOW, NOW, NOW), held)
  assert.deepEqual(afterFlapping(flapping, NOW, NOW, NOW + STEADY_MS - 1), held)
  assert.deepEqual(afterFlapping(flapping, NOW, NOW, NOW + STEADY_MS), { state: 'steady' })
  const later = { state: 'held', until: NOW + MINUTE + STEADY_MS }
  assert.deepEqual(afterFlapping(flapping, NOW, NOW + MINUTE, NOW + STEADY_MS), later)
})

test('a change long after the last one that was held is news again', () => {
  const flapping = { toldAt: NOW - HOUR, changedAt: NOW - STEADY_MS }
  assert.deepEqual(afterFlapping(flapping, NOW, NOW, NOW), { state: 'calm' })
  assert.deepEqual(afterFlapping(null, NOW, NOW, NOW), { state: 'calm' })
})

test('whatever a check does, its last change is told within a quarter of an hour', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 40 * MINUTE }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(gaps, waits => {
      const changes: number[] = []
      let flapping: Parameters<typeof afterFlapping>[0] = null
      let now = NOW
      const told: { change: number; at: number; as: string }[] = []
      for (const wait of waits) {
        // The change before waited, unless this one came first.
        settleHeld(now + wait)
        now += wait
        changes.unshift(now)
        look(now)
      }
      settleHeld(Number.POSITIVE_INFINITY)
      const last = told.at(-1)!
      assert.equal(last.change, changes[0])
      assert.ok(last.at - last.change <= STEADY_MS)

      function look(at: number): void {
        const change = changes[0]!
        const after = afterFlapping(flapping, change, change, at)
        if (after.state === 'held') {
          flapping = { ...flapping!, changedAt: change }
        } else if (after.state === 'calm' && isFlapping(changes, at)) {
          flapping = { toldAt: at, changedAt: change }
          told.push({ change, at, as: 'flapping' })
        } else {
          if (after.state === 'steady') flapping = null
          told.push({ change, at, as: 'alert' })
        }
      }

      function settleHeld(before: number): void {
        const change = changes[0]
        if (change === undefined || told.at(-1)?.change === change) return
        const due = change + STEADY_MS
        if (due < before) look(due)
      }
    }),
  )
})
