/** Alerts that a carrier or a bounce reports as undelivered, and failures of what a channel was before. Decision 0102. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import { sendAll } from '../../_support/send-all.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const GROUPED = { rules: { grouped: true } }
const DISABLED = { type: 'notice' as const, title: 'A was disabled', text: '', url: '' }

/** The message is reported as undelivered, as a service knows it. */
async function bounce(scene: StoreHarness, message: ClaimedMessage, disable: boolean) {
  const { notificationUuid } = message.parts[0]!
  const disabled = disable ? DISABLED : null
  const report = { notificationUuid, error: 'no such number', disabled, now: scene.now, since: 0 }
  await scene.store.alerts.noteDeliveryStatus(report)
}

/** A channel that was sent that each of these checks is down, in one message where there are many; then it bounces. */
async function bounced(scene: StoreHarness, slugs: string[], disable: boolean) {
  const { id } = await scene.addChannel('A')
  for (const slug of slugs) await scene.ping(slug, 'fail')
  const [message, ...others] = await scene.claim('me', GROUPED)
  assert.deepEqual(others, [])
  await scene.settle(message!, 'sent')
  scene.now += 1_000
  await bounce(scene, message!, disable)
  assert.deepEqual(await sendAll(scene, GROUPED), [])
  return id
}

const many = ['a', 'b', 'c', 'd', 'e', 'f']
const change = (scene: StoreHarness, id: number) =>
  scene.store.channels.update({
    id,
    projectId: scene.projectId,
    name: 'A',
    settings: { to: 'new' },
    members: [],
    now: scene.now,
  })

for (const slugs of [['backup'], many]) {
  for (const disable of [true, false]) {
    const what = `${slugs.length === 1 ? 'a down alert' : 'a digest'} that bounced${disable ? ' for good' : ''}`

    test(`${what} is sent again once its channel is changed`, async t => {
      const scene = await StoreHarness.open(t)
      const id = await bounced(scene, slugs, disable)
      scene.now += 3_600_000
      await change(scene, id)
      assert.deepEqual(
        await sendAll(scene, GROUPED),
        slugs.map(slug => `${slug} down`),
      )
      assert.deepEqual(await sendAll(scene, GROUPED), [])
      scene.now += 3_600_000
      for (const slug of slugs) await scene.ping(slug)
      assert.deepEqual(
        await sendAll(scene, GROUPED),
        slugs.map(slug => `${slug} up`),
      )
    })
  }
}

test('a message that bounces before its attempt has ended counts as undelivered', async t => {
  for (const slugs of [['backup'], many]) {
    const scene = await StoreHarness.open(t)
    const { id } = await scene.addChannel('A')
    for (const slug of slugs) await scene.ping(slug, 'fail')
    const [message] = await scene.claim('me', GROUPED)
    await bounce(scene, message!, false)
    await scene.settle(message!, 'sent')
    const { events } = await scene.store.channels.log(id, 9)
    assert.deepEqual(
      events.map(({ error }) => error),
      slugs.map(() => 'no such number'),
    )
    assert.deepEqual(await sendAll(scene, GROUPED), [])
    await change(scene, id)
    assert.deepEqual(
      await sendAll(scene, GROUPED),
      slugs.map(slug => `${slug} down`),
    )
  }
})

test('the recovery after a down alert that bounced says that the check was down', async t => {
  const scene = await StoreHarness.open(t)
  await bounced(scene, ['backup'], false)
  await scene.ping('backup')
  const [message] = await scene.claim()
  assert.deepEqual(
    message!.parts.map(({ due }) => [due!.change.status, due!.missedDown, due!.superseded]),
    [['up', true, 1]],
  )
})

test('a recovery that waits when the down alert bounces says that the check was down', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [down] = await scene.claim()
  await scene.settle(down!, 'sent')
  await scene.ping('backup')
  await bounce(scene, down!, false)
  const messages = await scene.claim()
  assert.deepEqual(
    messages.flatMap(({ parts }) => parts.map(({ due }) => [due!.change.status, due!.missedDown])),
    [['up', true]],
  )
})

test('a bounce of an alert about an earlier incident does not affect the current one', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const [first] = await scene.claim()
  await scene.settle(first!, 'sent')
  await scene.ping('backup')
  assert.deepEqual(await sendAll(scene), ['backup up'])
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sendAll(scene), ['backup down'])
  await bounce(scene, first!, false)
  await change(scene, id)
  assert.deepEqual(await sendAll(scene), [])
})

