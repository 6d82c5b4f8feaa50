/** What goes to the reading thread at once, so that reads for alerts do not wait for many long ones. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Thread } from '../../../src/storage/sqlite/thread.js'
import type { Message } from '../../../src/storage/store.js'

/** A thread that answers when it is told to. */
class StandIn extends EventEmitter {
  readonly batches: string[][] = []
  #last: Message[] = []

  postMessage(batch: Message[]): void {
    this.#last = batch
    this.batches.push(batch.map(({ method }) => method))
  }

  answer(): void {
    const replies = this.#last.map(({ id }) => ({ id, value: id }))
    this.emit('message', replies)
  }
}

async function startThread(batchMs?: number) {
  const worker = new StandIn()
  const thread = new Thread(worker as never, batchMs)
  worker.emit('message', new Map())
  await thread.methods()
  const call = (method: string, first = false) => void thread.call(method, [], null, first)
  return { worker, call }
}

test('calls for alerts go before those that wait', async () => {
  const { worker, call } = await startThread(20)
  call('a')
  await sleep(0)
  for (const method of ['b', 'c']) call(method)
  call('facts', true)
  worker.answer()
  assert.deepEqual(worker.batches, [['a'], ['facts', 'b', 'c']])
})

test('calls that take long go one at a time, and short ones together again', async () => {
  const { worker, call } = await startThread(20)
  const others = Array.from({ length: 200 }, (_, index) => `c${index}`)
  for (const method of ['a', 'b']) call(method)
  await sleep(60)
  for (const method of others) call(method)
  worker.answer()
  await sleep(30)
  while (worker.batches.flat().length < 2 + others.length) worker.answer()
  const [long, ...next] = worker.batches
  assert.deepEqual([long, ...next.slice(0, 2)], [['a', 'b'], ['c0'], ['c1']])
  assert.deepEqual(next.flat(), others)
  assert.ok(next.length < 100, `${next.length} batches`)
})

test('all writes that wait share the next transaction, however long one took', async () => {
  const { worker, call } = await startThread()
  call('a')
  await sleep(30)
  for (const method of ['b', 'c', 'd']) call(method)
  worker.answer()
  assert.deepEqual(worker.batches, [['a'], ['b', 'c', 'd']])
})
