/** What a service says while it takes a message, and after. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { DeliverDeps } from '../../../src/actions/alerts/deliver.js'
import { deliver } from '../../../src/actions/alerts/deliver.js'
import { noteDeliveryStatus } from '../../../src/actions/alerts/note-delivery-status.js'
import { addChannel } from '../../../src/actions/channels/add-channel.js'
import { changeChannel } from '../../../src/actions/channels/change-channel.js'
import { testChannel } from '../../../src/actions/channels/test-channel.js'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import type { Store } from '../../../src/storage/store.js'
import { testWays } from '../../_support/alert.js'
import { FakeClock } from '../../_support/clock.js'
import { formOf, jsonOf } from '../../_support/recorded-text.js'
import { type Answer, openRecorder, type RecordedRequest } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const OPERATOR = {
  TELEGRAM_TOKEN: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
  TWILIO_ACCOUNT: 'AC0123456789',
  TWILIO_AUTH: 's3cretToken',
  TWILIO_FROM: '+15005550006',
}
const ROOT = 'https://monitor.example'

/** A check that is up, a channel of `kind` for it, and a recorder that stands in for the services. */
async function open(
  t: TestContext,
  kind: string,
  settings: Record<string, string>,
  respond: (request: RecordedRequest) => Answer,
) {
  const { url, requests } = await openRecorder(t, respond)
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  const clock = new FakeClock(scene.now)
  await scene.ping('backup')
  const wanted = { projectId, kind, name: 'Night', settings, asker: null, by: null }
  const { uuid } = await addChannel(store, clock, wanted)
  const routes = { 'https://api.telegram.org': url, 'https://api.twilio.com': url }
  const deps: DeliverDeps & { store: Store } = {
    ...testDelivery(store, clock),
    worker: 'me',
    site: { name: 'Punctual', root: ROOT },
    statusUrl: uuid => `${ROOT}/status/${uuid}`,
    transports: signal => testWays(null, { routes, signal }),
    operator: OPERATOR,
  }
  const deliverClaimed = async (claimed: ClaimedMessage[]) => {
    for (const message of claimed) await deliver(deps, message, new AbortController().signal, { check() {} })
  }
  const deliverAll = async () => deliverClaimed(await scene.claim())
  const channel = async () => (await store.channels.find(uuid))!
  return { scene, store, deps, requests, uuid, channel, deliverAll, deliverClaimed }
}

const moved: Answer = {
  status: 400,
  body: '{"ok":false,"description":"Bad Request: upgraded","parameters":{"migrate_to_chat_id":-100999}}',
}

/** Telegram, where the chat has moved; `atNewId` is what comes of a message to its new place. */
const openMovedChat = (t: TestContext, atNewId: Answer) =>
  open(t, 'telegram', { chat_id: '-123', chat_name: 'Ops' }, request =>
    jsonOf(request).chat_id === -123 ? moved : atNewId,
  )

test('changed settings from a service are stored with the channel and used next time', async t => {
  const { scene, requests, channel, deliverAll } = await openMovedChat(t, { body: '{"ok":true}' })
  await scene.ping('backup', 'fail')
  await deliverAll()
  const { settings, lastError } = await channel()
  assert.deepEqual([settings.chat_id, settings.chat_name, lastError], ['-100999', 'Ops', ''])
  await scene.ping('backup', 'success')
  await deliverAll()
  assert.deepEqual(
    requests.map(request => jsonOf(request).chat_id),
    [-123, -100999, -100999],
  )
})

test('changed settings are stored even if the message failed and is retried', async t => {
  const { scene, channel, deliverAll } = await openMovedChat(t, { status: 500 })
  await scene.ping('backup', 'fail')
  await deliverAll()
  const { settings, lastError, disabled } = await channel()
  assert.deepEqual([settings.chat_id, disabled], ['-100999', false])
  assert.equal(lastError, 'Received status code 500')
  scene.now += 3_600_000
  const [again] = await scene.claim()
  assert.equal(again?.channel.settings.chat_id, '-100999')
})

test('changed settings from a test message are stored, whether or not the test arrives', async t => {
  for (const answer of [{ body: '{"ok":true}' }, { status: 500 }]) {
    const { deps, uuid, channel } = await openMovedChat(t, answer)
    await testChannel(deps, uuid)
    assert.equal((await channel()).settings.chat_id, '-100999')
  }
})

test('concurrent changes of the channel are kept', async t => {
  const { scene, store, channel, deliverClaimed } = await openMovedChat(t, { body: '{"ok":true}' })
  await scene.ping('backup', 'fail')
  const claimed = await scene.claim()
  const { id, settings } = await channel()
  const changed = { ...settings, chat_name: 'Night shift' }
  await store.channels.update({
    id,
    projectId: scene.projectId,
    name: '',
    settings: changed,
    members: [],
    now: scene.now,
  })
  await deliverClaimed(claimed)
  const { chat_id, chat_name } = (await channel()).settings
  assert.deepEqual([chat_id, chat_name], ['-100999', 'Night shift'])
})

