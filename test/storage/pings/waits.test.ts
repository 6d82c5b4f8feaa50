/** Runs of jobs that waited for the answers to their pings, in the store. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import type { ArrivedPing } from '../../../src/core/pings/arrived-ping.js'
import { Changes } from '../../../src/lib/changes.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { eventually } from '../../_support/eventually.js'
import { pingStore } from '../../_support/ping-store.js'
import { recordPings } from '../../_support/record-pings.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const WAIT = { waitedMs: 7_000 }

for (const [name, changes, limitMs] of [
  ['a limit', { maxDurationSeconds: 5 }, 5_000],
  ['the defaults', { graceSeconds: 60 }, 60_000],
] as const)
  for (const isApart of [false, true])
    test(`a run with ${name} counts from our answer${isApart ? ', recorded later' : ''}`, async t => {
      const { scene, uuid, facts, down } = await openWorld(t, changes)
      const start = arrivedPing({ uuid }, scene.now, { action: 'start' })
      if (isApart) {
        await record(scene, start)
        await record(scene, { ...start, ...WAIT, isRecorded: true })
      } else await record(scene, { ...start, ...WAIT })
      const limitAt = scene.now + 7_000 + limitMs
      const { check } = await facts()
      assert.deepEqual([check.nPings, check.lastStart, check.alertAfter], [2, scene.now, limitAt])
      assert.equal(await down(limitAt - 1), 0)
      const end = arrivedPing({ uuid }, limitAt - 1)
      await record(scene, end)
      const { check: ended } = await facts()
      assert.deepEqual([ended.status, ended.lastDurationMs, ended.nPings], ['up', limitAt - 1 - scene.now, 3])
    })

test('a run that takes too long all the same is an overrun', async t => {
  const { scene, uuid, down } = await openWorld(t, { maxDurationSeconds: 5 })
  await record(scene, arrivedPing({ uuid }, scene.now, { action: 'start', ...WAIT }))
  assert.equal(await down(scene.now + 12_000), 1)
})

test('a wait is recorded with pings of other checks, and with the success of its own', async t => {
  const { scene, uuid, facts } = await openWorld(t, { maxDurationSeconds: 5 })
  const start = arrivedPing({ uuid }, scene.now, { action: 'start' })
  await record(scene, start)
  const success = arrivedPing({ uuid }, scene.now + 8_000)
  await scene.ping('other')
  const batch = [{ ...start, ...WAIT, isRecorded: true as const }, scene.arrived('other'), success]
  assert.deepEqual((await recordPings(scene.store, batch)).outcomes, ['ok', 'ok', 'ok'])
  const { check } = await facts()
  assert.deepEqual([check.status, check.nPings, check.tracking], ['up', 3, null])
  assert.deepEqual((await recordPings(scene.store, batch.slice(0, 2))).outcomes, ['ok', 'ok'])
  assert.equal((await facts()).check.nPings, 3)
})

test('a run counts from our answer where a slow database made its start wait', async t => {
  const { scene, uuid, facts } = await openWorld(t, { maxDurationSeconds: 5 })
  let [ms, times] = [700, 0]
  const slow = async (...given: Parameters<typeof scene.store.pings.record>) => {
    times++
    const recorded = await scene.store.pings.record(...given)
    await sleep(ms)
    ms = 0
    return recorded
  }
  const queue = new PingQueue(pingStore(slow), new Changes(), assert.fail, undefined, {
    now: () => scene.now,
  })
  await queue.record(arrivedPing({ uuid }, scene.now, { action: 'start' }))
  await eventually(() => times === 2 && queue.length === 0)
  await queue.settled()
  const { check } = await facts()
  const lateMs = check.alertAfter! - scene.now - 5_000
  assert.ok(lateMs >= 700 && lateMs <= 8_000, `${lateMs} ms`)
  assert.equal(check.nPings, 2)
})

test('a run counts from our answer where its start was refused but is on record', async t => {
  const { scene, uuid, facts, down } = await openWorld(t, { maxDurationSeconds: 5 })
  let isLost = true
  const lossy = async (...given: Parameters<typeof scene.store.pings.record>) => {
    const recorded = await scene.store.pings.record(...given)
    if (!isLost) return recorded
    await sleep(700)
    throw Object.assign(new Error('time out'), { code: 'GONE', timedOut: true })
  }
  const changes = new Changes()
  const queue = new PingQueue(pingStore(lossy), changes, assert.fail, undefined, { now: () => scene.now })
  await assert.rejects(queue.record(arrivedPing({ uuid }, scene.now, { action: 'start' })))
  assert.equal((await facts()).check.alertAfter, scene.now + 5_000)
  isLost = false
  if (queue.hearing.missed.committed(scene.now)) changes.emit('trouble', {})
  await queue.settled()
  const { check } = await facts()
  const lateMs = check.alertAfter! - scene.now - 5_000
  assert.ok(lateMs >= 700 && lateMs <= 8_000, `${lateMs} ms`)
  assert.deepEqual([check.nPings, check.lastStart], [2, scene.now])
  assert.equal(await down(check.alertAfter! - 1), 0)
})

async function record({ store }: StoreHarness, ping: ArrivedPing): Promise<void> {
  assert.deepEqual((await recordPings(store, [ping])).outcomes, ['ok'])
}

/** A check of a daily job that has been pinged. */
async function openWorld(t: TestContext, changes: Record<string, number>) {
  const scene = await StoreHarness.open(t)
  const settings = { name: 'job', slug: 'job', periodSeconds: 86_400, ...changes }
  const { check } = await scene.store.checks.create(scene.projectId, {
    changes: settings,
    unique: null,
    now: 1,
  })
  await record(scene, arrivedPing({ uuid: check.uuid }, scene.now))
  scene.now += 1_000
  const facts = () => scene.store.checks.facts(scene.projectId, check.uuid, scene.now)
  const down = async (now: number) => {
    await scene.store.instance.beat('web', now)
    return (await scene.store.alerts.declareDown(now, 100)).declared
  }
  return { scene, uuid: check.uuid, facts, down }
}
