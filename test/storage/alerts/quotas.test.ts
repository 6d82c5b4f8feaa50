import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Quota } from '../../../src/core/alerts/delivery/quota.js'
import { startOfMonth } from '../../../src/core/time/calendar.js'
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
  assert.deepEqual(await scene.claim('me', options), [])
  scene.now += 60_000
  const again = await scene.claim('me', options)
  assert.deepEqual(
    again.map(({ form, parts }) => [form, parts.length]),
    [['digest', 2]],
  )
})
