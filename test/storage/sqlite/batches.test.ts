/** What goes to a database thread at once, so that pings and alerts do not wait for many long calls of requests. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Thread } from '../../../src/storage/sqlite/thread.js'
import type { Message } from '../../../src/storage/store.js'

/** A thread that answers when it is told to. */
class StandIn extends EventEmitter {
  readonly batches: (string[] | 'close')[] = []
  #last: Message[] = []

  postMessage(batch: Message[] | 'close'): void {
    this.#last = batch === 'close' ? [] : batch
    this.batches.push(batch === 'close' ? batch : batch.map(({ method }) => method))
  }

  /** Each call took this long (ms). */
  answer(ms = 0.01): void {
    const replies = this.#last.map(({ id }) => ({ id, value: id, ms }))
    this.emit('message', replies)
  }
}

async function startThread() {
  const worker = new StandIn()
  const thread = new Thread(worker as never, 20)
  worker.emit('message', new Map())
  await thread.methods()
  const call = (method: string, first = false) => void thread.call(method, [], { first })
  return { worker, thread, call }
}

test('calls for alerts go before those that wait', async () => {
  const { worker, call } = await startThread()
  call('a')
  await Promise.resolve()
  for (const method of ['b', 'c']) call(method)
  call('facts', true)
  worker.answer()
  assert.deepEqual(worker.batches, [['a'], ['facts', 'b', 'c']])
})

test('calls that take long go one at a time, and short ones together again', async () => {
  const { worker, call } = await startThread()
  const others = Array.from({ length: 200 }, (_, index) => `c${index}`)
  for (const method of ['a', 'b']) call(method)
  await Promise.resolve()
  for (const method of others) call(method)
  worker.answer(30)
  worker.answer(30)
  while (worker.batches.flat().length < 2 + others.length) worker.answer()
  const [long, ...next] = worker.batches
  assert.deepEqual([long, ...next.slice(0, 2)], [['a', 'b'], ['c0'], ['c1']])
  assert.deepEqual(next.flat(), others)
  assert.ok(next.length < 100, `${next.length} batches`)
})

test('a call that waited long goes only after another look at who called, in its place', async () => {
  const { worker, thread, call } = await startThread()
  let isMember = true
  let looks = 0
  const requireAccess = async () => {
    looks++
    if (!isMember) throw new Error('not a member')
  }
  call('a')
  await Promise.resolve()
  const [left, stayed] = ['left', 'stayed'].map(method =>
    thread.call(method, [], { requireAccess: method === 'left' ? requireAccess : async () => {} }),
  ) as [Promise<unknown>, Promise<unknown>]
  call('later')
  const refused = assert.rejects(left, /not a member/)
  isMember = false
  await sleep(100)
  // While it is looked at, what needs no look goes on.
  worker.answer()
  await refused
  worker.answer()
  await new Promise(resolve => setImmediate(resolve))
  worker.answer()
  await stayed
  assert.deepEqual(worker.batches, [['a'], ['later'], ['stayed']])
  assert.equal(looks, 1)
})

test('what is looked at when the store closes is done before', async () => {
  const { worker, thread, call } = await startThread()
  let admit = () => {}
  const looked = new Promise<void>(resolve => {
    admit = resolve
  })
  call('a')
  await Promise.resolve()
  const late = thread.call('late', [], { requireAccess: () => looked })
  await sleep(100)
  worker.answer()
  const closed = thread.close()
  admit()
  await new Promise(resolve => setImmediate(resolve))
  worker.answer()
  await late
  worker.emit('exit')
  await closed
  assert.deepEqual(worker.batches, [['a'], ['late'], 'close'])
})

test('how long pings and alerts take says nothing about the calls of requests', async () => {
  const { worker, call } = await startThread()
  call('pings', true)
  await Promise.resolve()
  for (const method of ['a', 'b', 'c']) call(method)
  call('pings', true)
  worker.answer(1_000)
  worker.answer(1)
  for (const method of ['d', 'e', 'f']) call(method)
  worker.answer(1)
  assert.deepEqual(worker.batches, [['pings'], ['pings', 'a', 'b', 'c'], ['d', 'e', 'f']])
})
