import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Quota } from '../../../src/core/alerts/delivery/quota.js'
import { startOfMonth } from '../../../src/core/time/calendar.js'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

test('a monthly quota is limited, and starts over with the month', async t => {
  const scene = await StoreHarness.open(t)
  const use = (month: number, name: Quota['name'] = 'messages') =>
    scene.store.people.takeQuota(scene.projectId, { name, called: '', limit: 3 }, startOfMonth(month, 'UTC'))
  const granted = await Promise.all(Array.from({ length: 5 }, () => use(24_313)))
  assert.equal(granted.filter(Boolean).length, 3)
  assert.equal(await use(24_313, 'calls'), true, 'calls are counted apart')
  assert.equal(await use(24_314), true)
})

test('what a clock counted that was a month ahead is not counted in that month', async t => {
  const scene = await StoreHarness.open(t)
  const quota = { name: 'messages', called: '', limit: 1 } as const
  const use = (at: number) => scene.store.people.takeQuota(scene.projectId, quota, at)
  const february = startOfMonth(24_313, 'UTC')
  assert.equal(await use(february), true)
  assert.equal(await use(february - 3_600_000), true, 'the clock was set back: its month begins at zero')
  assert.equal(await use(february - 1_800_000), false)
  assert.equal(await use(february), true)
})

test('processes whose clocks differ by seconds share one count when the month turns', async t => {
  const scene = await StoreHarness.open(t)
  const quota = { name: 'messages', called: '', limit: 2 } as const
  const turn = startOfMonth(24_313, 'UTC')
  const granted: boolean[] = []
  for (const at of [-3_000, 2_000, -2_000, 3_000, -1_000, 4_000]) {
    granted.push(await scene.store.people.takeQuota(scene.projectId, quota, turn + at))
  }
  assert.deepEqual(granted, [true, true, true, false, false, false], 'one in the old month, two in the new')
})

test('a message is counted when it is claimed, and once however often it is tried', async t => {
  const scene = await StoreHarness.open(t)
  const quota = { name: 'messages', called: 'SMS', limit: 2 } as const
  await scene.addChannel('Phone')
  for (const slug of ['one', 'two', 'three', 'four']) await scene.ping(slug, 'fail')
  const first = await scene.claim('killed', { quota })
  assert.equal(first.length, 2)
  await scene.store.alerts.releaseClaims(['killed'], scene.now)
  scene.now += 3_600_000
  const again = await scene.claim('me', { quota })
  const uuids = (messages: typeof first) => messages.flatMap(({ parts }) => parts.map(({ uuid }) => uuid))
  assert.deepEqual(uuids(again).sort(), uuids(first).sort())
  await scene.settle(again[0]!, { type: 'retry', error: 'Refused', retryAt: scene.now })
  await scene.settle(again[1]!, 'sent')
  assert.deepEqual(uuids(await scene.claim('me', { quota })), uuids([again[0]!]))
  scene.now += 3_600_000
  assert.equal(
    (await scene.claim('me', { quota: { ...quota, limit: 3 } })).length,
    2,
    'one more, and one that is tried again',
  )
})

test('a message that was claimed, but not charged, waits if the quota is used up by then', async t => {
  const scene = await StoreHarness.open(t)
  const quota = { name: 'messages', called: 'SMS', limit: 1 } as const
  await scene.addChannel('Phone')
  await scene.ping('one', 'fail')
  assert.equal((await scene.claim('of an older version')).length, 1)
  await scene.store.alerts.releaseClaims(['of an older version'], scene.now)
  assert.equal(await scene.store.people.takeQuota(scene.projectId, quota, scene.now), true)
  assert.deepEqual(await scene.claim('me', { quota }), [])
})

test('claims of several processes at once do not exceed the quota together', async t => {
  const scene = await StoreHarness.open(t)
  const quota = { name: 'messages', called: 'SMS', limit: 5 } as const
  for (const name of ['A', 'B', 'C']) await scene.addChannel(name)
  for (const slug of ['one', 'two', 'three', 'four']) await scene.ping(slug, 'fail')
  const claims = await Promise.all(['a', 'b', 'c'].map(worker => scene.claim(worker, { quota, messages: 2 })))
  const more = await scene.claim('a', { quota })
  assert.equal([...claims.flat(), ...more].length, 5)
})

test('alerts that were counted as one message do not exceed the quota if they part', async t => {
  const scene = await StoreHarness.open(t)
  const options = { quota: { name: 'messages', called: 'SMS', limit: 1 }, rules: { grouped: true } } as const
  await scene.addChannel('Phone')
  for (const slug of ['one', 'two', 'three']) await scene.ping(slug, 'fail')
  const first = await scene.claim('killed', options)
  assert.deepEqual(
    first.map(({ form, parts }) => [form, parts.length]),
    [['digest', 3]],
  )
  await scene.store.alerts.releaseClaims(['killed'], scene.now)
  scene.now += 3_600_000
  const again = await scene.claim('me', options)
  assert.deepEqual(
    again.map(({ form, parts }) => [form, parts.length]),
    [['digest', 3]],
    'it is one message again, and was counted',
  )
  const retry = { type: 'retry', error: 'Refused', retryAt: scene.now } as const
  await scene.settle(again[0]!, retry)
  const parted = await scene.claim('me', { ...options, rules: { grouped: false } })
  assert.deepEqual(
    parted.map(({ parts }) => parts.length),
    [1],
  )
})