test('a chat that somebody chooses meanwhile stays, whatever is said of the one before', async t => {
  for (const tries of ['an alert', 'a test']) {
    const { scene, deps, store, uuid, channel, deliverClaimed } = await openMovedChat(t, {
      body: '{"ok":true}',
    })
    await scene.ping('backup', 'fail')
    const claimed = await scene.claim()
    const before = await channel()
    const settings = { ...before.settings, chat_id: '-555' }
    const choose = () =>
      changeChannel(store, { uuid, name: '', settings, kept: [], asker: null, by: null }, scene.now)
    if (tries === 'an alert') {
      await choose()
      await deliverClaimed(claimed)
    } else {
      const find = { ...store.channels, find: async () => before }
      await choose()
      await testChannel({ ...deps, store: { ...store, channels: find } }, uuid)
    }
    assert.equal((await channel()).settings.chat_id, '-555', tries)
  }
})

const openPhone = (t: TestContext) => open(t, 'sms', { phone: '+37121234567' }, () => ({ status: 201 }))

/** The notification that a message names as the place to report to. */
function reportedTo(request: RecordedRequest): string {
  const { StatusCallback } = formOf(request)
  const [, uuid] = /^https:\/\/monitor\.example\/status\/([0-9a-f-]{36})$/.exec(StatusCallback!)!
  return uuid!
}

test('a later report about a message is recorded on the attempt that sent it', async t => {
  const { scene, deps, requests, channel, deliverAll } = await openPhone(t)
  await scene.ping('backup', 'fail')
  await deliverAll()
  assert.equal((await channel()).lastError, '')
  const notificationUuid = reportedTo(requests[0]!)
  const error = 'Delivery failed (status=undelivered).'
  await noteDeliveryStatus(deps, { notificationUuid, error, disable: false, now: scene.now })
  assert.equal((await channel()).lastError, error)
})

test('a later report about a test message is recorded too', async t => {
  const { scene, deps, requests, uuid, channel } = await openPhone(t)
  await testChannel(deps, uuid)
  const notificationUuid = reportedTo(requests[0]!)
  await noteDeliveryStatus(deps, { notificationUuid, error: 'gone', disable: false, now: scene.now })
  assert.equal((await channel()).lastError, 'gone')
})

test('a report of an undelivered alert counts although another setting was changed since', async t => {
  const { scene, deps, requests, uuid, channel, deliverAll } = await openPhone(t)
  await scene.ping('backup', 'fail')
  await deliverAll()
  const { settings, name } = await channel()
  const fewer = { ...settings, hourly_limit: '10' }
  scene.now += 1_000
  await changeChannel(deps.store, { uuid, name, settings: fewer, kept: [], asker: null, by: null }, scene.now)
  const report = { notificationUuid: reportedTo(requests[0]!), error: 'gone', disable: false, now: scene.now }
  assert.ok(await noteDeliveryStatus(deps, report))
  assert.equal((await channel()).lastError, 'gone')
  await deliverAll()
  assert.equal(requests.length, 1, 'it would fail again')
  await changeChannel(deps.store, { uuid, name, settings, kept: [], asker: null, by: null }, scene.now)
  await deliverAll()
  assert.deepEqual(
    requests.map(request => formOf(request).To),
    ['+37121234567', '+37121234567'],
  )
})

test('a report about a digest counts although its first check was deleted', async t => {
  const { scene, deps, requests, channel, deliverClaimed } = await openPhone(t)
  for (const slug of ['backup', 'b', 'c', 'd', 'e', 'f']) await scene.ping(slug, 'fail')
  const [message] = await scene.claim('me', { rules: { grouped: true } })
  await deliverClaimed([message!])
  const first = await deps.store.alerts.facts(message!.parts[0]!.checkId!, message!.parts[0]!.flipId!)
  await deps.store.checks.delete(scene.projectId, first!.check.uuid, scene.now)
  const report = { notificationUuid: reportedTo(requests[0]!), error: 'gone', disable: false, now: scene.now }
  assert.ok(await noteDeliveryStatus(deps, report))
  assert.equal((await channel()).lastError, 'gone')
})

test('a report about a former phone number does not affect the new one', async t => {
  const { scene, deps, requests, uuid, channel, deliverAll } = await openPhone(t)
  await scene.ping('backup', 'fail')
  await deliverAll()
  const { settings, name } = await channel()
  const moved = { ...settings, phone: '+37127654321' }
  await changeChannel(deps.store, { uuid, name, settings: moved, kept: [], asker: null, by: null }, scene.now)
  const report = { notificationUuid: reportedTo(requests[0]!), error: 'gone', disable: true, now: scene.now }
  assert.ok(await noteDeliveryStatus(deps, report))
  const { disabled, lastError } = await channel()
  assert.deepEqual({ disabled, lastError }, { disabled: false, lastError: '' })
})
