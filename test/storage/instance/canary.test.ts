/** What the store makes of the canary: outages, and deadlines that wait for their end. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { flipsOf } from '../../../src/actions/alerts/send-message.js'
import { afterRequest, type CanaryRun, NEW_RUN } from '../../../src/core/instance/canary.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const S = 1_000
const M = 60 * S

/** A check that is up, half an hour before its deadline, and a process that takes pings. */
async function openCanary(t: TestContext) {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  const deadline = (await scene.store.alerts.nextWake())!
  scene.now = deadline - 30 * M
  await scene.store.instance.beat('me', scene.now)
  const runs = new Map<string, CanaryRun>()
  return {
    scene,
    deadline,
    /** The canary of a process sends a request; the clock is a minute later then. */
    async request(succeeded: boolean, process = 'me') {
      const run = afterRequest(runs.get(process) ?? NEW_RUN, scene.now, succeeded)
      runs.set(process, run)
      const { change } = await scene.store.instance.noteCanary(run, scene.now)
      scene.now += M
      return change
    },
    /** How many checks the watcher declares down now. */
    async watch() {
      await scene.store.instance.beat('me', scene.now)
      return (await scene.store.alerts.declareDown(scene.now, 100)).declared
    },
  }
}

test('deadlines are held while pings cannot reach Punctual, and for a hold afterwards', async t => {
  const { scene, deadline, request, watch } = await openCanary(t)
  scene.now = deadline - 4 * M - S
  await request(true)
  const changes = [await request(false), await request(false), await request(false), await request(false)]
  assert.deepEqual(changes, [null, null, 'unreachable', null])
  scene.now = deadline + 5 * S
  assert.equal(await watch(), 0)
  assert.equal((await scene.store.instance.state(scene.now)).outages, 1)
  assert.equal(await request(true), 'reachable')
  assert.equal(await watch(), 0)
  assert.equal((await scene.store.instance.state(scene.now)).outages, 1)
  scene.now += 5 * M
  assert.equal(await watch(), 1)
})

test('a ping of any check ends the outage', async t => {
  const { scene, request } = await openCanary(t)
  for (const succeeded of [true, false, false, false]) await request(succeeded)
  scene.now -= 10 * S
  await scene.ping('other')
  scene.now += 10 * S
  assert.equal(await request(false), 'reachable')
  const { heldUntil } = await scene.store.instance.state(scene.now)
  assert.ok(heldUntil !== null && heldUntil > scene.now)
})

test('if pings arrive, failures of the canary hold nothing', async t => {
  const { scene, deadline, request, watch } = await openCanary(t)
  scene.now = deadline - 5 * M
  await request(true)
  for (let n = 0; n < 6; n++) {
    await scene.ping('other')
    assert.equal(await request(false), null)
  }
  assert.equal(await watch(), 1)
})

test('an alert waits at most ten minutes, even if pings stay unreachable', async t => {
  const { scene, deadline, request, watch } = await openCanary(t)
  scene.now = deadline - 3 * M - S
  for (const succeeded of [true, false, false, false]) await request(succeeded)
  const foundAt = scene.now - M
  let declared = 0
  while (scene.now < foundAt + 10 * M) {
    await request(false)
    scene.now -= S
    declared += await watch()
    scene.now += S
    if (scene.now < foundAt + 10 * M) assert.equal(declared, 0)
  }
  declared += await watch()
  assert.equal(declared, 1)
})

test('another process continues a found outage, and one of them reports its end', async t => {
  const { scene, request } = await openCanary(t)
  for (const succeeded of [true, false, false, false]) await request(succeeded, 'first')
  assert.equal(await request(false, 'started later'), null)
  assert.equal((await scene.store.instance.state(scene.now)).outages, 1)
  const changes = await Promise.all([request(true, 'first'), request(true, 'started later')])
  assert.deepEqual(changes.toSorted(), ['reachable', null].toSorted())
})

test('a single process that cannot reach the endpoint starts no outage', async t => {
  const { scene, request } = await openCanary(t)
  await request(true, 'cut off')
  for (let n = 0; n < 5; n++) {
    scene.now -= M
    await request(true, 'well')
    assert.equal(await request(false, 'cut off'), null)
  }
  assert.equal((await scene.store.instance.state(scene.now)).outages, 0)
})

test('an alert after all checks fell silent says since when', async t => {
  const { scene, deadline, watch } = await openCanary(t)
  await scene.addChannel('A')
  scene.now = deadline - 2 * 3_600 * S
  await scene.ping('other')
  const silentSince = scene.now
  scene.now = deadline
  assert.equal(await watch(), 1)
  const [message] = await scene.claim()
  const { checkId, flipId } = message!.parts[0]!
  assert.equal((await scene.store.alerts.facts(checkId!, flipId!))!.silentSince, silentSince)
  const digest = async () =>
    (await scene.store.alerts.digestFacts(scene.projectId, flipsOf(message!.parts))).lines[0]!
  assert.equal((await digest()).silentSince, silentSince)
  await scene.ping('other')
  assert.equal((await scene.store.alerts.facts(checkId!, flipId!))!.silentSince, null)
  assert.equal((await digest()).silentSince, null)
})
