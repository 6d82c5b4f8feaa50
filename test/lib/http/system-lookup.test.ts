import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { type TestContext, test } from 'node:test'
import { SystemLookup } from '../../../src/lib/http/system-lookup.js'

const ADDRESS: LookupAddress = { address: '10.0.0.1', family: 4 }

/** Look-ups on a clock of the test's own: the system answers a name when the test says so. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const asked: string[] = []
  const answers = new Map<string, (found: LookupAddress[]) => void>()
  const system = new SystemLookup(
    name => {
      asked.push(name)
      return new Promise(resolve => answers.set(name, resolve))
    },
    () => now,
  )
  return {
    asked,
    find: (name: string, signal?: AbortSignal) => {
      const found = system.find(name, signal)
      found.catch(() => {})
      return found
    },
    async answer(name: string) {
      answers.get(name)!([ADDRESS])
      await new Promise(setImmediate)
    },
    async pass(ms: number) {
      now += ms
      t.mock.timers.tick(ms)
      await new Promise(setImmediate)
    },
  }
}

test('a name that times out is refused at once for a minute', async t => {
  const { find, asked, pass, answer } = open(t)
  const slow = find('slow')
  await pass(2_000)
  await assert.rejects(slow, /in time/)
  await assert.rejects(find('slow'), /in time/)
  assert.deepEqual(asked, ['slow'])
  await pass(60_000)
  await answer('slow')
  assert.deepEqual(await find('slow'), [ADDRESS], 'the answer that came at last')
})

test('names that were found before do not wait for names that time out', async t => {
  const { find, asked, pass, answer } = open(t)
  const first = find('hooks')
  await answer('hooks')
  assert.deepEqual(await first, [ADDRESS])
  await pass(20_000)
  for (const name of ['a', 'b', 'c']) find(name)
  const again = find('hooks')
  assert.deepEqual(asked, ['hooks', 'a', 'hooks'])
  await answer('hooks')
  assert.deepEqual(await again, [ADDRESS])
})

test('no more than two look-ups run, however many have failed', async t => {
  const { find, asked, pass } = open(t)
  for (let index = 0; index < 20; index++) find(`slow-${index}`)
  for (let minute = 0; minute < 5; minute++) await pass(60_000)
  assert.deepEqual(asked, ['slow-0'])
})

test('a look-up without callers leaves the queue', async t => {
  const { find, asked, answer } = open(t)
  find('slow')
  const controller = new AbortController()
  const reason = new Error('ended')
  const dead = find('dead', controller.signal)
  const alive = find('alive')
  controller.abort(reason)
  await assert.rejects(dead, reason)
  await answer('slow')
  await answer('alive')
  assert.deepEqual(await alive, [ADDRESS])
  assert.deepEqual(asked, ['slow', 'alive'])
})

test('a name that never timed out is looked up before those that did', async t => {
  const { find, asked, pass, answer } = open(t)
  find('slow')
  await pass(61_000)
  find('slow')
  find('other')
  assert.deepEqual(asked, ['slow'])
  await answer('slow')
  assert.deepEqual(asked, ['slow', 'other'])
})

test('concurrent look-ups of a name are one, and its addresses are cached for some seconds', async t => {
  const { find, asked, pass, answer } = open(t)
  const both = [find('hooks'), find('hooks')]
  await answer('hooks')
  assert.deepEqual(await Promise.all(both), [[ADDRESS], [ADDRESS]])
  await pass(9_000)
  await find('hooks')
  assert.deepEqual(asked, ['hooks'])
})

test('cached addresses are used while the system does not answer', async t => {
  const { find, pass, answer } = open(t)
  const first = find('hooks')
  await answer('hooks')
  await first
  await pass(60_000)
  const second = find('hooks')
  await pass(2_000)
  assert.deepEqual(await second, [ADDRESS])
})
