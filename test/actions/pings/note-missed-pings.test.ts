import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MissedPings } from '../../../src/actions/pings/note-missed-pings.js'

const S = 1_000
const HOUR = 3_600 * S
const T = 1_800_000_000_000

test('an outage lasts from the arrival of the first failed ping until all are recorded', () => {
  const missed = new MissedPings()
  assert.equal(missed.committed(T), false)
  assert.equal(missed.since(), null)
  missed.failed(T + 1_000, T + 8_900)
  missed.failed(T + 3_000, T + 8_900)
  assert.deepEqual([missed.isFailing, missed.since(), missed.over()], [true, T + 1_000, []])
  assert.equal(missed.committed(T + 9_500), true)
  assert.equal(missed.isFailing, false)
  assert.deepEqual(missed.over(), [{ from: T + 1_000, to: T + 9_500 }])
})

test('pings that are recorded between others that fail end no outage; the first after the newest failure does', () => {
  const missed = new MissedPings()
  missed.failed(T, T)
  missed.recorded(T + 5 * S)
  missed.failed(T + 60 * S, T + 61 * S)
  missed.recorded(T + 60 * S)
  missed.recorded(T + 62 * S)
  missed.recorded(T + 63 * S)
  assert.deepEqual([missed.isFailing, missed.since(), missed.over()], [true, T, []])
  assert.equal(missed.committed(T + 64 * S), true)
  assert.deepEqual(missed.over(), [{ from: T, to: T + 62 * S }])
  missed.failed(T + 100 * S, T + 100 * S)
  missed.committed(T + 101 * S)
  assert.equal(missed.over().at(-1)!.to, T + 101 * S)
})

test('a failure is timed when it is noticed, even if an earlier ping is recorded next', () => {
  const missed = new MissedPings()
  missed.failed(T, T + 8_000)
  missed.committed(T + 100)
  assert.deepEqual(missed.over(), [{ from: T, to: T + 8_000 }])
})

test('an ended failure counts until it is stored', () => {
  const missed = new MissedPings()
  missed.failed(T, T)
  missed.committed(T + 10)
  const over = missed.over()
  missed.failed(T + 5_000, T + 5_000)
  assert.deepEqual([missed.since(), missed.since(over)], [T, T + 5_000])
  missed.stored(over)
  assert.deepEqual([missed.since(), missed.over()], [T + 5_000, []])
})

test('short failures close together are merged, others are not', () => {
  const missed = new MissedPings()
  for (const from of [T, T + 500, T + 20_000]) {
    missed.failed(from, from)
    missed.committed(from + 10)
  }
  assert.deepEqual(missed.over(), [
    { from: T, to: T + 510, heardMs: 490 },
    { from: T + 20_000, to: T + 20_010 },
  ])
})

test('a frozen process missed the pings of that time', () => {
  const missed = new MissedPings()
  for (const at of [T, T + 1_000, T + 3_500]) missed.awake(at)
  assert.equal(missed.since(), null)
  missed.awake(T + 9_000)
  assert.deepEqual(missed.over(), [{ from: T + 3_500, to: T + 9_000 }])
})

test('long work that reports its start time does not look like a freeze', () => {
  const missed = new MissedPings()
  missed.awake(T)
  missed.awake(T + 2_500)
  missed.awake(T)
  missed.awake(T + 4_000)
  assert.deepEqual(missed.over(), [])
})

test('a process whose clock was set back still notices a freeze', () => {
  const missed = new MissedPings()
  for (const at of [T, T - 3_600_000, T - 3_590_000]) missed.awake(at)
  assert.deepEqual(missed.over(), [{ from: T - 3_600_000, to: T - 3_590_000 }])
})

test('a failure under way ends with the process, so that it is stored', () => {
  const missed = new MissedPings()
  missed.failed(T, T + 100)
  missed.end(T + 2_000)
  assert.deepEqual([missed.isFailing, missed.over()], [false, [{ from: T, to: T + 2_000 }]])
})

test('pings failing while the clock is set back failed since their arrival by the new clock', () => {
  const missed = new MissedPings()
  missed.failed(T + HOUR - 2 * S, T + HOUR)
  // Ten seconds later, by a clock that was set back by an hour.
  missed.follow(T + 10 * S, performance.now() + 10 * S)
  const since = missed.since()!
  assert.ok(Number.isInteger(since), 'instants are whole milliseconds')
  assert.ok(since <= T - 2 * S + 100 && since > T - 12 * S, `${since - T}`)
  missed.committed(T + 10 * S)
  assert.ok(missed.over().every(({ from, to }) => from === since && to <= T + 10 * S))
})

test('a ping that arrived before the clock was set back counts from its arrival', () => {
  const missed = new MissedPings()
  const ticks = performance.now()
  missed.follow(T + HOUR, ticks)
  missed.follow(T + S, ticks + S)
  assert.equal(missed.movedWithClock(T + HOUR - S, T + S), T - S)
  missed.failed(T + HOUR - S, T + 2 * S)
  assert.equal(missed.since(), T - S)
})

test('a freeze during which the clock was set back is noticed', () => {
  const missed = new MissedPings()
  const ticks = performance.now()
  missed.follow(T + HOUR, ticks)
  missed.awake(T + HOUR)
  missed.follow(T + 20 * S, ticks + 20 * S)
  missed.awake(T + 20 * S)
  assert.deepEqual(missed.over(), [{ from: T, to: T + 20 * S }])
})

test('pings refused while others are recorded are a partial outage and need no probe', () => {
  const missed = new MissedPings()
  for (const at of [T, T + 500, T + 900]) missed.turnedAway(at, at)
  assert.deepEqual([missed.isFailing, missed.since()], [false, T])
  const over = missed.over()
  assert.deepEqual(over, [{ from: T, to: T + 901, partial: true }])
  missed.turnedAway(T + S, T + S)
  missed.stored(over)
  assert.equal(missed.since(), T + S, 'what was put on record does not come back')
})

test('failures of a part of the checks are kept apart', () => {
  const missed = new MissedPings()
  missed.failed(T, T + 1_000, 'a')
  missed.failed(T + 200, T + 1_000, 'b')
  assert.deepEqual([missed.isFailing, missed.since(), missed.failingParts], [false, null, ['a', 'b']])
  missed.committed(T + 2_000)
  assert.deepEqual(missed.behind(), { a: T, b: T + 200 })
  assert.equal(missed.recovered(['a'], T + 3_000), true)
  const over = missed.over()
  assert.deepEqual(over, [{ from: T, to: T + 3_000, part: 'a' }])
  assert.deepEqual(missed.behind(over), { b: T + 200 })
  missed.end(T + 4_000)
  assert.deepEqual(missed.over(), [...over, { from: T + 200, to: T + 4_000, part: 'b' }])
})
