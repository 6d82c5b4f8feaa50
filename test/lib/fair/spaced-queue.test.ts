import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { SpacedQueue } from '../../../src/lib/fair/spaced-queue.js'
import { passTime } from '../../_support/pass-time.js'

test('after a task others have as much time as it took, and then the next key has its turn', async t => {
  const { run, pass, log } = open(t)
  const first = run('a', 100)
  for (const key of ['b', 'a']) void run(key, 100)
  await pass(99)
  assert.deepEqual(log, ['a begins'])
  await pass(1)
  assert.equal(await first, 'done')
  await pass(99)
  assert.deepEqual(log, ['a begins', 'a ends'])
  await pass(1)
  assert.deepEqual(log, ['a begins', 'a ends', 'b begins'])
  await pass(100)
  await pass(100)
  assert.deepEqual(log.slice(3), ['b ends', 'a begins'])
})

test('short tasks follow each other without a pause, and one that fails lets the next one run', async t => {
  const { run, pass, log, queue } = open(t)
  const failing = queue.run('a', () => Promise.reject(new Error('broken')))
  for (const key of ['b', 'a']) void run(key, 5)
  await assert.rejects(failing, { message: 'broken' })
  await pass(5)
  await pass(5)
  assert.deepEqual(log, ['b begins', 'b ends', 'a begins', 'a ends'])
})

test('one that waits for long holds up the others for less than a second', async t => {
  const { run, pass, log } = open(t)
  void run('a', 30_000)
  void run('b', 5)
  await pass(400)
  await pass(400)
  await pass(5)
  assert.deepEqual(log, ['a begins', 'b begins', 'b ends'])
})

function open(t: TestContext) {
  passTime(t)
  const queue = new SpacedQueue<string>()
  const log: string[] = []
  const settled = async () => {
    for (let turn = 0; turn < 10; turn++) await setImmediate()
  }
  const run = async (key: string, ms: number) =>
    await queue.run(key, async () => {
      log.push(`${key} begins`)
      await new Promise(resolve => setTimeout(resolve, ms))
      log.push(`${key} ends`)
      return 'done'
    })
  const pass = async (ms: number) => {
    await settled()
    t.mock.timers.tick(ms)
    await settled()
  }
  return { queue, run, pass, log }
}
