import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type HeartbeatDeps, heartbeatJob } from '../../src/jobs/heartbeat.js'
import { anyAddress } from '../../src/lib/http/public-address.js'
import { createSafeFetch } from '../../src/lib/http/safe-fetch.js'
import { FakeClock } from '../_support/clock.js'
import { eventually } from '../_support/eventually.js'
import { openRecorder } from '../_support/servers/recorder.js'
import { openFreshStore } from '../_support/worlds/store.js'
import { StoreHarness } from '../_support/worlds/store-harness.js'

const MINUTE = 60_000
const NOTICE = { type: 'notice' as const, title: '', text: '', url: '' }

/** A fresh instance, whose heartbeats stop before it is removed. */
async function openInstance(t: TestContext) {
  const { store, openAnother, remove } = await openFreshStore()
  const clock = new FakeClock()
  await store.instance.beat('me', clock.now())
  const ends = [remove]
  t.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  /** A heartbeat that looks every 20 ms, and its results. */
  const start = async (more: Partial<HeartbeatDeps> = {}) => {
    const { url, requests } = await openRecorder(t)
    const missed: string[] = []
    let steps = 0
    const job = heartbeatJob({
      store,
      clock,
      fetch: createSafeFetch({ permits: anyAddress, userAgent: 'Punctual tests' }),
      url: `${url}/ping/abc`,
      progress: () => [++steps],
      pingTrouble: () => null,
      setAside: () => 0,
      onMissed: reason => missed.push(reason),
      intervalMs: 20,
      ...more,
    })
    job.start()
    ends.push(() => job.stop())
    return { requests, missed, stop: () => job.stop() }
  }
  /** The store of another process. */
  const openOther = async () => {
    const other = await openAnother()
    ends.push(() => other.close())
    return other
  }
  return { store, clock, start, openOther }
}

async function startHeartbeat(t: TestContext, more: Partial<HeartbeatDeps> = {}) {
  const instance = await openInstance(t)
  return { ...instance, ...(await instance.start(more)) }
}

test('a heartbeat is sent while pings are accepted and the loops work', async t => {
  const { requests, missed } = await startHeartbeat(t)
  await eventually(() => requests.length >= 2)
  assert.deepEqual([requests[0]!.method, requests[0]!.url], ['GET', '/ping/abc'])
  assert.deepEqual(missed, [])
})

test('no heartbeat is sent while a loop is stuck', async t => {
  const { requests, missed } = await startHeartbeat(t, { progress: () => [1, 1] })
  await eventually(() => missed.length >= 2)
  assert.ok(requests.length <= 1)
  assert.match(missed[0]!, /does not move/)
})

test('no heartbeat is sent when no process has accepted pings for a minute', async t => {
  const { clock, missed, requests } = await startHeartbeat(t, { progress: () => [] })
  clock.advance(61)
  const before = requests.length
  await eventually(() => missed.length >= 2)
  assert.ok(requests.length <= before + 1)
  assert.match(missed[0]!, /nobody takes pings/)
})

test('no heartbeat is sent while a process cannot record pings', async t => {
  const { store, clock, missed } = await startHeartbeat(t)
  await store.instance.beat('other', clock.now(), { heardUntil: clock.now() - 2_000 })
  await eventually(() => missed.length >= 1)
  assert.equal(missed[0], 'pings cannot be recorded')
})

/** An instance with the channel A, through which an alert failed six minutes ago, and only then. */
async function openFailing(t: TestContext) {
  const instance = await openInstance(t)
  const { store, clock } = instance
  const { id } = await store.projects.create({ name: '', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, id, clock.now())
  const { id: channelId } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const retryAt = scene.now + 30 * MINUTE
  const [message] = await scene.claim()
  await scene.settle(message!, { type: 'retry', error: 'refused', retryAt, unreachable: NOTICE })
  /** To be called before a heartbeat starts: a beat counts for a minute. */
  const advance = async (ms: number) => {
    clock.advance(ms / 1000)
    scene.now = clock.now()
    await store.instance.beat('me', scene.now)
  }
  await advance(6 * MINUTE)
  return { ...instance, scene, channelId, advance }
}

test('no heartbeat is sent after a restart while alerts cannot be sent', async t => {
  const { start } = await openFailing(t)
  for (let run = 0; run < 2; run++) {
    const { missed, requests, stop } = await start()
    await eventually(() => missed.length >= 2)
    await stop()
    assert.deepEqual([missed[0], requests.length], ['alerts cannot be sent', 0])
  }
})

test('no heartbeat is sent by a second worker while alerts cannot be sent', async t => {
  const { openOther, start } = await openFailing(t)
  const { missed, requests } = await start({ store: await openOther() })
  await eventually(() => missed.length >= 2)
  assert.deepEqual([missed[0], requests.length], ['alerts cannot be sent', 0])
})

test('heartbeats go on when an alert arrives, whichever process sends it', async t => {
  const { start, scene, advance } = await openFailing(t)
  await advance(24 * MINUTE)
  const { missed, requests } = await start()
  await eventually(() => missed.length >= 1)
  assert.deepEqual([missed[0], requests.length], ['alerts cannot be sent', 0])
  for (const message of await scene.claim('other')) await scene.settle(message, 'sent', 'other')
  await eventually(() => requests.length >= 1)
})

test('heartbeats go on when what could not be sent is deleted', async t => {
  const { store, clock, start, channelId } = await openFailing(t)
  const { missed, requests } = await start()
  await eventually(() => missed.length >= 1)
  assert.deepEqual([missed[0], requests.length], ['alerts cannot be sent', 0])
  await store.channels.delete(channelId, clock.now())
  await eventually(() => requests.length >= 1)
})

test('no heartbeat is sent while the database is unavailable', async t => {
  const { store, missed } = await startHeartbeat(t)
  await store.close()
  await eventually(() => missed.length >= 1)
})

test('no heartbeat is sent while pings cannot reach this installation', async t => {
  const { missed, requests } = await startHeartbeat(t, { pingTrouble: () => 'pings cannot reach it' })
  await eventually(() => missed.length >= 1)
  assert.deepEqual([missed[0], requests.length], ['pings cannot reach it', 0])
})

test('no heartbeat is sent while alerts wait for a row that cannot be written', async t => {
  const { missed, requests } = await startHeartbeat(t, { setAside: () => 1 })
  await eventually(() => missed.length >= 1)
  assert.deepEqual(
    [missed[0], requests.length],
    ['a row that alerts, e-mails or a deletion need cannot be written or read', 0],
  )
})
