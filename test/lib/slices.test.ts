import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Slices } from '../../src/lib/slices.js'

/** The sizes of ten transactions that take `msEach` for each thing and `msAlways` besides. */
function sizesWith(msEach: number, msAlways: number): number[] {
  const slices = new Slices(200)
  return Array.from({ length: 10 }, () => {
    const { size } = slices
    slices.took(msAlways + size * msEach)
    return size
  })
}

test('on a quick database much is done in one transaction', () => {
  assert.deepEqual(sizesWith(0.1, 5).slice(0, 3), [100, 200, 300])
  assert.equal(sizesWith(0.1, 5).at(-1), 300)
})

test('on a slow database a transaction takes about as long as it should', () => {
  const size = sizesWith(2, 60).at(-1)!
  assert.ok(size >= 60 && size <= 80, `${size}`)
})

test('on a very slow database something is done in each transaction all the same', () => {
  assert.equal(sizesWith(100, 1_000).at(-1), 30)
})
