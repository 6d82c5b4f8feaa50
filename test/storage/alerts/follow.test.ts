/** What waits for a channel, and for how long: arrivals, the limit's notice, old notices. Decisions 0102 and 0103. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flipsOf } from '../../../src/actions/alerts/send-message.js'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import { failForADay } from '../../_support/fail-for-a-day.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const HALF_HOUR = 1_800_000

/** Claims what is due; of these messages the ones about checks in `refused` fail, the others arrive. Returns how many failed. */
async function send(scene: StoreHarness, refused: readonly string[]): Promise<number> {
  let failed = 0
  for (const message of await scene.claim()) {
    const { lines } = await scene.store.alerts.digestFacts(
      scene.projectId,
      flipsOf(message.parts.slice(0, 1)),
    )
    const fails = refused.includes(lines[0]!.check.slug)
    if (fails) failed++
    const retry = { type: 'retry' as const, error: 'away', retryAt: scene.now + HALF_HOUR }
    await scene.settle(message, fails ? retry : 'sent')
  }
  return failed
}

test('when a message arrives, failed deliveries are retried at once', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  for (const slug of ['one', 'two']) await scene.ping(slug, 'fail')
  assert.equal(await send(scene, ['one', 'two']), 2)
  scene.now += 1_000
  assert.deepEqual(await scene.claim(), [])
  await scene.ping('three', 'fail')
  await send(scene, [])
  assert.equal((await scene.claim()).length, 2)
})

test('what waits for an unreachable channel follows a message that was claimed before', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await failForADay(scene, 'A')
  for (const slug of ['slow', 'quick']) await scene.ping(slug, 'fail')
  const [slow, quick] = await scene.claim()
  const unreachable = { type: 'notice' as const, title: '', text: '', url: '' }
  const retryAt = scene.now + HALF_HOUR
  await scene.settle(quick!, { type: 'retry', error: 'away', retryAt, unreachable })
  await scene.ping('later', 'fail')
  assert.deepEqual(await scene.claim('other'), [], 'another process holds it until the next attempt')
  scene.now += 1_000
  await scene.settle(slow!, 'sent')
  assert.equal((await scene.claim('other')).length, 2)
})

test('what waits for an unreachable channel is tried when its receiver answers, whatever it answers', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await failForADay(scene, 'A')
  const unreachable = { type: 'notice' as const, title: '', text: '', url: '' }
  const fail = async (message: ClaimedMessage, answered: boolean) => {
    const retryAt = scene.now + HALF_HOUR
    await scene.settle(message, { type: 'retry', error: 'away', retryAt, answered, unreachable })
  }
  await scene.ping('bad', 'fail')
  await fail((await scene.claim())[0]!, false)
  for (const slug of ['one', 'two']) await scene.ping(slug, 'fail')
  assert.deepEqual(await scene.claim(), [])
  scene.now += HALF_HOUR
  await fail((await scene.claim())[0]!, true)
  const others = await scene.claim()
  assert.equal(others.length, 3)
  for (const message of others) await fail(message, true)
  assert.deepEqual(await scene.claim(), [], 'each waits for its own time')
  await scene.ping('new', 'fail')
  const [first] = await scene.claim()
  assert.ok(first, 'a new alert does not wait')
  await fail(first, false)
  assert.equal((await scene.store.channels.log(id, 9)).waiting.length, 4)
  await scene.ping('newer', 'fail')
  assert.deepEqual(await scene.claim(), [], 'it does not answer any more')
})

test('a receiver that answers every message with an error is announced once, after a day', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.addChannel('B')
  await failForADay(scene, 'A')
  const unreachable = { type: 'notice' as const, title: 'A', text: '', url: '' }
  const titles: string[] = []
  await scene.ping('backup', 'fail')
  for (let half = 0; half < 60; half++) {
    for (const message of await scene.claim()) {
      const { notice } = message.parts[0]!
      if (notice?.type === 'notice') titles.push(notice.title)
      const retryAt = scene.now + HALF_HOUR
      const failed = { type: 'retry' as const, error: 'broken', retryAt, answered: true, unreachable }
      await scene.settle(message, message.channel.name === 'A' ? failed : 'sent')
    }
    scene.now += HALF_HOUR
  }
  assert.deepEqual(titles, ['A'])
})

