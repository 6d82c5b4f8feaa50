import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairShare } from '../../../src/lib/fair/fair-share.js'

test('a key alone gets half of the places, and the next ones get shares of the rest', () => {
  const share = new FairShare<string>(10_000)
  const fill = (key: string) => {
    let taken = 0
    for (; share.hasPlace(key); taken++) share.take(key)
    return taken
  }
  assert.deepEqual(['a', 'b', 'c', 'a'].map(fill), [5_001, 2_500, 1_250, 0])
  assert.equal(share.taken, 8_751)
})

test('whoever takes all that it gets, a new key always finds a place', () => {
  const share = new FairShare<number>(100)
  for (let key = 0; key < 50; key++) {
    assert.ok(share.hasPlace(key))
    while (share.hasPlace(key) && share.taken < 99) share.take(key)
  }
})

test('a place that is given back can be taken again', () => {
  const share = new FairShare<string>(3)
  for (const key of ['a', 'a', 'b']) share.take(key)
  assert.equal(share.hasPlace('c'), false)
  share.giveBack('b')
  assert.deepEqual([share.taken, share.hasPlace('a'), share.hasPlace('b')], [2, false, true])
  share.giveBack('a')
  assert.equal(share.hasPlace('a'), true)
})
