import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSlices, type Slice } from '../../../src/actions/checks/in-slices.js'
import { Refusal } from '../../../src/core/errors.js'

const sizes = (atOnce: number, size: number) => ({ atOnce, slices: { size, took() {} } })
const LETTERS = ['a', 'b', 'c', 'd', 'e']
const ONES = LETTERS.map(() => 1)

/** The slices that are written, with a `write` that may throw or find its items outdated. */
async function slicesOf(
  slicing: { weights: number[]; sizes: ReturnType<typeof sizes> },
  write: (slice: Slice<string>) => string | null = ({ items }) => items.join(''),
) {
  return await inSlices({ items: LETTERS, ...slicing }, async slice => write(slice))
}

test('little is written at once, and much in slices', async () => {
  const all = { done: 5, of: 5, stop: null }
  assert.deepEqual(await slicesOf({ weights: ONES, sizes: sizes(5, 2) }), { results: ['abcde'], ...all })
  assert.deepEqual(await slicesOf({ weights: ONES, sizes: sizes(4, 2) }), {
    results: ['ab', 'cd', 'e'],
    ...all,
  })
})

test('what weighs more than a slice is one of its own', async () => {
  const { results } = await slicesOf({ weights: [1, 1, 9, 1, 1], sizes: sizes(4, 2) })
  assert.deepEqual(results, ['ab', 'c', 'de'])
})

test('a refusal of the first slice is thrown, and one of another ends the act', async () => {
  const refused = new Refusal('forbidden', 'no')
  const until = (last: number) => (slice: Slice<string>) => {
    if (slice.number === last) throw refused
    return slice.items.join('')
  }
  const asked = { weights: ONES, sizes: sizes(4, 2) }
  await assert.rejects(slicesOf(asked, until(0)), refused)
  assert.deepEqual(await slicesOf(asked, until(1)), { results: ['ab'], done: 2, of: 5, stop: refused })
})

test('an act ends at the first slice that is outdated', async () => {
  const asked = { weights: ONES, sizes: sizes(4, 2) }
  const outdated = (at: number) =>
    slicesOf(asked, ({ number, items }) => (number === at ? null : items.join('')))
  assert.deepEqual(await outdated(0), { results: [], done: 0, of: 5, stop: 'outdated' })
  assert.deepEqual(await outdated(2), { results: ['ab', 'cd'], done: 4, of: 5, stop: 'outdated' })
})
