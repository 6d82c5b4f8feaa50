/** The threads of the embedded database. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqliteStore } from '../../../src/storage/sqlite/open.js'
import { type DatabaseWorker, startWorker } from '../../../src/storage/sqlite/thread.js'
import type { Message, Reply } from '../../../src/storage/store.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore, testSettings } from '../../_support/worlds/store.js'

test('without reads there is no reading thread', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-threads-'))
  let threads = 0
  const count = () => threads++
  process.on('worker', count)
  const store = await openSqliteStore(join(folder, 'punctual.db'), testSettings, { create: true })
  t.after(async () => {
    process.off('worker', count)
    await store.close()
    rmSync(folder, { recursive: true })
  })
  await store.instance.beat('me', 1_000)
  assert.equal(await store.alerts.nextWake(), null)
  assert.equal((await store.alerts.dueChannels({ now: 1_000, cursor: 0 })).next, null)
  assert.equal(await store.people.hasUsers(), false)
  assert.equal(threads, 1)
  assert.deepEqual(await store.projects.list(), [])
  assert.equal(threads, 2)
})

test('a read that is called together with a write sees what was written before', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-threads-'))
  const store = await openSqliteStore(join(folder, 'punctual.db'), testSettings, { create: true })
  t.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const { check } = await store.checks.create(project.id, { changes: {}, unique: null, now: 1 })
  const [, wake] = await Promise.all([
    store.pings.record([arrivedPing({ uuid: check.uuid }, 1_000)]),
    store.alerts.nextWake(),
  ])
  assert.equal(wake, 1_000 + (86_400 + 3_600) * 1_000)
})

test('what alerts and pages read does not wait for a long read under way', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-threads-'))
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  // The thread gets long reads only when the test lets go.
  const isLong = ({ method }: Message) => method === 'projects.overviews'
  const start = (data: Parameters<typeof startWorker>[0]): DatabaseWorker => {
    const worker = startWorker(data)
    const send = worker.postMessage.bind(worker)
    const post = (messages: Message[] | 'close') =>
      messages !== 'close' && messages.some(isLong) ? void held.then(() => send(messages)) : send(messages)
    return Object.assign(worker, { postMessage: post })
  }
  const store = await openSqliteStore(join(folder, 'punctual.db'), testSettings, { create: true }, start)
  t.after(async () => {
    letGo()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const { uuid } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  assert.equal((await store.projects.list()).length, 1)
  let ended = false
  const long = store.projects.overviews([uuid], 1).then(() => {
    ended = true
  })
  assert.equal((await store.projects.list()).length, 1)
  assert.deepEqual(await store.incidents.parentStates(), [])
  assert.equal(ended, false)
  letGo()
  await long
})

test('once a read of a request took long, those of alerts wait for none', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-threads-'))
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  let isHeld = false
  const start = (data: Parameters<typeof startWorker>[0]): DatabaseWorker => {
    const worker = startWorker(data)
    const seen = new EventEmitter()
    worker.on('error', error => seen.emit('error', error)).on('exit', () => seen.emit('exit'))
    // As if each read took long; the test does not wait for that.
    const slow = (reply: Reply): Reply => (data.role === 'read' ? { ...reply, ms: 1_000 } : reply)
    worker.on('message', answer => seen.emit('message', Array.isArray(answer) ? answer.map(slow) : answer))
    const isOfRequest = ({ method }: Message) => method === 'projects.list'
    const postMessage = (messages: Message[] | 'close') => {
      if (isHeld && messages !== 'close' && messages.some(isOfRequest))
        void held.then(() => worker.postMessage(messages))
      else worker.postMessage(messages)
    }
    return Object.assign(seen, { postMessage })
  }
  const store = await openSqliteStore(join(folder, 'punctual.db'), testSettings, { create: true }, start)
  t.after(async () => {
    letGo()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  assert.deepEqual(await store.projects.list(), [])
  isHeld = true
  let ended = false
  const read = store.projects.list().then(() => {
    ended = true
  })
  assert.deepEqual(await store.incidents.parentStates(), [])
  assert.equal(await store.alerts.facts(1, 1, null), null)
  assert.equal(ended, false)
  letGo()
  await read
})

test('what alerts read does not wait until a thread for them has started', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-threads-'))
  let threads = 0
  let letStart = () => {}
  const started = new Promise<void>(resolve => {
    letStart = resolve
  })
  const start = (data: Parameters<typeof startWorker>[0]): DatabaseWorker => {
    const worker = startWorker(data)
    const isLast = ++threads === 3
    const seen = new EventEmitter()
    worker.on('error', error => seen.emit('error', error)).on('exit', () => seen.emit('exit'))
    // As if each read took long; the test does not wait for that.
    const slow = (reply: Reply): Reply => (data.role === 'read' ? { ...reply, ms: 1_000 } : reply)
    worker.on('message', async answer => {
      if (isLast) await started
      seen.emit('message', Array.isArray(answer) ? answer.map(slow) : answer)
    })
    return Object.assign(seen, { postMessage: worker.postMessage.bind(worker) })
  }
  const store = await openSqliteStore(join(folder, 'punctual.db'), testSettings, { create: true }, start)
  t.after(async () => {
    letStart()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  assert.deepEqual(await store.projects.list(), [])
  assert.deepEqual(await store.incidents.parentStates(), [])
  assert.equal(threads, 3)
})

test('a call whose arguments cannot be sent to a thread fails alone', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-threads-'))
  const store = await openSqliteStore(join(folder, 'punctual.db'), testSettings, { create: true })
  t.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const create = (name: unknown) =>
    store.projects.create({ name: name as string, ownerId: null, pingKey: String(name), now: 1 })
  const [before, broken, after] = await Promise.allSettled([create('A'), create(() => 'B'), create('C')])
  assert.deepEqual([before.status, broken.status, after.status], ['fulfilled', 'rejected', 'fulfilled'])
  await assert.rejects(create(Symbol('D')), { name: 'DataCloneError' })
  assert.deepEqual((await store.projects.list()).map(({ name }) => name).toSorted(), ['A', 'C'])
})

test('stores of tests use one thread after another, and see only their own database', async () => {
  const first = await openFreshStore()
  await first.store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  assert.equal((await first.store.projects.list()).length, 1)
  await first.remove()
  let started = 0
  const count = () => started++
  process.on('worker', count)
  const second = await openFreshStore()
  try {
    assert.deepEqual(await second.store.projects.list(), [])
    assert.equal(started, 0)
  } finally {
    process.off('worker', count)
    await second.remove()
  }
})
