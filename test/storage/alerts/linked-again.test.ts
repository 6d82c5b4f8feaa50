/** A channel that is taken off a check and linked again, as by an undo, hears of what waited for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PolicyHarness } from '../../_support/worlds/policy-harness.js'

const MINUTE = 60_000

/** Takes Chat off the check, and links it again after 5 seconds. */
async function unlinkAndLink(world: PolicyHarness): Promise<void> {
  const { scene, store, chat, check } = world
  const names = { checks: [check], channel: chat.uuid }
  await store.channels.switchForChecks(scene.projectId, names, false, scene.now)
  assert.deepEqual(await world.sent(), [])
  scene.now += 5_000
  await store.channels.switchForChecks(scene.projectId, names, true, scene.now)
}

test('an alert that waited is sent after all, and so is the recovery', async t => {
  const world = await PolicyHarness.open(t)
  await world.scene.ping('backup', 'fail')
  await unlinkAndLink(world)
  assert.deepEqual(await world.sent(), ['Chat down'])
  assert.deepEqual(await world.minutes(30), [])
  await world.scene.ping('backup')
  assert.deepEqual(await world.sent(), ['Chat up'])
})

test('an alert that had failed is sent after all', async t => {
  const world = await PolicyHarness.open(t)
  await world.scene.ping('backup', 'fail')
  const [message] = await world.scene.claim()
  const retryAt = world.scene.now + MINUTE
  await world.scene.settle(message!, { type: 'retry', error: 'HTTP 503', retryAt })
  await unlinkAndLink(world)
  assert.deepEqual(
    (await world.minutes(5)).map(line => line.replace(/^\d+: /, '')),
    ['Chat down'],
  )
})

test('twice, and nothing is sent twice', async t => {
  const world = await PolicyHarness.open(t)
  await world.scene.ping('backup', 'fail')
  await unlinkAndLink(world)
  await unlinkAndLink(world)
  assert.deepEqual(await world.sent(), ['Chat down'])
  await unlinkAndLink(world)
  assert.deepEqual(await world.minutes(10), [])
})

test('nothing is owed of an incident that is over', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store, chat, check } = world
  const names = { checks: [check], channel: chat.uuid }
  await scene.ping('backup', 'fail')
  await store.channels.switchForChecks(scene.projectId, names, false, scene.now)
  await scene.ping('backup')
  await store.channels.switchForChecks(scene.projectId, names, true, scene.now)
  assert.deepEqual(await world.minutes(10), [])
})
