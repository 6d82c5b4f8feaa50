import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MissedPings } from '../../../src/actions/pings/missed-pings.js'

const S = 1_000
const HOUR = 3_600 * S
const T = 1_800_000_000_000

test('pings that fail while the clock is set back failed since their arrival by the new clock', () => {
  const missed = new MissedPings()
  missed.failed(T + HOUR - 2 * S, T + HOUR)
  // Ten seconds later, by a clock that was set back by an hour.
  missed.follow(T + 10 * S, performance.now() + 10 * S)
  const since = missed.since()!
  assert.ok(since <= T - 2 * S + 100 && since > T - 12 * S, `${since - T}`)
  missed.committed(T + 10 * S)
  assert.ok(missed.over().every(({ from, to }) => from === since && to <= T + 10 * S))
})

test('a ping that arrived before the clock was set back and fails later counts since its arrival', () => {
  const missed = new MissedPings()
  const ticks = performance.now()
  missed.follow(T + HOUR, ticks)
  missed.follow(T + S, ticks + S)
  assert.equal(missed.movedWithClock(T + HOUR - S, T + S), T - S)
  missed.failed(T + HOUR - S, T + 2 * S)
  assert.equal(missed.since(), T - S)
})

test('a freeze in which the clock was set back is noticed', () => {
  const missed = new MissedPings()
  const ticks = performance.now()
  missed.follow(T + HOUR, ticks)
  missed.awake(T + HOUR)
  missed.follow(T + 20 * S, ticks + 20 * S)
  missed.awake(T + 20 * S)
  assert.deepEqual(missed.over(), [{ from: T, to: T + 20 * S }])
})
