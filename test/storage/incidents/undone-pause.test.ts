/** A pause that is undone leaves the incident, its acknowledgement and what channels were sent as they were. Decision 0116. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { stateSteps, undoableUntil } from '../../../src/core/checks/undo.js'
import { PolicyHarness } from '../../_support/worlds/policy-harness.js'

const SECOND = 1_000
const MINUTE = 60_000
const INCIDENTS = { rules: { keepsOpen: true } }

class Scene {
  private constructor(readonly world: PolicyHarness) {}

  static async open(t: TestContext): Promise<Scene> {
    return new Scene(await PolicyHarness.open(t))
  }

  /** Pauses the check as a page does, and returns what undoes it. */
  async pause() {
    const { scene, check } = this.world
    const { store, projectId, now } = scene
    const written = await store.checks.pause(projectId, check, now, undoableUntil(now))
    const [step] = stateSteps(written)
    assert.equal(step!.did, 'state')
    return async () => {
      const { restored } = await store.checks.restoreStates(projectId, [step] as never, scene.now)
      assert.equal(restored, 1)
    }
  }

  async later(ms: number): Promise<void> {
    this.world.scene.now += ms
  }

  async incidents() {
    return await this.world.raw(
      'SELECT id, opened_at, closed_at, closed_by, flip_id, ack_by, ack_at FROM incidents ORDER BY id',
    )
  }
}

test('nobody hears of it, whatever a channel wants, and the incident stays acknowledged', async t => {
  for (const options of [{}, INCIDENTS]) {
    const scene = await Scene.open(t)
    const { world } = scene
    await world.scene.ping('backup', 'fail')
    assert.deepEqual(await world.sent(options), ['Chat down'])
    await world.acknowledge(null)
    const before = await scene.incidents()
    await scene.later(MINUTE)
    const undo = await scene.pause()
    assert.equal((await scene.incidents())[0]!.closed_by, 'paused')
    assert.deepEqual(await world.sent(options), [])
    await scene.later(9 * SECOND)
    assert.deepEqual(await world.sent(options), [])
    await undo()
    assert.deepEqual(await world.minutes(60), [])
    assert.deepEqual(await scene.incidents(), before)
    await world.scene.ping('backup')
    assert.deepEqual(await world.sent(options), ['Chat up'])
    assert.equal((await scene.incidents())[0]!.closed_by, 'recovery')
  }
})

test('a pause that is not undone ends the incident where it is kept open, after 15 seconds', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat down'])
  await scene.pause()
  await scene.later(14 * SECOND)
  assert.deepEqual(await world.sent(INCIDENTS), [])
  await scene.later(2 * SECOND)
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat paused'])
})

test('an alert that had not been sent when the check was paused is sent when that is undone', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  await world.scene.ping('backup', 'fail')
  const undo = await scene.pause()
  assert.deepEqual(await world.sent(), [])
  await scene.later(5 * SECOND)
  assert.deepEqual(await world.sent(), [])
  await undo()
  assert.deepEqual(await world.sent(), ['Chat down'])
  assert.deepEqual(await world.minutes(30), [])
})

test('an alert that failed is tried again after that', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  await world.scene.ping('backup', 'fail')
  const [message] = await world.scene.claim()
  await world.scene.settle(message!, { type: 'retry', error: 'HTTP 503', retryAt: world.scene.now + 60_000 })
  const undo = await scene.pause()
  await scene.later(9 * SECOND)
  await undo()
  assert.deepEqual(
    (await world.minutes(10)).map(line => line.replace(/^\d+: /, '')),
    ['Chat down'],
  )
})

test('an alert under way when the check was paused counts as sent', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  await world.scene.ping('backup', 'fail')
  const [message] = await world.scene.claim()
  const undo = await scene.pause()
  await scene.later(2 * SECOND)
  await world.scene.settle(message!, 'sent')
  await undo()
  assert.deepEqual(await world.minutes(30), [])
  await world.scene.ping('backup')
  assert.deepEqual(await world.sent(), ['Chat up'])
})

test('a channel that was sent the end meanwhile is alerted again', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat down'])
  const undo = await scene.pause()
  await world.raw(`UPDATE deliveries SET due_at = ${world.scene.now}`)
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat paused'])
  await undo()
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat down'])
  await world.scene.ping('backup')
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat up'])
})

