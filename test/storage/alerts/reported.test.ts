/** What was last reported to channels, and what follows from it: T2 and T3 of decision 0102, case by case. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextAttemptAt } from '../../../src/core/alerts/delivery/retry.js'
import { sendAll } from '../../_support/send-all.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const DAY_MS = 86_400_000
const INCIDENTS = { rules: { keepsOpen: true } }
const DOWN_ONLY = { rules: { up: false } }
const UP_ONLY = { rules: { down: false } }

test('an enabled channel is sent what went down and what came up', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  for (const slug of ['mended', 'still', 'again']) await scene.ping(slug, 'fail')
  await sendAll(scene)
  await scene.store.channels.setEnabled(id, false, scene.now)
  for (const slug of ['mended', 'again', 'quick']) await scene.ping(slug)
  for (const slug of ['again', 'new', 'quick']) await scene.ping(slug, 'fail')
  await scene.ping('quick')
  assert.deepEqual(await sendAll(scene), [])
  scene.now += 3 * 86_400_000
  await scene.store.channels.setEnabled(id, true, scene.now)
  assert.deepEqual(await sendAll(scene), ['again down', 'mended up', 'new down'])
  assert.deepEqual(await sendAll(scene), [])
})

test('the members of an enabled group are sent it too, each once', async t => {
  const scene = await StoreHarness.open(t)
  const [a, b] = [await scene.addChannel('A'), await scene.addChannel('B')]
  const group = await scene.addChannel('G', {}, [a.uuid, b.uuid])
  await scene.ping('backup')
  for (const { id } of [a, b])
    await scene.store.channels.assign({ id, projectId: scene.projectId, checks: [], now: scene.now })
  await scene.store.channels.setEnabled(group.id, false, scene.now)
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sendAll(scene), [])
  await scene.store.channels.setEnabled(group.id, true, scene.now)
  assert.deepEqual(await sendAll(scene), ['backup down', 'backup down'])
  await scene.ping('backup')
  assert.deepEqual(await sendAll(scene), ['backup up', 'backup up'])
})

test('a channel created during an incident is sent neither it nor its end', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup', 'fail')
  scene.now += 1_000
  const { id } = await scene.addChannel('A')
  await scene.store.channels.setEnabled(id, false, scene.now)
  await scene.store.channels.setEnabled(id, true, scene.now)
  assert.deepEqual(await sendAll(scene), [])
  await scene.ping('backup')
  assert.deepEqual(await sendAll(scene), [])
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sendAll(scene), ['backup down'])
})

test('a pause closes an open incident at the receiver, and is sent to no other kind', async t => {
  for (const [options, expected] of [
    [INCIDENTS, ['backup paused']],
    [{}, []],
  ] as const) {
    const scene = await StoreHarness.open(t)
    await scene.addChannel('A')
    await scene.ping('backup', 'fail')
    await sendAll(scene, options)
    const [uuid] = await scene.checkUuids()
    await scene.store.checks.pause(scene.projectId, uuid!, scene.now)
    assert.deepEqual(await sendAll(scene, options), expected)
    await scene.ping('backup')
    assert.deepEqual(await sendAll(scene, options), [], 'it is closed already')
  }
})

test('deleting a check, or clearing its events, closes an open incident at the receiver', async t => {
  for (const what of ['delete', 'clear'] as const) {
    const scene = await StoreHarness.open(t)
    const { checks, pings } = scene.store
    await scene.addChannel('A')
    await scene.ping('backup', 'fail')
    await scene.ping('unsent', 'fail')
    const [first] = await scene.claim('me', INCIDENTS)
    await scene.settle(first!, 'sent')
    for (const uuid of await scene.checkUuids()) {
      if (what === 'delete') await checks.delete(scene.projectId, uuid, scene.now)
      else await pings.clearEvents(scene.projectId, uuid, scene.now)
    }
    assert.equal((await sendAll(scene, INCIDENTS)).length, 1, 'the one that is being sent is closed later')
    scene.now += 60_000
    assert.equal((await sendAll(scene, INCIDENTS)).length, 1)
    assert.deepEqual(await sendAll(scene, INCIDENTS), [])
  }
})

test('the closing for a deleted check waits until a disabled channel is enabled', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  await sendAll(scene, INCIDENTS)
  await scene.store.channels.setEnabled(id, false, scene.now)
  const [uuid] = await scene.checkUuids()
  await scene.store.checks.delete(scene.projectId, uuid!, scene.now)
  assert.deepEqual(await sendAll(scene, INCIDENTS), [])
  scene.now += 86_400_000
  await scene.store.channels.setEnabled(id, true, scene.now)
  assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup deleted'])
})

test('a channel without recoveries is sent each incident', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  for (let incident = 0; incident < 3; incident++) {
    await scene.ping('backup', 'fail')
    assert.deepEqual(await sendAll(scene, DOWN_ONLY), ['backup down'])
    await scene.ping('backup')
    assert.deepEqual(await sendAll(scene, DOWN_ONLY), [])
  }
})

test('an incident that begins before the end of another was sent replaces that end', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  await sendAll(scene)
  await scene.ping('backup')
  const [up] = await scene.claim()
  await scene.settle(up!, { type: 'retry', error: 'away', retryAt: scene.now + 60_000 })
  await scene.ping('backup', 'fail')
  const [down] = await scene.claim()
  assert.deepEqual([down!.parts[0]!.due!.change.status, down!.parts[0]!.due!.superseded], ['down', 1])
  await scene.settle(down!, 'sent')
  await scene.ping('backup')
  assert.deepEqual(await sendAll(scene), ['backup up'])
})

test('a down alert to a channel without recoveries is retried for a day after its check recovered', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  for (let attempt = 0; attempt < 5; attempt++) {
    const [down] = await scene.claim('me', DOWN_ONLY)
    await scene.settle(down!, { type: 'retry', error: 'away', retryAt: scene.now + 60_000 })
    if (attempt === 0) await scene.ping('backup')
    scene.now += 60_000
  }
  assert.deepEqual(await sendAll(scene, DOWN_ONLY), ['backup down'])
})

test('that day begins with the recovery, however long the check was down', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  const fail = async () => {
    const [down] = await scene.claim('me', DOWN_ONLY)
    const { attempts, due } = down!.parts[0]!
    const retryAt = nextAttemptAt({ ...due!, attempts: attempts + 1 }, scene.now)
    assert.ok(retryAt !== null)
    await scene.settle(down!, { type: 'retry', error: 'away', retryAt })
    return retryAt
  }
  const recoverAt = scene.now + 3 * DAY_MS
  while (scene.now < recoverAt) scene.now = await fail()
  await scene.ping('backup')
  const endsAt = scene.now + DAY_MS
  while (scene.now < endsAt) scene.now = await fail()
  assert.equal(scene.now, endsAt)
  const [last] = await scene.claim('me', DOWN_ONLY)
  const { attempts, due } = last!.parts[0]!
  assert.equal(nextAttemptAt({ ...due!, attempts: attempts + 1 }, scene.now), null)
  await scene.settle(last!, { type: 'failed', error: 'away' })
  assert.deepEqual(await sendAll(scene, DOWN_ONLY), [])
})

test('a down alert that only a limit delayed is sent to a channel without recoveries', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  const rules = { ...DOWN_ONLY.rules, grouped: true }
  for (let index = 0; index < 6; index++) {
    await scene.ping(`c${index}`, 'fail')
    await sendAll(scene, { rules })
  }
  await scene.ping('c5')
  assert.deepEqual(await sendAll(scene, { rules }), [])
  scene.now += 60_000
  assert.deepEqual(await sendAll(scene, { rules }), ['c5 down'])
})

test('a channel that wants recoveries only is not sent one of a check that is down again', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  await scene.ping('backup')
  const [up] = await scene.claim('me', UP_ONLY)
  await scene.settle(up!, { type: 'retry', error: 'away', retryAt: scene.now + 60_000 })
  await scene.ping('backup', 'fail')
  scene.now += 3 * 86_400_000
  assert.deepEqual(await sendAll(scene, UP_ONLY), [])
  await scene.ping('backup')
  assert.deepEqual(await sendAll(scene, UP_ONLY), ['backup up'])
})

test('a channel that failed for three days is sent what is down, and what was', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  for (const slug of ['still', 'over']) await scene.ping(slug, 'fail')
  for (let attempt = 0; attempt < 100; attempt++) {
    for (const message of await scene.claim()) {
      const { due } = message.parts[0]!
      assert.ok(due!.lasting)
      await scene.settle(message, { type: 'retry', error: 'away', retryAt: scene.now + 1_800_000 })
    }
    if (attempt === 10) await scene.ping('over')
    scene.now += 3_600_000
  }
  assert.deepEqual(await sendAll(scene), ['over up', 'still down'])
})

test('a delivery left for the next claim still says that its down alert was missed', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  for (const slug of ['a', 'b', 'c']) await scene.ping(slug, 'fail')
  const retryAt = scene.now + 1_000
  for (const message of await scene.claim())
    await scene.settle(message, { type: 'retry', error: 'away', retryAt })
  for (const slug of ['a', 'b', 'c']) await scene.ping(slug)
  scene.now = retryAt
  for (const rules of [{ grouped: true }, {}, {}]) {
    const [message, ...others] = await scene.claim('me', { messages: 1, rules })
    assert.deepEqual(others, [])
    const { change, missedDown, superseded } = message!.parts[0]!.due!
    assert.deepEqual([change.status, missedDown, superseded], ['up', true, 1])
    await scene.settle(message!, 'sent')
  }
  assert.deepEqual(await sendAll(scene), [])
})

test('a closing that failed permanently is sent when the channel is enabled again', async t => {
  for (const end of ['delete', 'pause'] as const) {
    const scene = await StoreHarness.open(t)
    const { id } = await scene.addChannel('A')
    await scene.ping('backup', 'fail')
    await sendAll(scene, INCIDENTS)
    const [uuid] = await scene.checkUuids()
    await scene.store.checks[end](scene.projectId, uuid!, scene.now)
    const [closing] = await scene.claim('me', INCIDENTS)
    const disabled = { type: 'notice' as const, title: 'A was disabled', text: '', url: '' }
    await scene.settle(closing!, { type: 'failed', error: 'gone', disabled })
    const { next } = await scene.store.alerts.dueChannels({ now: scene.now + 86_400_000, cursor: 0 })
    assert.ok(next! > scene.now + 86_400_000, 'nobody looks at it before')
    scene.now += 3 * 86_400_000
    await scene.store.channels.setEnabled(id, true, scene.now)
    assert.deepEqual(await sendAll(scene, INCIDENTS), [`backup ${end === 'delete' ? 'deleted' : 'paused'}`])
    assert.deepEqual(await sendAll(scene, INCIDENTS), [])
  }
})

test('a channel of an unknown kind loses nothing', async t => {
  const scene = await StoreHarness.open(t)
  const { id } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  await sendAll(scene, INCIDENTS)
  const [uuid] = await scene.checkUuids()
  await scene.store.checks.delete(scene.projectId, uuid!, scene.now)
  await scene.ping('other', 'fail')
  const from = { channelId: id, rules: null, messages: 9, deliveries: 9, sending: { down: 0, other: 0 } }
  const leaseUntil = scene.now + 10_000
  const take = { worker: 'old', now: scene.now, leaseUntil, inHand: [], channels: [from] }
  const { messages, dropped, large } = await scene.store.alerts.takeMessages(take)
  assert.deepEqual({ messages, dropped, large }, { messages: [], dropped: [], large: [] })
  assert.deepEqual(await sendAll(scene, INCIDENTS), [], 'it is not asked again at once')
  scene.now += 3_600_000
  assert.deepEqual(await sendAll(scene, INCIDENTS), ['backup deleted', 'other down'])
})

test('a new destination is sent what is down, but no end of what it was not sent', async t => {
  for (const inFlight of [false, true]) {
    const scene = await StoreHarness.open(t)
    const { store, projectId } = scene
    const { id } = await scene.addChannel('A', { url: 'old' })
    for (const slug of ['still', 'deleted', 'over']) await scene.ping(slug, 'fail')
    const down = inFlight ? await scene.claim('me', INCIDENTS) : []
    if (!inFlight) assert.equal((await sendAll(scene, INCIDENTS)).length, 3)
    const uuids = await scene.checkUuids()
    for (const uuid of uuids) {
      const { check } = await store.checks.pause(projectId, uuid, scene.now)
      await store.checks.resume(projectId, uuid, scene.now)
      if (check.slug === 'deleted') await store.checks.delete(projectId, uuid, scene.now)
      if (check.slug === 'still') await scene.ping('still', 'fail')
    }
    const edit = { id, projectId, name: 'A', settings: { url: 'new' }, members: [], redirected: true }
    await store.channels.update({ ...edit, now: scene.now })
    for (const message of down) await scene.settle(message, 'sent')
    const sent = await sendAll(scene, INCIDENTS)
    assert.ok(sent.includes('still down'))
    if (!inFlight) assert.deepEqual(sent, ['still down'], 'nothing else is open there')
    await scene.ping('still')
    assert.deepEqual(await sendAll(scene, INCIDENTS), ['still up'])
  }
})

test('messages under way to the old destination are sent to the new one', async t => {
  for (const outcome of ['sent', 'disabled', 'retry'] as const) {
    const scene = await StoreHarness.open(t)
    const { store, projectId } = scene
    const { id } = await scene.addChannel('A', { url: 'old' })
    await scene.ping('backup', 'fail')
    const [down] = await scene.claim()
    const edit = { id, projectId, name: 'A', settings: { url: 'new' }, members: [], redirected: true }
    await store.channels.update({ ...edit, now: scene.now })
    const disabled = { type: 'notice' as const, title: 'A was disabled', text: '', url: '' }
    const outcomes = {
      sent: 'sent' as const,
      disabled: { type: 'failed' as const, error: 'gone', disabled },
      retry: { type: 'retry' as const, error: 'away', retryAt: scene.now + 60_000 },
    }
    await scene.settle(down!, outcomes[outcome])
    assert.deepEqual(await sendAll(scene), ['backup down'], outcome)
    assert.deepEqual(await sendAll(scene), [])
    await scene.ping('backup')
    assert.deepEqual(await sendAll(scene), ['backup up'])
  }
})

test('a down alert that may have arrived is closed when its disabled channel is enabled', async t => {
  for (const isDown of [false, true]) {
    const scene = await StoreHarness.open(t)
    const { id } = await scene.addChannel('A')
    await scene.ping('backup', 'fail')
    const [cutOff] = await scene.claim('me', INCIDENTS)
    await scene.settle(cutOff!, { type: 'retry', error: 'cut off', retryAt: scene.now })
    const [refused] = await scene.claim('me', INCIDENTS)
    const disabled = { type: 'notice' as const, title: 'A was disabled', text: '', url: '' }
    await scene.settle(refused!, { type: 'failed', error: 'refused', disabled })
    if (!isDown) await scene.ping('backup')
    scene.now += 3_600_000
    assert.deepEqual(await sendAll(scene, INCIDENTS), [])
    await scene.store.channels.setEnabled(id, true, scene.now)
    assert.deepEqual(await sendAll(scene, INCIDENTS), [`backup ${isDown ? 'down' : 'up'}`])
    assert.deepEqual(await sendAll(scene, INCIDENTS), [])
  }
})

test('the closings for a deleted check keep the beginning of its description', async t => {
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  await scene.ping('backup')
  for (let index = 0; index < 3; index++) await scene.addChannel(`Pager ${index}`)
  await scene.ping('backup', 'fail')
  for (const down of await scene.claim('me', INCIDENTS)) await scene.settle(down, 'sent')
  const [uuid] = await scene.checkUuids()
  const { now } = scene
  await store.checks.update(projectId, uuid!, { changes: { desc: 'x'.repeat(200_000) }, now })
  await store.checks.delete(projectId, uuid!, now)
  const closings = (await scene.claim('me', INCIDENTS)).map(({ parts }) => parts[0]!.closing!)
  assert.deepEqual(
    closings.map(({ check, end, reported }) => [check.desc, end, reported]),
    Array.from({ length: 3 }, () => [`${'x'.repeat(999)}…`, 'deleted', true]),
  )
})
