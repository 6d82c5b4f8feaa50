/** What the store remembers so that people are not told too much, and what a crash between two steps leaves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, type Told } from '../../src/core/noise.js'
import type { ClaimedDelivery } from '../../src/storage/deliveries.js'
import type { Settlement } from '../../src/storage/settle-delivery.js'
import { Scene } from '../_support/scene.js'

const MINUTE = 60_000

const settle = (scene: Scene, { uuid, notificationUuid }: ClaimedDelivery, outcome: Settlement['outcome']) =>
  scene.store.settleDelivery({
    worker: 'me',
    deliveryUuid: uuid,
    notificationUuid,
    startedAt: scene.now,
    durationMs: 5,
    now: scene.now,
    outcome,
  })

const slim = ({ uuid, notificationUuid }: ClaimedDelivery) => ({ uuid, notificationUuid })

const notice = { type: 'notice' as const, title: 'held', text: '', url: '' }

const slugOf = async (scene: Scene, deliveries: ClaimedDelivery[]) => {
  const { lines } = await scene.store.digestFacts(deliveries.map(({ flipId }) => flipId!))
  return lines.map(({ check }) => check.slug).sort()
}

test('the store counts messages as the rules do, on a clock that stumbles too', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  const none = { from: null, falls: 0, others: 0 }
  let told: Told = { minute: none, hour: none }
  const gaps = [
    0,
    1_000,
    59_000,
    1,
    20_000,
    90_000,
    -5_000,
    30 * MINUTE,
    29 * MINUTE,
    MINUTE,
    0,
    61 * MINUTE,
    7,
  ]
  for (const [index, gap] of gaps.entries()) {
    scene.now += gap
    await scene.ping(`c${index}`, 'fail')
    const [delivery] = await scene.claim()
    assert.deepEqual(delivery!.channel.told, told)
    const news = index % 3 === 1 ? 'other' : 'fall'
    await settle(scene, delivery!, { type: 'sent', news })
    told = counted(told, news, scene.now)
  }
})

test('an attempt that failed counts as no message', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [delivery] = await scene.claim()
  await settle(scene, delivery!, { type: 'retry', error: 'no answer', dueAt: scene.now })
  const [again] = await scene.claim()
  assert.equal(again!.channel.told.minute.falls, 0)
})

test('a channel without room holds all that waits for it; no attempt is noted, and nothing is lost', async t => {
  const scene = await Scene.open(t)
  const { id } = await scene.addChannel('A')
  await scene.addChannel('B')
  await scene.ping('one', 'fail')
  await scene.ping('two', 'fail')
  const claimed = await scene.claim()
  const mine = claimed.filter(({ channelId }) => channelId === id)
  await scene.ping('three', 'fail')
  const until = scene.now + MINUTE
  await scene.store.holdDeliveries({
    worker: 'me',
    channelId: id,
    until,
    now: scene.now,
    deliveries: mine.map(slim),
    why: { type: 'channel', holds: 'all', announce: null },
  })
  const { events, waiting } = await scene.store.channelLog(id, 10)
  assert.deepEqual(events, [])
  assert.deepEqual(
    waiting.map(({ attempts, dueAt, held }) => [attempts, dueAt, held]),
    [
      [0, until, 'room'],
      [0, until, 'room'],
      [0, until, 'room'],
    ],
  )
  const others = await scene.claim('other')
  assert.deepEqual(
    others.map(({ channel }) => channel.name),
    ['B'],
    'other channels go on',
  )
  scene.now = until
  const back = (await scene.claim('me')).filter(({ channelId }) => channelId === id)
  assert.deepEqual(await slugOf(scene, back), ['one', 'three', 'two'])
  assert.ok(back.every(({ held }) => held))
})

test('where only recoveries have no room, falls go on', async t => {
  const scene = await Scene.open(t)
  const { id } = await scene.addChannel('A')
  for (const slug of ['one', 'two']) await scene.ping(slug, 'fail')
  for (const claimed of await scene.claim()) await settle(scene, claimed, { type: 'sent', news: 'fall' })
  await scene.ping('one')
  const claimed = await scene.claim()
  await scene.ping('two')
  await scene.ping('three', 'fail')
  await scene.store.holdDeliveries({
    worker: 'me',
    channelId: id,
    until: scene.now + MINUTE,
    now: scene.now,
    deliveries: claimed.map(slim),
    why: { type: 'channel', holds: 'all but falls', announce: null },
  })
  const falls = await scene.claim()
  assert.deepEqual(await slugOf(scene, falls), ['three'])
  await settle(scene, falls[0]!, { type: 'sent', news: 'fall' })
  scene.now += MINUTE
  assert.deepEqual(await slugOf(scene, await scene.claim()), ['one', 'two'])
})

test('that falls have no room either is announced after that the rest has none', async t => {
  const scene = await Scene.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('first', 'fail')
  await settle(scene, (await scene.claim())[0]!, { type: 'sent', news: 'fall' })
  const titles: string[] = []
  for (const holds of ['all but falls', 'all but falls', 'all', 'all but falls', 'all'] as const) {
    const why = { type: 'channel' as const, holds, announce: { ...notice, title: holds } }
    const until = scene.now + MINUTE
    await scene.store.holdDeliveries({
      worker: 'me',
      channelId: id,
      until,
      now: scene.now,
      deliveries: [],
      why,
    })
    titles.push(...(await scene.claim()).map(claimed => claimed.notice!.title))
  }
  assert.deepEqual(titles, ['all but falls', 'all'])
})

test('the limit of an hour is announced once, however many processes reach it', async t => {
  const scene = await Scene.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('first', 'fail')
  await settle(scene, (await scene.claim())[0]!, { type: 'sent', news: 'fall' })
  const reach = () =>
    scene.store.holdDeliveries({
      worker: 'me',
      channelId: id,
      until: scene.now + MINUTE,
      now: scene.now,
      deliveries: [],
      why: { type: 'channel', holds: 'all', announce: notice },
    })
  await Promise.all([reach(), reach(), reach()])
  const announced = await scene.claim()
  assert.deepEqual(
    announced.map(claimed => claimed.notice?.title),
    ['held'],
  )
  await settle(scene, announced[0]!, { type: 'sent', news: 'fall' })
  scene.now += 61 * MINUTE
  await scene.ping('second', 'fail')
  await settle(scene, (await scene.claim())[0]!, { type: 'sent', news: 'fall' })
  await reach()
  assert.equal((await scene.claim()).length, 1, 'the next hour has its own')
})

test('a process that dies before it settles a message for many leaves them all to the next', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  for (const slug of ['one', 'two', 'three']) await scene.ping(slug, 'fail')
  const before = await scene.claim('dead')
  assert.equal(before.length, 3)
  scene.now += 10_001
  const after = await scene.claim('me')
  assert.deepEqual(after.map(({ uuid }) => uuid).sort(), before.map(({ uuid }) => uuid).sort())
  const together = (worker: string, deliveries: ClaimedDelivery[]) =>
    scene.store.settleTogether({
      worker,
      channelId: deliveries[0]!.channelId,
      members: deliveries.map(({ uuid, notificationUuid }) => ({
        deliveryUuid: uuid,
        notificationUuid,
        dueAt: null,
      })),
      startedAt: scene.now,
      durationMs: 5,
      now: scene.now,
      news: 'fall',
      error: '',
    })
  // The one believed dead comes back: what it claimed is no longer its own.
  await together('dead', before)
  assert.equal((await scene.store.channelLog(after[0]!.channelId, 10)).waiting.length, 3)
  await together('me', after)
  assert.deepEqual((await scene.store.channelLog(after[0]!.channelId, 10)).waiting, [])
})

test('of a message for many that failed, what is given up goes and the rest is tried again', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.ping('one', 'fail')
  await scene.ping('two', 'fail')
  const claimed = await scene.claim()
  const dueAt = scene.now + MINUTE
  await scene.store.settleTogether({
    worker: 'me',
    channelId: claimed[0]!.channelId,
    members: claimed.map(({ uuid, notificationUuid }, index) => ({
      deliveryUuid: uuid,
      notificationUuid,
      dueAt: index === 0 ? null : dueAt,
    })),
    startedAt: scene.now,
    durationMs: 5,
    now: scene.now,
    news: 'fall',
    error: 'no answer',
  })
  const { events, waiting } = await scene.store.channelLog(claimed[0]!.channelId, 10)
  assert.deepEqual(
    events.map(({ error }) => error),
    ['no answer', 'no answer'],
  )
  assert.deepEqual(
    waiting.map(({ attempts, dueAt: at }) => [attempts, at]),
    [[1, dueAt]],
  )
})

test('that a channel was told of flapping is remembered with the telling, and forgotten when the check is steady', async t => {
  const scene = await Scene.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [down] = await scene.claim()
  assert.equal(down!.flapping, null)
  await settle(scene, down!, { type: 'sent', news: 'fall', flapping: 'begun' })
  const begun = scene.now
  scene.now += MINUTE
  await scene.ping('backup', 'success')
  const [up] = await scene.claim()
  assert.deepEqual(up!.flapping, { toldAt: begun, changedAt: begun })
  await scene.store.holdDeliveries({
    worker: 'me',
    channelId: id,
    until: scene.now + MINUTE,
    now: scene.now,
    deliveries: [slim(up!)],
    why: { type: 'flapping', changedAt: scene.now },
  })
  const changed = scene.now
  assert.deepEqual(await scene.claim(), [])
  assert.equal((await scene.store.channelLog(id, 10)).waiting[0]!.held, 'flapping')
  scene.now += MINUTE
  const [held] = await scene.claim()
  assert.deepEqual(held!.flapping, { toldAt: begun, changedAt: changed })
  assert.equal(held!.held, false)
  await settle(scene, held!, { type: 'sent', news: 'fall', flapping: 'over' })
  await scene.ping('backup', 'fail')
  assert.equal((await scene.claim())[0]!.flapping, null)
})

test('a receiver that takes no more for now costs no attempt', async t => {
  const scene = await Scene.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  await settle(scene, (await scene.claim())[0]!, { type: 'wait', dueAt: scene.now + MINUTE })
  const { events, waiting } = await scene.store.channelLog(id, 10)
  assert.deepEqual(events, [])
  assert.deepEqual(
    waiting.map(({ attempts, dueAt }) => [attempts, dueAt]),
    [[0, scene.now + MINUTE]],
  )
})
