import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdAt, outageBetween, outageCovering } from '../../src/core/outage.js'

const S = 1_000
const M = 60 * S
const T = 1_800_000_000_000

test('fifteen seconds of silence are no outage, a moment more is', () => {
  assert.equal(outageBetween(T, T + 15 * S, 10 * M), null)
  assert.deepEqual(outageBetween(T, T + 15 * S + 1, 10 * M), {
    startedAt: T,
    endedAt: T + 15 * S + 1,
    holdUntil: T + 2 * (15 * S + 1),
  })
})

test('a hold is as long as its outage, and no longer than the limit', () => {
  assert.equal(outageBetween(T, T + 2 * M, 10 * M)!.holdUntil, T + 4 * M)
  assert.equal(outageBetween(T, T + 300 * M, 10 * M)!.holdUntil, T + 310 * M)
})

test('an outage holds from its beginning until its hold ends', () => {
  const outage = outageBetween(T, T + 2 * M, 10 * M)!
  assert.deepEqual(holdAt([outage], T + 3 * M), { from: T, until: T + 4 * M })
  assert.equal(holdAt([outage], T + 4 * M), null)
})

test('an outage within the hold of another extends it backwards', () => {
  const first = outageBetween(T, T + 2 * M, 10 * M)!
  const second = outageBetween(T + 3 * M, T + 4 * M, 10 * M)!
  assert.deepEqual(holdAt([first, second], T + 4 * M + S), { from: T, until: T + 5 * M })
})

test('an outage whose hold had ended does not', () => {
  const first = outageBetween(T, T + M, 10 * M)!
  const second = outageBetween(T + 9 * M, T + 10 * M, 10 * M)!
  assert.deepEqual(holdAt([first, second], T + 10 * M), { from: T + 9 * M, until: T + 11 * M })
})

test('a silence that still goes on holds every deadline since the last beat', () => {
  assert.equal(holdAt([], T + 15 * S, T), null)
  const hold = holdAt([], T + 20 * S, T)!
  assert.equal(hold.from, T)
  assert.ok(hold.until > T + 20 * S)
})

test('a ping expected during an outage names that outage', () => {
  const outage = outageBetween(T, T + 2 * M, 10 * M)!
  assert.equal(outageCovering([outage], T + M), outage)
  assert.equal(outageCovering([outage], T + 2 * M), null)
  assert.equal(outageCovering([outage], T - 1), null)
  assert.equal(outageCovering([outage], null), null)
})
