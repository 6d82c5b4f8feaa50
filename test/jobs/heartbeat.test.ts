import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type HeartbeatDeps, heartbeatJob } from '../../src/jobs/heartbeat.js'
import { SendingHealth } from '../../src/jobs/sending-health.js'
import { anyAddress } from '../../src/lib/http/public-address.js'
import { createSafeFetch } from '../../src/lib/http/safe-fetch.js'
import { arrivedPing } from '../_support/arrived-ping.js'
import { FakeClock } from '../_support/clock.js'
import { eventually } from '../_support/eventually.js'
import { openRecorder } from '../_support/servers/recorder.js'
import { openFreshStore } from '../_support/worlds/store.js'

/** A heartbeat that looks every 20 ms, and what came of it. */
async function startHeartbeat(t: TestContext, more: Partial<HeartbeatDeps> = {}) {
  const { store, remove } = await openFreshStore()
  const clock = new FakeClock()
  await store.instance.beat('me', clock.now())
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
    sending: new SendingHealth(clock, () => {}),
    onMissed: reason => missed.push(reason),
    intervalMs: 20,
    ...more,
  })
  job.start()
  t.after(async () => {
    await job.stop()
    await remove()
  })
  return { store, clock, requests, missed }
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

test('no heartbeat is sent while alerts cannot be sent', async t => {
  const sending = new SendingHealth(new FakeClock(), () => {})
  sending.forgetOthers = () => {}
  sending.trouble = channels => (channels === 0 ? 'alerts cannot be sent' : null)
  const { missed } = await startHeartbeat(t, { sending })
  await eventually(() => missed.length >= 1)
  assert.equal(missed[0], 'alerts cannot be sent')
})

test('heartbeats go on when what could not be sent is deleted', async t => {
  const health = new FakeClock()
  const sending = new SendingHealth(health, () => {})
  const { store, clock, missed, requests } = await startHeartbeat(t, { sending })
  const { id } = await store.projects.create({ name: '', ownerId: null, pingKey: 'key', now: 1 })
  const channel = { projectId: id, name: '', kind: 'webhook', settings: {}, members: [], now: 1 }
  const { id: channelId, uuid } = await store.channels.create(channel)
  const target = { pingKey: 'key', slug: 'backup', create: true }
  await store.pings.record([arrivedPing(target, clock.now(), { action: 'fail' })])
  sending.noteDelivery(uuid, { outcome: 'retry', error: 'refused' })
  health.advance(301)
  await eventually(() => missed.length >= 2)
  assert.equal(missed.at(-1), 'alerts cannot be sent')
  await store.channels.delete(channelId, clock.now())
  const before = requests.length
  await eventually(() => requests.length > before)
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
