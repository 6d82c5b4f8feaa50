import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { PingQueue } from '../../src/actions/pings/record-pings.js'
import type { RecordedPings } from '../../src/core/pings/arrived-ping.js'
import { createProbes } from '../../src/http/probes.js'
import { Changes } from '../../src/lib/changes.js'
import type { Store } from '../../src/storage/store.js'
import { arrivedPing } from '../_support/arrived-ping.js'
import { FakeClock } from '../_support/clock.js'
import { eventually } from '../_support/eventually.js'
import { pingStore } from '../_support/ping-store.js'
import { openTestStore } from '../_support/worlds/store.js'

/** A server that answers only what `createProbes` answers. */
async function openProbes(t: TestContext, key: string | null) {
  const store = await openTestStore(t)
  // The first question starts the database's thread, which may take longer than a probe waits.
  await store.instance.probe()
  const clock = new FakeClock()
  const state = { started: true, accepting: true, record: store.pings.record }
  const record: Store['pings']['record'] = pings => state.record(pings)
  const pings = new PingQueue(
    pingStore(record, store.pings.probe),
    new Changes(),
    assert.fail,
    undefined,
    clock,
  )
  const process = { isAccepting: () => state.accepting, hasStarted: () => state.started }
  const deps = { store, pings, clock, ...process, metrics: async () => 'up 1\n' }
  const probes = createProbes(deps, key)
  const server = createServer((request, response) => {
    if (!probes(request, response)) response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close().closeAllConnections())
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(root + path, { headers })
    return {
      status: response.status,
      text: await response.text(),
      type: response.headers.get('content-type'),
    }
  }
  /** A busy machine may take longer than a probe waits. */
  const isReady = () =>
    eventually(async () => {
      const answer = await get('/ready')
      return answer.status === 200 && answer
    })
  return { store, state, clock, pings, root, get, isReady }
}

test('a process is ready while its database answers and it is neither starting nor stopping', async t => {
  const { store, state, get, isReady } = await openProbes(t, '')
  state.started = false
  assert.equal((await get('/ready')).text, 'starting')
  state.started = true
  assert.deepEqual(await isReady(), { status: 200, text: 'ready', type: 'text/plain; charset=utf-8' })
  state.accepting = false
  assert.equal((await get('/ready?from=balancer')).status, 503)
  state.accepting = true
  await store.close()
  const { status, text } = await get('/ready')
  assert.deepEqual([status, text], [503, 'the database does not answer'])
  assert.equal((await get('/live')).status, 200)
})

test('a process is not ready while the newest pings cannot be recorded', async t => {
  const { store, state, clock, pings, get, isReady } = await openProbes(t, '')
  const ping = arrivedPing({ uuid: 'none' }, clock.now())
  state.record = () => Promise.reject(Object.assign(new Error('the disk is full'), { code: '53100' }))
  await assert.rejects(pings.record(ping))
  const { status, text } = await get('/ready')
  assert.deepEqual([status, text], [503, 'pings cannot be recorded'])
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const { check } = await store.checks.create(project.id, { changes: {}, unique: null, now: 1 })
  state.record = store.pings.record
  await pings.record({ ...ping, target: { uuid: check.uuid } })
  // As the next beat does, when it has found out that all can be recorded.
  pings.hearing.missed.committed(clock.now())
  await isReady()
})

test('a process whose database file is gone says what to do', async t => {
  const { store, state, clock, pings, get } = await openProbes(t, '')
  const gone = () => Promise.reject(Object.assign(new Error('gone'), { code: 'SQLITE_READONLY_DBMOVED' }))
  t.mock.method(store.instance, 'probe', gone)
  const text =
    'the database file was deleted, moved or replaced: put the same file back, or stop Punctual and restore a backup'
  assert.equal((await get('/ready')).text, text)
  state.record = gone
  await assert.rejects(pings.record(arrivedPing({ uuid: 'none' }, clock.now())))
  const { status, text: failing } = await get('/ready')
  assert.deepEqual([status, failing], [503, text])
})

test('a process is not ready while a ping waits for more than eight seconds', async t => {
  const { state, clock, pings, get, isReady } = await openProbes(t, '')
  let refuse = () => {}
  state.record = () =>
    new Promise<RecordedPings>((_, reject) => {
      refuse = () => reject(Object.assign(new Error('no answer'), { code: 'BUSY' }))
    })
  const waits = assert.rejects(pings.record(arrivedPing({ uuid: 'none' }, clock.now())))
  clock.advance(8)
  await isReady()
  clock.advance(1)
  const { status, text } = await get('/ready')
  assert.deepEqual([status, text], [503, 'pings wait to be recorded'])
  refuse()
  await waits
})

test('a process that is not ready says when to ask again', async t => {
  const { state, root } = await openProbes(t, '')
  const ready = await eventually(async () => {
    const answer = await fetch(`${root}/ready`)
    return answer.status === 200 && answer
  })
  assert.equal(ready.headers.get('retry-after'), null)
  state.accepting = false
  assert.equal((await fetch(`${root}/ready`)).headers.get('retry-after'), '10')
})

test('the metrics are told to those who send the key', async t => {
  const { get } = await openProbes(t, 'open sesame')
  const told = { status: 200, text: 'up 1\n', type: 'text/plain; version=0.0.4; charset=utf-8' }
  assert.deepEqual(await get('/metrics', { Authorization: 'Bearer open sesame' }), told)
  assert.deepEqual(await get('/metrics', { 'X-Metrics-Key': 'open sesame' }), told)
  assert.equal((await get('/metrics')).status, 401)
  assert.equal((await get('/metrics', { Authorization: 'Bearer open' })).status, 401)
  assert.equal((await get('/metrics', { 'X-Metrics-Key': '' })).status, 401)
})

test('without a key there are no metrics, save where all may see them', async t => {
  const closed = await openProbes(t, '')
  assert.equal((await closed.get('/metrics', { Authorization: 'Bearer ' })).status, 404)
  const open = await openProbes(t, null)
  assert.equal((await open.get('/metrics')).status, 200)
})
