import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MissedPings } from '../../../src/actions/pings/missed-pings.js'

const T = 1_800_000_000_000

test('pings are missed from the arrival of the first that failed until the next is recorded', () => {
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

test('a failure is timed when it is known, also where a ping that arrived before is recorded next', () => {
  const missed = new MissedPings()
  missed.failed(T, T + 8_000)
  missed.committed(T + 100)
  assert.deepEqual(missed.over(), [{ from: T, to: T + 8_000 }])
})

test('what is over counts until it is on record', () => {
  const missed = new MissedPings()
  missed.failed(T, T)
  missed.committed(T + 10)
  const over = missed.over()
  missed.failed(T + 5_000, T + 5_000)
  assert.deepEqual([missed.since(), missed.since(over)], [T, T + 5_000])
  missed.recorded(over)
  assert.deepEqual([missed.since(), missed.over()], [T + 5_000, []])
})

test('moments that lie apart stay apart, and those that do not become one', () => {
  const missed = new MissedPings()
  for (const from of [T, T + 500, T + 20_000]) {
    missed.failed(from, from)
    missed.committed(from + 10)
  }
  assert.deepEqual(missed.over(), [
    { from: T, to: T + 510 },
    { from: T + 20_000, to: T + 20_010 },
  ])
})

test('a process that was frozen missed what came meanwhile', () => {
  const missed = new MissedPings()
  for (const at of [T, T + 1_000, T + 3_500]) missed.awake(at)
  assert.equal(missed.since(), null)
  missed.awake(T + 9_000)
  assert.deepEqual(missed.over(), [{ from: T + 3_500, to: T + 9_000 }])
})

test('long work that asks with the instant of its beginning does not look like a frozen process', () => {
  const missed = new MissedPings()
  missed.awake(T)
  missed.awake(T + 2_500)
  missed.awake(T)
  missed.awake(T + 4_000)
  assert.deepEqual(missed.over(), [])
})

test('a process whose clock was set back still notices that it was frozen', () => {
  const missed = new MissedPings()
  for (const at of [T, T - 3_600_000, T - 3_590_000]) missed.awake(at)
  assert.deepEqual(missed.over(), [{ from: T - 3_600_000, to: T - 3_590_000 }])
})

test('what still fails when a process ends is over then, so that it goes on record', () => {
  const missed = new MissedPings()
  missed.failed(T, T + 100)
  missed.end(T + 2_000)
  assert.deepEqual([missed.isFailing, missed.over()], [false, [{ from: T, to: T + 2_000 }]])
})