/** A channel and what it was sent: that `a` and `b` are down, in messages of their own. */
async function sentTwo(t: TestContext) {
  const scene = await StoreHarness.open(t)
  const { id, uuid } = await scene.addChannel('A')
  for (const slug of ['a', 'b']) await scene.ping(slug, 'fail')
  const messages = await scene.claim()
  for (const message of messages) await scene.settle(message, 'sent')
  const report = async (message: ClaimedMessage) => {
    scene.now += 1_000
    const { notificationUuid } = message.parts[0]!
    const known = await scene.store.alerts.notifiedChannel(notificationUuid, 0)
    await bounce(scene, message, known!.isCurrent)
  }
  const isDisabled = async () => (await scene.store.channels.find(uuid))!.disabled
  const enable = async () => {
    scene.now += 1_000
    await scene.store.channels.setEnabled(id, true, scene.now)
  }
  return { scene, id, messages, report, isDisabled, enable }
}

test('a bounce of a message from before its channel was enabled does not disable it again', async t => {
  const { scene, messages, report, isDisabled, enable } = await sentTwo(t)
  await report(messages[0]!)
  assert.equal(await isDisabled(), true)
  await enable()
  assert.deepEqual(await sendAll(scene), ['a down'])
  await report(messages[1]!)
  assert.equal(await isDisabled(), false)
  assert.deepEqual(await sendAll(scene), ['b down'], 'it is sent again at once')
})

test('a bounce that is reported twice says nothing of an alert that was delivered since', async t => {
  const { scene, messages, report, isDisabled, enable } = await sentTwo(t)
  await report(messages[0]!)
  await enable()
  assert.deepEqual(await sendAll(scene), ['a down'])
  await report(messages[0]!)
  assert.equal(await isDisabled(), false)
  assert.deepEqual(await sendAll(scene), [])
  await scene.ping('a')
  const [up] = await scene.claim()
  assert.deepEqual([up!.parts[0]!.due!.change.status, up!.parts[0]!.due!.missedDown], ['up', false])
})

test('a recovery that bounced is sent again once its channel is changed, and says what it ends', async t => {
  const { scene, id, report, isDisabled } = await sentTwo(t)
  await scene.ping('a')
  const [up] = await scene.claim()
  await scene.settle(up!, 'sent')
  await report(up!)
  assert.equal(await isDisabled(), true)
  assert.deepEqual(await sendAll(scene), [])
  await change(scene, id)
  const [again, ...others] = await scene.claim()
  assert.deepEqual([again!.parts[0]!.due!.change.status, again!.parts[0]!.due!.missedDown], ['up', true])
  assert.deepEqual(others, [])
  await scene.settle(again!, 'sent')
  scene.now += 1_000
  await scene.store.channels.setEnabled(id, true, scene.now)
  assert.deepEqual(await sendAll(scene), [])
})

test('a recovery that bounced gives way to what happens to its check next', async t => {
  const { scene } = await sentTwo(t)
  await scene.ping('a')
  const [up] = await scene.claim()
  await scene.settle(up!, 'sent')
  await bounce(scene, up!, false)
  await scene.ping('a', 'fail')
  assert.deepEqual(await sendAll(scene), ['a down'])
  await bounce(scene, up!, false)
  assert.deepEqual(await sendAll(scene), [], 'it is not the last word any more')
})

test('an alert that bounced is sent again when a test of its channel is delivered', async t => {
  const { scene, id, messages } = await sentTwo(t)
  await bounce(scene, messages[0]!, false)
  assert.deepEqual(await sendAll(scene), [])
  const tried = { channelId: id, status: 'down' as const, startedAt: scene.now, durationMs: 5 }
  assert.equal((await scene.store.channels.noteTest({ ...tried, uuid: 'a', error: 'away' })).alerts, false)
  assert.equal((await scene.store.channels.noteTest({ ...tried, uuid: 'b', error: '' })).alerts, true)
  scene.now += 1_000
  assert.deepEqual(await sendAll(scene), ['a down'])
})

for (const outcome of [
  { type: 'failed' as const, error: 'gone', disabled: DISABLED },
  (now: number) => ({ type: 'retry' as const, error: 'away', retryAt: now + 1_800_000 }),
]) {
  const how = typeof outcome === 'function' ? 'fails' : 'fails for good'
  test(`a message that ${how} after its channel changed is retried with the new settings`, async t => {
    const scene = await StoreHarness.open(t)
    const { id, uuid } = await scene.addChannel('A', { to: 'old' })
    await scene.addChannel('B')
    await scene.ping('backup', 'fail')
    const claimed = await scene.claim()
    await change(scene, id)
    for (const message of claimed) {
      const failed = typeof outcome === 'function' ? outcome(scene.now) : outcome
      await scene.settle(message, message.channel.name === 'A' ? failed : 'sent')
    }
    const { disabled, lastError } = (await scene.store.channels.find(uuid))!
    assert.deepEqual({ disabled, lastError }, { disabled: false, lastError: '' })
    const [again, ...others] = await scene.claim()
    assert.deepEqual([again!.channel.settings, again!.parts[0]!.attempts, others], [{ to: 'new' }, 1, []])
  })
}