test('when a test notification arrives, failed deliveries are retried at once', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('one', 'fail')
  await send(scene, ['one'])
  scene.now += 1_000
  const tried = { channelId: id, status: 'down' as const, startedAt: scene.now, durationMs: 0 }
  assert.equal((await scene.store.channels.noteTest({ ...tried, uuid: 'a', error: 'away' })).alerts, false)
  assert.deepEqual(await scene.claim(), [])
  assert.equal((await scene.store.channels.noteTest({ ...tried, uuid: 'b', error: '' })).alerts, true)
  assert.equal((await scene.claim()).length, 1)
})

test('a message that is refused is retried at most once per own retry by arrivals', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('refused', 'fail')
  let tried = await send(scene, ['refused'])
  for (let minute = 0; minute < 120; minute++) {
    scene.now += 60_000
    await scene.ping(`check-${minute}`, 'fail')
    tried += await send(scene, ['refused'])
  }
  assert.ok(tried <= 9, `${tried} attempts in two hours, of which its own times are four`)
})

test('an arrival does not release what a limit holds', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  const rules = { grouped: true, hourly: 1 }
  await scene.ping('one', 'fail')
  const [first] = await scene.claim('me', { rules })
  await scene.settle(first!, 'sent')
  await scene.ping('two', 'fail')
  const notices = await scene.claim('me', { rules })
  const due = async () => (await scene.store.channels.log(id, 9)).waiting.map(({ dueAt }) => dueAt)
  for (const message of [...notices, ...(await scene.claim('me', { rules }))])
    await scene.settle(message, 'sent')
  assert.deepEqual(await due(), [scene.now + 3_600_000])
})

/** The notices among messages, settled. */
async function noticesOf(scene: StoreHarness, messages: readonly ClaimedMessage[]) {
  const found = messages.filter(({ form }) => form === 'notice')
  for (const message of found) await scene.settle(message, 'sent')
  return found.length
}

test('a reached limit is announced once, even while the first message is under way', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  const rules = { grouped: true, hourly: 1 }
  await scene.ping('first', 'fail')
  const [first] = await scene.claim('me', { rules })
  let announced = 0
  for (const slug of ['two', 'three', 'four']) {
    scene.now += 500
    await scene.ping(slug, 'fail')
    for (let look = 0; look < 2; look++) {
      const taken = await scene.claim('me', { rules, sending: { down: 1, other: 0 } })
      announced += taken.filter(({ form }) => form === 'notice').length
    }
  }
  await scene.settle(first!, 'sent')
  assert.equal(announced, 1)
  scene.now += 2_000
  await scene.ping('five', 'fail')
  assert.equal(await noticesOf(scene, await scene.claim('me', { rules })), 0)
})

test('a notice older than a day is dropped, even if it was never tried', async t => {
  const scene = await StoreHarness.open(t)
  const broken = await scene.addChannel('A')
  await scene.addChannel('B')
  await scene.ping('backup', 'fail')
  const disabled = { type: 'notice' as const, title: 'A was disabled', text: '', url: '' }
  for (const message of await scene.claim()) {
    const failed = { type: 'failed' as const, error: 'gone', disabled }
    await scene.settle(message, message.channel.name === 'A' ? failed : 'sent')
  }
  assert.ok(broken)
  // The attempt that ends the day may wait for ten minutes.
  scene.now += 86_400_000 + 600_000
  assert.deepEqual(await scene.claim(), [])
  scene.now -= 1
  assert.deepEqual(await scene.claim(), [], 'it is gone')
})