test('a channel that was sent the end before the pause, when it was taken off, is not alerted again', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  const { store, projectId } = world.scene
  const names = { check: world.check, channel: world.chat.uuid }
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat down'])
  await scene.later(SECOND)
  await store.channels.switchForCheck(projectId, names, false, world.scene.now)
  assert.equal((await world.sent(INCIDENTS)).length, 1)
  await scene.later(SECOND)
  await store.channels.switchForCheck(projectId, names, true, world.scene.now)
  const undo = await scene.pause()
  await scene.later(SECOND)
  await undo()
  assert.deepEqual(await world.minutes(30, INCIDENTS), [])
})

test('the steps of a policy go on, and none is carried out twice', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  await world.usePolicy({ repeat: null })
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(5), ['0: Chat down'])
  const undo = await scene.pause()
  assert.deepEqual(await world.tick(), [])
  await scene.later(10 * SECOND)
  await undo()
  assert.deepEqual((await world.minutes(60)).length, 1)
  const again = await scene.pause()
  assert.deepEqual(await world.tick(), [])
  await again()
  assert.deepEqual(await world.minutes(60), [])
  await world.scene.ping('backup')
  assert.deepEqual(await world.sent(), ['Chat up', 'Phone up'])
})

test('a channel that a step reached, and that was sent the end meanwhile, is alerted again too', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  await world.usePolicy({ repeat: null })
  await world.scene.ping('backup', 'fail')
  assert.deepEqual((await world.minutes(20, INCIDENTS)).length, 2)
  const undo = await scene.pause()
  await world.raw(`UPDATE deliveries SET due_at = ${world.scene.now}`)
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat paused', 'Phone paused'])
  await undo()
  assert.deepEqual(await world.tick(INCIDENTS), ['Chat down', 'Phone down'])
  await world.scene.ping('backup')
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat up', 'Phone up'])
})

test('a resume after the pause, then both undone, leaves the incident as it was', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  const { store, projectId } = world.scene
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(INCIDENTS), ['Chat down'])
  const undoPause = await scene.pause()
  await scene.later(SECOND)
  const resumed = await store.checks.resume(projectId, world.check, world.scene.now)
  await scene.later(SECOND)
  const [step] = stateSteps(resumed)
  await store.checks.restoreStates(projectId, [step] as never, world.scene.now)
  await undoPause()
  assert.deepEqual(await world.minutes(30), [])
  assert.deepEqual(
    (await scene.incidents()).map(({ closed_at }) => closed_at),
    [null],
  )
})

test('the timeline of the incident says that the pause was undone', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  await world.scene.ping('backup', 'fail')
  await world.sent()
  const undo = await scene.pause()
  await undo()
  const rows = await world.raw(`SELECT kind, text FROM incident_events`)
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['note'],
  )
  assert.match(String(rows[0]!.text), /^Paused at 12:00:00 UTC; the pause was undone\.$/)
  const events = await world.raw(`SELECT type FROM events WHERE type LIKE 'incident.%' ORDER BY id`)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['incident.opened', 'incident.closed', 'incident.reopened'],
  )
})

test('later nobody is alerted again when an integration is saved or enabled', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  const { store } = world
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(), ['Chat down'])
  const undo = await scene.pause()
  await scene.later(5 * SECOND)
  await undo()
  await scene.later(MINUTE)
  await store.channels.setEnabled(world.chat.id, false, world.scene.now)
  await store.channels.setEnabled(world.chat.id, true, world.scene.now)
  assert.deepEqual(await world.minutes(5), [])
})

test('nor if that happens between the pause and its undo', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  const { store } = world
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(), ['Chat down'])
  const undo = await scene.pause()
  await scene.later(3 * SECOND)
  await store.channels.setEnabled(world.chat.id, false, world.scene.now)
  await store.channels.setEnabled(world.chat.id, true, world.scene.now)
  assert.deepEqual(await world.sent(), [])
  await scene.later(3 * SECOND)
  await undo()
  assert.deepEqual(await world.minutes(30), [])
  await world.scene.ping('backup')
  assert.deepEqual(await world.sent(), ['Chat up'])
})

test('a policy that was created meanwhile alerts its channels, and nobody twice', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(), ['Chat down'])
  const undo = await scene.pause()
  await scene.later(3 * SECOND)
  await world.usePolicy({ repeat: null })
  await scene.later(3 * SECOND)
  await undo()
  assert.deepEqual(
    (await world.minutes(60)).map(line => line.replace(/^\d+: /, '')),
    ['Phone down'],
  )
})

test('a channel linked meanwhile hears of the incident only as without the pause', async t => {
  const scene = await Scene.open(t)
  const { world } = scene
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(), ['Chat down'])
  const undo = await scene.pause()
  const { projectId, now } = world.scene
  await world.store.channels.assign({ id: world.phone.id, projectId, checks: [world.check], now })
  await undo()
  assert.deepEqual(await world.minutes(30), [])
})
