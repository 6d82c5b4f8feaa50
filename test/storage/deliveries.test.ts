import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedDelivery } from '../../src/storage/deliveries.js'
import type { Settlement } from '../../src/storage/settle-delivery.js'
import { Scene } from '../_support/scene.js'

const settle = (scene: Scene, delivery: ClaimedDelivery, outcome: Settlement['outcome'], worker = 'me') =>
  scene.store.settleDelivery({
    worker,
    deliveryUuid: delivery.uuid,
    notificationUuid: delivery.notificationUuid,
    startedAt: scene.now,
    durationMs: 5,
    now: scene.now,
    outcome,
  })

const said = (claimed: ClaimedDelivery[]) =>
  claimed.map(({ channel, flip }) => `${channel.name} ${flip?.newStatus}`)

test('a failing ping makes one delivery for each enabled channel of its check', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.addChannel('B')
  await scene.ping('backup', 'fail')
  assert.deepEqual(said(await scene.claim()).sort(), ['A down', 'B down'])
})

test('a first success and the end of a pause make none', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.ping('backup')
  assert.deepEqual(await scene.claim(), [])
})

test('a group’s members hear once, however many ways lead to them, and disabled ones not at all', async t => {
  const scene = await Scene.open(t)
  const [a, b, c] = [await scene.addChannel('A'), await scene.addChannel('B'), await scene.addChannel('C')]
  await scene.addChannel('G', {}, [a.uuid, b.uuid])
  await scene.ping('backup', 'fail')
  for (const delivery of await scene.claim()) {
    const broken = delivery.channel.name === 'C'
    const notice = { type: 'notice' as const, title: 'C', text: '', url: '' }
    await settle(
      scene,
      delivery,
      broken ? { type: 'disable', error: 'gone', notice } : { type: 'sent', news: 'fall' },
    )
  }
  for (const delivery of await scene.claim()) await settle(scene, delivery, { type: 'sent', news: 'fall' })
  await scene.ping('backup', 'success')
  assert.deepEqual(said(await scene.claim()).sort(), ['A up', 'B up'])
  assert.ok(c.uuid)
})

test('of one check and channel only the oldest is claimed, and a newer change wakes it at once', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [down] = await scene.claim()
  await settle(scene, down!, { type: 'retry', error: 'no answer', dueAt: scene.now + 60_000 })
  assert.deepEqual(await scene.claim(), [])
  await scene.ping('backup', 'success')
  const [again, ...others] = await scene.claim()
  assert.equal(again!.uuid, down!.uuid, 'the idempotency key stays')
  assert.equal(again!.attempts, 1)
  assert.deepEqual(others, [])
  assert.deepEqual(
    again!.newer.map(({ status }) => status),
    ['up'],
  )
})

test('a superseded delivery leaves a note with the newer one', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  await scene.ping('backup', 'success')
  const [down] = await scene.claim()
  await settle(scene, down!, { type: 'superseded' })
  const [up] = await scene.claim()
  assert.equal(up!.flip!.newStatus, 'up')
  assert.equal(up!.superseded, 1)
})

test('different checks of one channel do not wait for each other', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.ping('one', 'fail')
  await scene.ping('two', 'fail')
  assert.equal((await scene.claim()).length, 2)
})

test('busy channels are left alone', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.addChannel('B')
  await scene.ping('one', 'fail')
  const [first] = (await scene.claim()).filter(({ channel }) => channel.name === 'A')
  await scene.ping('two', 'fail')
  assert.deepEqual(said(await scene.claim('me', [first!.channelId])), ['B down'])
})

test('what one has claimed another gets only when the lease has run out', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [mine] = await scene.claim('me')
  assert.deepEqual(await scene.claim('other'), [])
  scene.now += 9_000
  await scene.store.renewClaims('me', scene.now + 10_000)
  scene.now += 9_000
  assert.deepEqual(await scene.claim('other'), [])
  scene.now += 2_000
  const [theirs] = await scene.claim('other')
  assert.equal(theirs!.uuid, mine!.uuid)
  assert.equal(
    await settle(scene, mine!, { type: 'sent', news: 'fall' }),
    false,
    'the first one’s claim is lost',
  )
  assert.equal(await settle(scene, theirs!, { type: 'sent', news: 'fall' }, 'other'), true)
})

test('released claims are due at once', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  await scene.claim('me')
  await scene.store.releaseClaims('me', scene.now)
  assert.equal(await scene.store.nextDelivery(scene.now), scene.now)
  assert.equal((await scene.claim('other')).length, 1)
})

test('a permanent failure disables the channel and the project’s others hear of it', async t => {
  const scene = await Scene.open(t)
  const broken = await scene.addChannel('A')
  await scene.addChannel('B')
  await scene.ping('backup', 'fail')
  const claimed = await scene.claim()
  const notice = { type: 'notice' as const, title: 'A was disabled', text: '', url: '' }
  for (const delivery of claimed) {
    const isBroken = delivery.channel.name === 'A'
    await settle(
      scene,
      delivery,
      isBroken ? { type: 'disable', error: 'gone', notice } : { type: 'sent', news: 'fall' },
    )
  }
  const [told, ...others] = await scene.claim()
  assert.deepEqual([told!.channel.name, told!.notice], ['B', notice])
  assert.deepEqual(others, [])
  const channel = await scene.store.findChannel(broken.uuid)
  assert.deepEqual([channel!.disabled, channel!.lastError], [true, 'gone'])
})

test('a channel shows when it was last used, for how long, and what was wrong', async t => {
  const scene = await Scene.open(t)
  const { uuid } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [first] = await scene.claim()
  await settle(scene, first!, { type: 'retry', error: 'no answer', dueAt: scene.now })
  const failed = await scene.store.findChannel(uuid)
  assert.deepEqual(
    [failed!.lastNotify, failed!.lastDurationMs, failed!.lastError],
    [scene.now, 5, 'no answer'],
  )
  const [second] = await scene.claim()
  await settle(scene, second!, { type: 'sent', news: 'fall' })
  assert.equal((await scene.store.findChannel(uuid))!.lastError, '')
})
