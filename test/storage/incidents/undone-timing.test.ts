/** A pause that can be undone releases and delays nothing that an undo could not put back. Decision 0116. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { stateSteps, undoableUntil } from '../../../src/core/checks/undo.js'
import { PolicyHarness } from '../../_support/worlds/policy-harness.js'

const SECOND = 1_000
const MINUTE = 60_000

/** `backup` depends on `router`, which is down, and is down too: its alert is held. */
async function openHeld(t: TestContext) {
  const world = await PolicyHarness.open(t)
  const { scene, store } = world
  await scene.ping('router')
  const router = (await scene.checkUuids()).find(uuid => uuid !== world.check)!
  await store.checks.update(scene.projectId, world.check, { changes: {}, parents: [router], now: scene.now })
  const linked = { projectId: scene.projectId, now: scene.now }
  await store.channels.assign({ ...linked, id: world.chat.id, checks: [world.check] })
  await store.channels.assign({ ...linked, id: world.phone.id, checks: [] })
  await scene.ping('router', 'fail')
  scene.now += MINUTE
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(), [])
  return { world, router }
}

async function pause(world: PolicyHarness, check: string) {
  const { scene, store } = world
  const written = await store.checks.pause(scene.projectId, check, scene.now, undoableUntil(scene.now))
  const [step] = stateSteps(written)
  return async () => {
    const { restored } = await store.checks.restoreStates(scene.projectId, [step] as never, scene.now)
    assert.equal(restored, 1)
  }
}

async function released(world: PolicyHarness): Promise<string[]> {
  await world.scene.releaseDependants()
  return await world.sent()
}

test('dependants of a paused check stay held until that can no longer be undone', async t => {
  const { world, router } = await openHeld(t)
  const { scene } = world
  await pause(world, router)
  assert.deepEqual(await released(world), [])
  scene.now += 14 * SECOND
  assert.deepEqual(await released(world), [])
  scene.now += 2 * SECOND
  assert.deepEqual(await released(world), ['Chat down'])
})

test('after an undo they stay held until the check is up', async t => {
  const { world, router } = await openHeld(t)
  const { scene } = world
  const undo = await pause(world, router)
  scene.now += 9 * SECOND
  assert.deepEqual(await released(world), [])
  await undo()
  scene.now += 20 * MINUTE
  assert.deepEqual(await released(world), [])
  await scene.ping('router')
  scene.now += 16 * MINUTE
  assert.deepEqual(await released(world), ['Chat down'])
})

test('a pause by a program releases them at once', async t => {
  const { world, router } = await openHeld(t)
  const { scene, store } = world
  await store.checks.pause(scene.projectId, router, scene.now)
  assert.deepEqual(await released(world), ['Chat down'])
})

test('a check that goes down while that can be undone is held too', async t => {
  const { world, router } = await openHeld(t)
  const { scene } = world
  await scene.ping('backup')
  assert.deepEqual(await world.sent(), [])
  scene.now += 30 * MINUTE
  await pause(world, router)
  scene.now += 5 * SECOND
  await scene.ping('backup', 'fail')
  assert.deepEqual(await released(world), [])
  scene.now += 11 * SECOND
  assert.deepEqual(await released(world), ['Chat down'])
})

test('an alert that waits because its receiver asked for it still does after an undo', async t => {
  const world = await PolicyHarness.open(t)
  const { scene } = world
  await scene.ping('backup', 'fail')
  const [message] = await scene.claim()
  const retryAt = scene.now + 12 * SECOND
  await scene.settle(message!, { type: 'retry', error: 'HTTP 429', retryAt })
  const undo = await pause(world, world.check)
  scene.now += 3 * SECOND
  await undo()
  assert.deepEqual(await world.sent(), [])
  scene.now = retryAt
  assert.deepEqual(await world.sent(), ['Chat down'])
})

test('an alert that an integration missed while it was disabled is sent after an undo, if it was enabled meanwhile', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store, chat } = world
  await store.channels.setEnabled(chat.id, false, scene.now)
  await scene.ping('backup', 'fail')
  for (const isUndone of [false, true]) {
    const undo = await pause(world, world.check)
    scene.now += 3 * SECOND
    await store.channels.setEnabled(chat.id, true, scene.now)
    assert.deepEqual(await world.sent(), [])
    if (isUndone) {
      await undo()
      assert.deepEqual(await world.sent(), ['Chat down'])
    } else {
      scene.now += 13 * SECOND
      assert.deepEqual(await world.sent(), [])
      await store.channels.setEnabled(chat.id, false, scene.now)
      await scene.ping('backup', 'fail')
    }
  }
})