test('alerts of a counted message are not counted again without one that was paused', async t => {
  const scene = await StoreHarness.open(t)
  const options = { quota: { name: 'messages', called: 'SMS', limit: 1 }, rules: { grouped: true } } as const
  await scene.addChannel('Phone')
  for (const slug of ['one', 'two', 'three']) await scene.ping(slug, 'fail')
  const [first] = await scene.claim('me', options)
  await scene.settle(first!, { type: 'retry', error: 'Refused', retryAt: scene.now + 60_000 })
  const [uuid] = await scene.checkUuids()
  await scene.store.checks.pause(scene.projectId, uuid!, scene.now)
  const again = await scene.claim('me', options)
  assert.deepEqual(
    again.map(({ form, parts }) => [form, parts.length]),
    [['digest', 2]],
  )
})

const ONE_GROUPED = {
  quota: { name: 'messages', called: 'SMS', limit: 1 },
  rules: { grouped: true },
} as const

const shapeOf = ({ form, parts }: ClaimedMessage) => [form, parts.length]

test('alerts of a counted message need no other one if a check of it recovers or is paused while it fails', async t => {
  for (const how of ['recovers', 'is paused'] as const) {
    const scene = await StoreHarness.open(t)
    await scene.addChannel('Phone')
    for (const slug of ['one', 'two', 'three']) await scene.ping(slug, 'fail')
    await scene.claim('killed', ONE_GROUPED)
    const [uuid] = await scene.checkUuids()
    if (how === 'recovers') await scene.ping('one', 'success')
    else await scene.store.checks.pause(scene.projectId, uuid!, scene.now)
    await scene.store.alerts.releaseClaims(['killed'], scene.now)
    scene.now += 1_000
    const again = await scene.claim('me', ONE_GROUPED)
    assert.deepEqual(again.map(shapeOf), [['digest', how === 'recovers' ? 3 : 2]], how)
  }
})

test('a check that recovers while a counted message waits for its retry does not take it from the others', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('Phone')
  for (const slug of ['one', 'two', 'three']) await scene.ping(slug, 'fail')
  const [first] = await scene.claim('me', ONE_GROUPED)
  await scene.settle(first!, { type: 'retry', error: 'Refused', retryAt: scene.now + 60_000 })
  await scene.ping('one', 'success')
  assert.deepEqual((await scene.claim('me', ONE_GROUPED)).map(shapeOf), [['digest', 3]])
})

test('a recovery is sent with the message that was counted for the alert that failed', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('Phone')
  await scene.ping('one', 'fail')
  const [alert] = await scene.claim('me', ONE_GROUPED)
  await scene.settle(alert!, { type: 'retry', error: 'Refused', retryAt: scene.now + 60_000 })
  await scene.ping('one', 'success')
  const [recovery] = await scene.claim('me', ONE_GROUPED)
  assert.ok(recovery)
  assert.equal(recovery.parts[0]!.due!.missedDown, true)
  await scene.settle(recovery, 'sent')
  await scene.ping('one', 'fail')
  assert.deepEqual(await scene.claim('me', ONE_GROUPED), [], 'it was counted once')
})

test('a counted message pays for one: alerts that part from it are counted anew', async t => {
  const scene = await StoreHarness.open(t)
  const options = { ...ONE_GROUPED, quota: { ...ONE_GROUPED.quota, limit: 2 } }
  await scene.addChannel('Phone')
  for (const slug of ['one', 'two', 'three', 'four', 'five', 'six']) await scene.ping(slug, 'fail')
  const [first] = await scene.claim('me', options)
  assert.deepEqual(shapeOf(first!), ['digest', 6])
  await scene.settle(first!, { type: 'retry', error: 'Refused', retryAt: scene.now + 60_000 })
  scene.now += 60_000
  const [uuid] = await scene.checkUuids()
  const silence = await scene.store.silences.create(scene.projectId, {
    mode: 'hold',
    scope: { checks: [uuid!] },
    channels: null,
    times: { kind: 'once', from: null, to: scene.now + 600_000 },
    reason: 'Night',
    createdBy: 'Alice',
    now: scene.now,
  })
  const [again] = await scene.claim('me', options)
  assert.deepEqual(shapeOf(again!), ['digest', 5])
  await scene.settle(again!, 'sent')
  await scene.store.silences.end(scene.projectId, silence.id, scene.now)
  const [alone] = await scene.claim('me', options)
  assert.equal(alone!.parts.length, 1)
  await scene.settle(alone!, 'sent')
  await scene.ping('seven', 'fail')
  assert.deepEqual(await scene.claim('me', options), [], 'two were counted')
})

