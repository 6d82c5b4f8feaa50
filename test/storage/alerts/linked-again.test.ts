/** A channel that is taken off a check and linked again, as by an undo, hears of what waited for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undoableUntil } from '../../../src/core/checks/undo.js'
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

const INCIDENTS = { rules: { keepsOpen: true } }

/** Takes Chat off the check as a page does, and returns what undoes it after some seconds. */
async function unlink(world: PolicyHarness) {
  const { scene, store, chat, check } = world
  const { projectId } = scene
  const userId = 1
  const names = { checks: [check], channel: chat.uuid }
  const madeAt = scene.now
  await store.channels.switchForChecks(projectId, names, false, madeAt, undoableUntil(madeAt))
  const step = { did: 'channel' as const, check, channel: chat.uuid, on: false }
  const kept = { projectId, userId, change: { steps: [step] }, now: madeAt }
  const { uuid } = await store.checks.keepUndo(kept)
  return async (seconds = 8) => {
    scene.now = madeAt + seconds * 1_000
    const { result } = await store.checks.undo({ uuid, projectIds: [projectId], userId, now: scene.now })
    assert.deepEqual([result!.undone, result!.of], [1, 1])
  }
}

/** The channels that learn only of failures and recoveries, and those that keep incidents open. */
const KINDS = [{}, INCIDENTS]

test('after an undo an alerted channel hears of the recovery, and of nothing before', async t => {
  for (const options of KINDS) {
    const world = await PolicyHarness.open(t)
    await world.scene.ping('backup', 'fail')
    assert.deepEqual(await world.sent(options), ['Chat down'])
    const undo = await unlink(world)
    world.scene.now += 5_000
    assert.deepEqual(await world.sent(options), [])
    await undo()
    assert.deepEqual(await world.minutes(30, options), [])
    await world.scene.ping('backup')
    assert.deepEqual(await world.sent(options), ['Chat up'])
  }
})

test('the end of its link is sent where incidents are kept open, if it is not undone', async t => {
  const world = await PolicyHarness.open(t)
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat down'])
  await unlink(world)
  world.scene.now += 14_000
  assert.deepEqual(await world.sent(INCIDENTS), [])
  world.scene.now += 2_000
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat up'])
  assert.deepEqual(await world.raw('SELECT * FROM reported'), [])
})

test('an alert that waited then is not sent if it is not undone, and its incident says so', async t => {
  const world = await PolicyHarness.open(t)
  await world.scene.ping('backup', 'fail')
  await unlink(world)
  assert.deepEqual(await world.minutes(5), [])
  assert.deepEqual(await world.raw('SELECT * FROM deliveries'), [])
  const events = await world.raw('SELECT kind, reason, text FROM incident_events')
  assert.deepEqual(events, [{ kind: 'dropped', reason: 'unlinked', text: 'down' }])
})

test('a recovery before the undo is sent after it', async t => {
  for (const options of KINDS) {
    const world = await PolicyHarness.open(t)
    await world.scene.ping('backup', 'fail')
    assert.deepEqual(await world.sent(options), ['Chat down'])
    const undo = await unlink(world)
    world.scene.now += 4_000
    await world.scene.ping('backup')
    assert.deepEqual(await world.sent(options), [])
    await undo()
    assert.deepEqual(await world.sent(options), ['Chat up'])
    assert.deepEqual(await world.minutes(5, options), [])
  }
})

test('a failure before the undo is alerted after it', async t => {
  const world = await PolicyHarness.open(t)
  const undo = await unlink(world)
  world.scene.now += 4_000
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(), [])
  await undo()
  assert.deepEqual(await world.sent(), ['Chat down'])
  await world.scene.ping('backup')
  assert.deepEqual(await world.sent(), ['Chat up'])
})

test('an alert that failed keeps its own time after the undo', async t => {
  const world = await PolicyHarness.open(t)
  const { scene } = world
  await scene.ping('backup', 'fail')
  const [message] = await scene.claim()
  const retryAt = scene.now + 12_000
  await scene.settle(message!, { type: 'retry', error: 'HTTP 429', retryAt })
  const undo = await unlink(world)
  await undo(3)
  assert.deepEqual(await world.sent(), [])
  scene.now = retryAt
  assert.deepEqual(await world.sent(), ['Chat down'])
})

test('a channel that was sent the end before the undo is alerted again', async t => {
  const world = await PolicyHarness.open(t)
  const { scene } = world
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat down'])
  const undo = await unlink(world)
  await world.raw(`UPDATE deliveries SET due_at = ${scene.now}`)
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat up'])
  await undo()
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat down'])
  await scene.ping('backup')
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat up'])
})

test('one for which the end was dropped before the undo still hears of the recovery', async t => {
  const world = await PolicyHarness.open(t)
  const { scene } = world
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(), ['Chat down'])
  const undo = await unlink(world)
  await world.raw(`UPDATE deliveries SET due_at = ${scene.now}`)
  assert.deepEqual(await world.sent(), [])
  await undo()
  assert.deepEqual(await world.minutes(5), [])
  await scene.ping('backup')
  assert.deepEqual(await world.sent(), ['Chat up'])
})

test('a channel that was linked during the incident is not alerted because it was taken off and that undone', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store, chat, check } = world
  const names = { checks: [check], channel: chat.uuid }
  await store.channels.switchForChecks(scene.projectId, names, false, scene.now)
  await scene.ping('backup', 'fail')
  scene.now += MINUTE
  await store.channels.switchForChecks(scene.projectId, names, true, scene.now)
  scene.now += MINUTE
  const undo = await unlink(world)
  await undo()
  assert.deepEqual(await world.minutes(5), [])
})
