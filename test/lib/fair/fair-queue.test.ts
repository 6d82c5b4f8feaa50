import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue } from '../../../src/lib/fair/fair-queue.js'
import { passTime, turnsUntil } from '../../_support/pass-time.js'

test('tasks run one at a time, round-robin across keys', async () => {
  const queue = new FairQueue()
  const log: string[] = []
  let running = 0
  const run = (key: number, name: string) =>
    queue.run(key, async () => {
      assert.equal(++running, 1)
      log.push(name)
      await Promise.resolve()
      running--
      return name
    })
  const names = await Promise.all([run(1, 'a1'), run(1, 'a2'), run(1, 'a3'), run(2, 'b1'), run(3, 'c1')])
  assert.deepEqual(names, ['a1', 'a2', 'a3', 'b1', 'c1'])
  assert.deepEqual(log, ['a1', 'a2', 'b1', 'c1', 'a3'])
})

test('a task that fails is reported to its caller, and the next one runs', async () => {
  const queue = new FairQueue()
  const failing = queue.run(1, () => Promise.reject(new Error('broken')))
  const thrown = queue.run(1, () => assert.fail('at once'))
  const next = queue.run(1, async () => 'done')
  await assert.rejects(failing, { message: 'broken' })
  await assert.rejects(thrown, { message: 'at once' })
  assert.equal(await next, 'done')
})

test('several tasks run at once, one for each key', async () => {
  const queue = new FairQueue<string>({ inAll: 2, perKey: 1 })
  const log: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string) =>
    queue.run(name[0]!, async () => {
      log.push(name)
      await new Promise<void>(resolve => ends.set(name, resolve))
    })
  const finish = async (name: string) => {
    ends.get(name)!()
    await new Promise(setImmediate)
    return log.at(-1)
  }
  const all = Promise.all(['a1', 'a2', 'b1', 'c1'].map(run))
  assert.deepEqual(log, ['a1', 'b1'])
  assert.equal(await finish('b1'), 'c1')
  assert.equal(await finish('c1'), 'c1', 'a is running')
  assert.equal(await finish('a1'), 'a2')
  await finish('a2')
  await all
})

test('a task that takes longer than a turn lets the next one begin', async t => {
  passTime(t)
  const queue = new FairQueue({ inAll: 1, perKey: 1, longestMs: 100 })
  const log: string[] = []
  const run = (name: string) =>
    queue.run(1, async () => {
      log.push(name)
      await new Promise<void>(() => {})
    })
  for (const name of ['a', 'b', 'c']) void run(name)
  t.mock.timers.tick(99)
  await turnsUntil(() => log.length > 0)
  assert.deepEqual(log, ['a'])
  t.mock.timers.tick(1)
  await turnsUntil(() => log.length > 1)
  assert.deepEqual(log, ['a', 'b'])
  t.mock.timers.tick(100)
  await turnsUntil(() => log.length > 2)
})
