/** What the store remembers of messages to channels that people read, so that they are not sent too many. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flipsOf } from '../../../src/actions/alerts/send-message.js'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000
const PEOPLE = { rules: { grouped: true, hourly: 30 } }

const slugsOf = async (scene: StoreHarness, messages: ClaimedMessage[]) => {
  const flips = messages.flatMap(({ parts }) => flipsOf(parts))
  const { lines } = await scene.store.alerts.digestFacts(scene.projectId, flips)
  return lines.map(({ check }) => check.slug).sort()
}

test('alerts above the limit a minute wait without a log entry, and are combined', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  for (let index = 0; index < 5; index++) {
    await scene.ping(`sent-${index}`, 'fail')
    const [message] = await scene.claim('me', PEOPLE)
    await scene.settle(message!, 'sent')
  }
  for (const slug of ['one', 'two', 'three']) await scene.ping(slug, 'fail')
  assert.deepEqual(await scene.claim('me', PEOPLE), [])
  const { events, waiting } = await scene.store.channels.log(id, 20)
  assert.equal(events.length, 5)
  const until = scene.now + MINUTE
  const held = [0, until, 'minute']
  assert.deepEqual(
    waiting.map(one => [one.attempts, one.dueAt, one.held]),
    [held, held, held],
  )
  scene.now = until
  const [digest, ...others] = await scene.claim('me', PEOPLE)
  assert.deepEqual([digest!.form, others], ['digest', []])
  assert.deepEqual(await slugsOf(scene, [digest!]), ['one', 'three', 'two'])
  await scene.settle(digest!, 'sent')
  assert.deepEqual((await scene.store.channels.log(id, 20)).waiting, [])
})

test('the hourly limit is announced once for down alerts and once for the rest', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  const announced: string[] = []
  for (const [slug, action] of [
    ['one', 'fail'],
    ['one', 'success'],
    ['two', 'fail'],
    ['three', 'fail'],
  ] as const) {
    await scene.ping(slug, action)
    for (let round = 0; round < 3; round++) {
      for (const message of await scene.claim('me', { rules: { grouped: true, hourly: 1 } })) {
        const { notice } = message.parts[0]!
        if (notice?.type === 'limit') announced.push(notice.holds)
        await scene.settle(message, 'sent')
      }
    }
  }
  assert.deepEqual(announced, ['all but down alerts', 'all'])
})

test('a digest of a process that died before settling it is sent by the next', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  for (let index = 0; index < 7; index++) await scene.ping(`c${index}`, 'fail')
  const [before] = await scene.claim('dead', PEOPLE)
  assert.equal(before!.parts.length, 7)
  scene.now += 10_001
  const [after] = await scene.claim('me', PEOPLE)
  const keys = (message: ClaimedMessage) => message.parts.map(({ uuid }) => uuid).sort()
  assert.deepEqual(keys(after!), keys(before!))
  // The one believed dead comes back: what it claimed is no longer its own.
  await scene.settle(before!, 'sent', 'dead')
  assert.equal((await scene.store.channels.log(id, 10)).waiting.length, 7)
  await scene.settle(after!, 'sent')
  assert.deepEqual((await scene.store.channels.log(id, 10)).waiting, [])
})

test('flapping is recorded with the notice about it, until the check is stable', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [down] = await scene.claim('me', PEOPLE)
  await scene.settle(down!, { type: 'sent', alertClass: 'down', flapping: 'begun' })
  scene.now += MINUTE
  await scene.ping('backup', 'success')
  assert.deepEqual(await scene.claim('me', PEOPLE), [])
  const [waiting] = (await scene.store.channels.log(id, 10)).waiting
  assert.deepEqual([waiting!.held, waiting!.dueAt], ['flapping', scene.now + 15 * MINUTE])
  scene.now = waiting!.dueAt
  const [steady] = await scene.claim('me', PEOPLE)
  assert.equal(steady!.form, 'steady')
  await scene.settle(steady!, { type: 'sent', alertClass: 'other', flapping: 'over' })
  await scene.ping('backup', 'fail')
  assert.equal((await scene.claim('me', PEOPLE))[0]!.form, 'alert')
})

test('a rate-limited receiver does not count as an attempt', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  const limited = { rules: { receiver: { key: 'receiver:x', perMinute: 2 } } }
  for (const slug of ['one', 'two', 'three']) await scene.ping(slug, 'fail')
  assert.equal((await scene.claim('me', limited)).length, 2)
  const waiting = (await scene.store.channels.log(id, 10)).waiting.filter(({ held }) => held !== null)
  assert.deepEqual(
    waiting.map(({ attempts, held }) => [attempts, held]),
    [[0, 'receiver']],
  )
  const { dueAt } = waiting[0]!
  assert.ok(dueAt > scene.now && dueAt <= scene.now + 30_000, String(dueAt - scene.now))
  scene.now = dueAt
  assert.equal((await scene.claim('me', limited)).length, 1)
})
