/** What a process says of the pings that it takes, and what silence is noticed then. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { declareDown } from '../../src/actions/alerts/declare-down.js'
import { PingQueue } from '../../src/actions/pings/record-pings.js'
import type { Outage } from '../../src/core/instance/outage.js'
import { beatJob } from '../../src/jobs/beat.js'
import { Changes } from '../../src/lib/changes.js'
import { eventually } from '../_support/eventually.js'
import { StoreHarness } from '../_support/worlds/store-harness.js'
import { wrapStore } from '../_support/wrap-store.js'

const S = 1_000

/** A process that takes pings and watches, on a store whose methods can be made to fail, with a check that is up. */
async function openProcess(t: TestContext, { killedBefore = false } = {}) {
  const scene = await StoreHarness.open(t)
  const broken = new Set<string>()
  /** The writes of pings and beats that have ended. */
  const written: string[] = []
  let declared = 0
  const store = wrapStore(scene.store, (name, method) => async (...args) => {
    if (broken.has(name)) throw Object.assign(new Error('the disk is full'), { code: '53100' })
    const result = await method(...args)
    if (name === 'pings.record' || name === 'instance.beat') written.push(name)
    if (name === 'alerts.declareDown') declared += (result as { declared: number }).declared
    return result
  })
  const clock = { now: () => scene.now }
  const changes = new Changes()
  const pings = new PingQueue(store, changes, assert.fail, undefined, clock)
  const outages: Outage[] = []
  const onOutage = (outage: Outage) => outages.push(outage)
  const failures: unknown[] = []
  const onError = (error: unknown) => failures.push(error)
  const job = beatJob({ store, pings, changes, clock, process: 'me', watches: true, onOutage, onError })
  await pings.record(scene.arrived('backup'))
  const deadline = (await scene.store.alerts.nextWake())!
  scene.now = deadline - 10 * S
  if (killedBefore) await scene.store.instance.beat('killed', scene.now - S)
  await job.start()
  t.after(() => job.stop())
  const own = { process: 'me', pings }
  return {
    scene,
    broken,
    failures,
    outages,
    deadline,
    pings,
    written,
    dueBeat: () => changes.emit('trouble', {}),
    ping: () => pings.record(scene.arrived('backup')),
    /** Looks for silence at `until`, and every two seconds before; returns how many checks are down then. */
    async watch(until: number) {
      do {
        scene.now = Math.min(until, scene.now + 2 * S)
        pings.hearing.missed.awake(scene.now)
        await declareDown({ store, own, clock, onBug: assert.fail })
      } while (scene.now < until)
      return declared
    },
  }
}

test('a deadline in normal operation is judged at once', async t => {
  const { deadline, watch } = await openProcess(t)
  assert.equal(await watch(deadline - 1), 0)
  assert.equal(await watch(deadline), 1)
})

test('a ping that reached the process is on disk before a beat says that it was heard', async t => {
  const { written, dueBeat, ping } = await openProcess(t)
  const before = written.length
  // After a freeze timers come first, and requests that have arrived in the meantime are read in the next turn.
  dueBeat()
  await setImmediate()
  await ping()
  await eventually(() => written.slice(before).includes('instance.beat'))
  assert.deepEqual(written.slice(before), ['pings.record', 'instance.beat'])
})

test('a refused ping holds later deadlines until it is stored, plus 30 seconds', async t => {
  const { scene, broken, outages, deadline, ping, watch } = await openProcess(t)
  await watch(deadline - S)
  broken.add('pings.record').add('pings.probe')
  const arrivedAt = scene.now
  await assert.rejects(ping())
  assert.equal(await watch(deadline + 40 * S), 0, 'while pings fail')
  assert.notEqual((await scene.store.instance.state(scene.now)).heldUntil, null, 'pages know it')
  broken.clear()
  await eventually(() => outages[0])
  assert.deepEqual([outages.length, outages[0]!.startedAt], [1, arrivedAt])
  const { endedAt, holdUntil } = outages[0]!
  assert.ok(endedAt >= deadline + 40 * S && holdUntil > endedAt + 40 * S)
  assert.equal(await watch(holdUntil - 1), 0)
  assert.equal(await watch(holdUntil), 1)
})

test('a deadline before a refused ping is alerted while pings fail', async t => {
  const { scene, broken, deadline, ping, watch } = await openProcess(t)
  await watch(deadline - 1)
  broken.add('pings.record').add('pings.probe')
  scene.now = deadline + 1
  await assert.rejects(ping())
  assert.equal(await watch(deadline + S), 1)
})

test('while beats fail, deadlines wait, and the outage is stored', async t => {
  const { scene, broken, failures, outages, deadline, watch } = await openProcess(t)
  broken.add('instance.beat')
  await watch(deadline - 4 * S)
  await eventually(() => failures.length > 0)
  assert.equal(await watch(deadline + S), 0)
  broken.clear()
  await eventually(() => outages[0])
  assert.deepEqual([outages[0]!.startedAt, outages[0]!.endedAt], [deadline - 4 * S, scene.now])
})

test('after a kill, deadlines wait until the outage is known, and for its hold', async t => {
  const { scene, outages, deadline, watch } = await openProcess(t, { killedBefore: true })
  const startedAt = scene.now
  assert.equal(outages.length, 0)
  assert.equal(await watch(deadline + S), 0)
  await eventually(() => outages[0])
  assert.deepEqual([outages[0]!.startedAt, outages[0]!.endedAt], [startedAt - S, startedAt])
})

test('refused pings of a part of the checks hold no others, until the part is reached', async t => {
  const { scene, broken, outages, deadline, pings, watch } = await openProcess(t)
  // No check has such a hash.
  const part = '5:4'
  await watch(deadline - S)
  broken.add('pings.probe')
  pings.hearing.failed(scene.now, part)
  assert.equal(await watch(deadline + S), 1)
  assert.deepEqual([outages, pings.hearing.missed.failingParts], [[], [part]])
  broken.clear()
  await eventually(() => outages[0])
  assert.equal(outages[0]!.part, part)
  assert.deepEqual(pings.hearing.behind(), {})
})
