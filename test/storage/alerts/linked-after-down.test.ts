/** What a channel last learned of a check decides what it is sent when it is linked to the check again: decision 0110. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sendAll } from '../../_support/send-all.js'
import { PolicyHarness } from '../../_support/worlds/policy-harness.js'

const MINUTE = 60_000
const DAY = 86_400_000
const AWAY = { type: 'retry' as const, error: 'HTTP 503' }

/** The channels that keep nothing open, and those that keep incidents open. */
const CHAT = { rules: { grouped: true } }
const INCIDENTS = { rules: { keepsOpen: true } }

/** Chat was sent that the check is down. */
async function toldDown(t: TestContext, options: object): Promise<PolicyHarness> {
  const world = await PolicyHarness.open(t)
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.sent(options), ['Chat down'])
  return world
}

/** Links Chat to the check, or takes it off. */
async function link({ scene, store, chat, check }: PolicyHarness, on: boolean): Promise<void> {
  await store.channels.switchForCheck(scene.projectId, { check, channel: chat.uuid }, on, scene.now)
}

/** The receiver refuses what is sent now, for `ms`. */
async function refuse({ scene }: PolicyHarness, options: object, ms = 10 * MINUTE): Promise<number> {
  const messages = await scene.claim('me', options)
  for (const message of messages) await scene.settle(message, { ...AWAY, retryAt: scene.now + ms })
  return messages.length
}

for (const options of [CHAT, INCIDENTS]) {
  const kind = options === CHAT ? 'keeps nothing open' : 'keeps incidents open'

  test(`a recovery that waits when a channel that ${kind} is taken off comes once it is linked again`, async t => {
    const world = await toldDown(t, options)
    await world.scene.ping('backup')
    assert.equal(await refuse(world, options), 1)
    await link(world, false)
    world.scene.now += MINUTE
    await refuse(world, options)
    await link(world, true)
    world.scene.now += DAY
    assert.deepEqual(await sendAll(world.scene, options), ['backup up'])
    assert.deepEqual(await world.minutes(30, options), [])
    assert.deepEqual(await world.raw('SELECT * FROM reported'), [])
    await world.scene.ping('backup', 'fail')
    assert.deepEqual(await world.sent(options), ['Chat down'])
  })

  test(`so it is if it is linked again at once, and ${kind}`, async t => {
    const world = await toldDown(t, options)
    await world.scene.ping('backup')
    assert.equal(await refuse(world, options), 1)
    await link(world, false)
    await link(world, true)
    assert.deepEqual(await sendAll(world.scene, options), ['backup up'])
    assert.deepEqual(await world.minutes(30, options), [])
  })
}

test('a channel taken off and linked again while the check is down is told that it is up', async t => {
  const world = await toldDown(t, CHAT)
  await link(world, false)
  assert.deepEqual(await world.minutes(60, CHAT), [])
  await link(world, true)
  assert.deepEqual(await world.minutes(60, CHAT), [], 'it knows that the check is down')
  await world.scene.ping('backup')
  assert.deepEqual(await world.sent(CHAT), ['Chat up'])
  assert.deepEqual(await world.minutes(30, CHAT), [])
})

test('a check that came up while a channel was taken off is told to be up once it is linked again', async t => {
  const world = await toldDown(t, CHAT)
  await link(world, false)
  assert.deepEqual(await world.sent(CHAT), [])
  await world.scene.ping('backup')
  assert.deepEqual(await world.minutes(60, CHAT), [], 'it is not linked')
  await link(world, true)
  assert.deepEqual(await world.sent(CHAT), ['Chat up'])
  assert.deepEqual(await world.minutes(30, CHAT), [])
})

test('one that was down again by then is sent as down, and its recovery', async t => {
  const world = await toldDown(t, CHAT)
  await link(world, false)
  assert.deepEqual(await world.sent(CHAT), [])
  await world.scene.ping('backup')
  await world.scene.ping('backup', 'fail')
  await link(world, true)
  assert.deepEqual(await world.sent(CHAT), ['Chat down'])
  await world.scene.ping('backup')
  assert.deepEqual(await world.sent(CHAT), ['Chat up'])
})

test('nothing is said of a check that was paused while the channel was taken off', async t => {
  const world = await toldDown(t, CHAT)
  const { scene, store, check } = world
  await link(world, false)
  assert.deepEqual(await world.sent(CHAT), [])
  await store.checks.pause(scene.projectId, check, scene.now)
  await link(world, true)
  assert.deepEqual(await world.minutes(5, CHAT), [])
  assert.deepEqual(await world.raw('SELECT * FROM reported'), [])
})

test('a channel that wants no recoveries is owed nothing', async t => {
  const options = { rules: { grouped: true, up: false } }
  const world = await toldDown(t, options)
  await link(world, false)
  assert.deepEqual(await world.sent(options), [])
  assert.deepEqual(await world.raw('SELECT * FROM deliveries'), [])
  assert.deepEqual(await world.raw('SELECT * FROM reported'), [])
})

test('a group that is enabled again tells its members the recovery, and not once more what they know', async t => {
  const world = await toldDown(t, CHAT)
  const { scene, store, chat } = world
  const group = await scene.addChannel('Group', {}, [chat.uuid])
  await link(world, false)
  assert.deepEqual(await world.minutes(5, CHAT), [], 'the group links it')
  for (const recovers of [false, true]) {
    await store.channels.setEnabled(group.id, false, scene.now)
    assert.deepEqual(await world.minutes(5, CHAT), [])
    if (recovers) await scene.ping('backup')
    await store.channels.setEnabled(group.id, true, scene.now)
    assert.deepEqual(await world.sent(CHAT), recovers ? ['Chat up'] : [])
  }
})

test('nothing waits for a link to a check that was deleted', async t => {
  const world = await toldDown(t, CHAT)
  const { scene, store, check } = world
  await link(world, false)
  assert.deepEqual(await world.sent(CHAT), [])
  await store.checks.delete(scene.projectId, check, scene.now)
  assert.deepEqual(await world.minutes(5, CHAT), [])
  assert.deepEqual(await world.raw('SELECT * FROM deliveries'), [])
})

test('what waits for a link is not shown as an alert that waits', async t => {
  const world = await toldDown(t, CHAT)
  const { scene, store, chat, check } = world
  await link(world, false)
  assert.deepEqual(await world.sent(CHAT), [])
  const { channels } = await store.incidents.explain(scene.projectId, { uuid: check }, scene.now)
  assert.deepEqual(
    channels.flatMap(({ waiting }) => waiting),
    [],
  )
  assert.deepEqual((await store.channels.log(chat.id, 9)).waiting, [])
})

test('a step of a policy that names a channel which was taken off sends the next incident', async t => {
  const world = await toldDown(t, CHAT)
  const { scene, chat } = world
  await link(world, false)
  assert.deepEqual(await world.sent(CHAT), [])
  await scene.ping('backup')
  await world.usePolicy({ steps: [{ after: 900, channels: [chat.uuid] }], repeat: null })
  await scene.ping('backup', 'fail')
  const sent = await world.minutes(30, CHAT)
  await scene.ping('backup')
  assert.deepEqual([sent, await world.tick(CHAT)], [['15: Chat down'], ['Chat up']])
})