test('alerts that a version before counted, each by itself, are still counted', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  const options = { quota: { ...ONE_GROUPED.quota, limit: 0 } } as const
  await scene.addChannel('Phone')
  for (const slug of ['one', 'two']) await scene.ping(slug, 'fail')
  await raw('UPDATE deliveries SET charged = 1, attempts = 1')
  assert.deepEqual((await scene.claim('me', options)).map(shapeOf), [
    ['alert', 1],
    ['alert', 1],
  ])
})

/** Two alerts that were counted and failed. `ofOthers`: sends one of another check through the account’s channels, and counts the messages. */
async function twoThatFail(t: TestContext) {
  const scene = await StoreHarness.open(t)
  const options = { ...ONE_GROUPED, rules: {}, quota: { ...ONE_GROUPED.quota, limit: 2 } }
  const channel = await scene.addChannel('Phone')
  for (const slug of ['one', 'two']) await scene.ping(slug, 'fail')
  const fail = async (outcome: Parameters<typeof scene.settle>[1]) => {
    for (const message of await scene.claim('me', options)) await scene.settle(message, outcome)
  }
  await fail({ type: 'retry', error: 'Refused', retryAt: scene.now + 60_000 })
  scene.now += 60_000
  const ofOthers = async () => {
    await scene.claim('me', options)
    await scene.addChannel('Another phone')
    await scene.ping('three', 'fail')
    const messages = await scene.claim('me', options)
    for (const message of messages) await scene.settle(message, 'sent')
    return messages.length
  }
  return { scene, options, channel, fail, ofOthers }
}

test('what waits for a disabled channel uses up no quota of others, and is counted when it is sent', async t => {
  for (const by of ['a person', 'an error'] as const) {
    const { scene, options, channel, fail, ofOthers } = await twoThatFail(t)
    if (by === 'a person') await scene.store.channels.setEnabled(channel.id, false, scene.now)
    else {
      const disabled = { type: 'notice', title: 'Phone is disabled', text: '', url: '' } as const
      await fail({ type: 'failed', error: 'Gone', disabled })
    }
    assert.equal(await ofOthers(), 1, by)
    await scene.store.channels.setEnabled(channel.id, true, scene.now)
    assert.equal((await scene.claim('me', options)).length, 1, 'the second of two')
  }
})

test('what a silence holds uses up no quota of others, and is counted when it is sent', async t => {
  const { scene, options, ofOthers } = await twoThatFail(t)
  const silence = await scene.store.silences.create(scene.projectId, {
    mode: 'hold',
    scope: { checks: await scene.checkUuids() },
    channels: null,
    times: { kind: 'once', from: null, to: scene.now + 600_000 },
    reason: 'Night',
    createdBy: 'Alice',
    now: scene.now,
  })
  assert.equal(await ofOthers(), 2, 'one through each channel')
  await scene.store.silences.end(scene.projectId, silence.id, scene.now)
  const more = { ...options, quota: { ...options.quota, limit: 3 } }
  assert.equal((await scene.claim('me', more)).length, 1, 'the third of three')
})

/** An alert of a check that is deleted while it is under way, and what else is sent of one more message a month. */
async function deletedUnderWay(t: TestContext) {
  const scene = await StoreHarness.open(t)
  const options = { quota: ONE_GROUPED.quota, leaseMs: 10_000 }
  await scene.addChannel('Phone')
  await scene.ping('one', 'fail')
  const [message] = await scene.claim('me', options)
  const [uuid] = await scene.checkUuids()
  await scene.store.checks.delete(scene.projectId, uuid!, scene.now)
  const others = async (slug: string) => {
    await scene.ping(slug, 'fail')
    return (await scene.claim('me', options)).length
  }
  return { scene, options, message: message!, others }
}

test('a message under way is not given back because its check is deleted', async t => {
  const { scene, message, others } = await deletedUnderWay(t)
  scene.now += 4_000
  assert.equal(await others('two'), 0)
  await scene.settle(message, 'sent')
  scene.now += 3_600_000
  assert.equal(await others('three'), 0, 'it has arrived')
})

test('a message that arrives after it was given back is counted again', async t => {
  const { scene, options, message, others } = await deletedUnderWay(t)
  scene.now += 10_001
  assert.equal(await others('two'), 1, 'its claim is over')
  await scene.settle(message, 'sent')
  await scene.ping('three', 'fail')
  const twoInAll = { ...options, quota: { ...options.quota, limit: 2 } }
  assert.equal((await scene.claim('me', twoInAll)).length, 0)
})

test('a message of a deleted check that was cut off stays counted, because it may have arrived', async t => {
  const { scene, message, others } = await deletedUnderWay(t)
  const attempts = message.parts.map(({ uuid, notificationUuid }) => ({ uuid, notificationUuid }))
  const counted = message.counted!
  await scene.store.alerts.giveBack({ worker: 'me', attempts, counted, begun: true, now: scene.now })
  scene.now += 10_001
  assert.equal(await others('two'), 0)
})

test('a message of a deleted check that fails is given back at once', async t => {
  const { scene, message, others } = await deletedUnderWay(t)
  await scene.settle(message, { type: 'retry', error: 'Refused', retryAt: scene.now + 60_000 })
  assert.equal(await others('two'), 1)
})
