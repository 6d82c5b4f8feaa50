import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Batches } from '../../src/lib/batches.js'

/** Batches of words that become capitals; `bad` and `lost` are errors. Also the batches that were run. */
function capitals(underWay = 1, retries?: (error: unknown) => boolean) {
  const ran: string[][] = []
  const batches = new Batches<number, string, string>(
    async (_, words) => {
      ran.push([...words])
      await Promise.resolve()
      for (const error of ['bad', 'lost']) if (words.includes(error)) throw new Error(error)
      return words.map(word => word.toUpperCase())
    },
    { atOnce: 3, underWay, ...(retries && { retries }) },
  )
  const run = async (words: string[], key = 1) => {
    const results = await Promise.allSettled(words.map(word => batches.run(key, word)))
    return results.map(result => (result.status === 'fulfilled' ? result.value : result.reason.message))
  }
  return { run, ran }
}

test('items that come at once, or while others of their key are under way, are run together', async () => {
  const { run, ran } = capitals()
  const [one, two] = await Promise.all([run(['a', 'b', 'c', 'd', 'e', 'f']), run(['x', 'y'], 2)])
  assert.deepEqual(one, ['A', 'B', 'C', 'D', 'E', 'F'])
  assert.deepEqual(two, ['X', 'Y'])
  assert.deepEqual(ran, [
    ['a', 'b', 'c'],
    ['x', 'y'],
    ['d', 'e', 'f'],
  ])
  assert.deepEqual(await run(['g']), ['G'])
})

test('as many batches of a key are under way at once as are allowed', async () => {
  const { run, ran } = capitals(2)
  const [first] = [run(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])]
  await first
  assert.deepEqual(ran, [
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
    ['g', 'h'],
  ])
})

test('an item that fails is the only one of its batch that is rejected', async () => {
  const { run, ran } = capitals()
  assert.deepEqual(await run(['b', 'bad', 'c', 'd']), ['B', 'bad', 'C', 'D'])
  assert.deepEqual(ran, [['b', 'bad', 'c'], ['b'], ['bad'], ['c'], ['d']])
})

test('an error that allows no retry rejects the whole batch, and the next one runs', async () => {
  const { run, ran } = capitals(1, error => (error as Error).message !== 'lost')
  assert.deepEqual(await run(['b', 'lost', 'c', 'd']), ['lost', 'lost', 'lost', 'D'])
  assert.deepEqual(ran, [['b', 'lost', 'c'], ['d']])
})
