import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue } from '../../src/lib/fair-queue.js'

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
  const next = queue.run(1, async () => 'done')
  await assert.rejects(failing, { message: 'broken' })
  assert.equal(await next, 'done')
})
