import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagePath } from '../../../src/actions/incidents/message-link.js'
import { createDeliveryDeps, createProcessTransports } from '../../../src/compose/delivery.js'
import { loadConfig } from '../../../src/config.js'
import { operatorSettings } from '../../../src/integrations/index.js'
import { claimMessages } from '../../_support/claim.js'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()

/** A channel with one notification under way. */
async function notification() {
  const { clock, store } = world
  const owner = await world.account()
  const { projectId } = owner
  const now = clock.now()
  const made = { projectId, name: '', kind: 'webhook', settings: {}, members: [], now }
  const { uuid: channelUuid } = await store.channels.create(made)
  const check = await world.check(owner, { channels: '*' })
  await world.ping(check, '/fail')
  const [message] = await claimMessages(store, now)
  const channel = async () => {
    const { lastError, disabled } = (await store.channels.find(channelUuid))!
    return { lastError, disabled }
  }
  return { uuid: message!.parts[0]!.notificationUuid, projectId, channel }
}

const KEY = 'known to the tests alone'

const config = loadConfig({ SECRET_KEY: KEY, SITE_ROOT: 'http://localhost:8000' }, operatorSettings)
const delivery = createDeliveryDeps(config, createProcessTransports(config), {
  store: world.store,
  worker: 'tests',
  bodies: null,
  onDelivery() {},
  onError() {},
})

/** The path that the service is given with the message. */
function statusPath(uuid: string): string {
  const { pathname, search } = new URL(delivery.statusUrl(uuid))
  return pathname + search
}

const report = (uuid: string, form: Record<string, string>, path = statusPath(uuid)) =>
  world.send('POST', path, {
    body: new URLSearchParams(form).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })

const REPORTS: [form: Record<string, string>, lastError: string, disabled: boolean][] = [
  [{ error: 'mailbox full' }, 'mailbox full', false],
  [{ error: 'no such user', mark_disabled: '1' }, 'no such user', true],
  [{ error: 'x'.repeat(300) }, 'x'.repeat(200), false],
  [{ MessageStatus: 'failed' }, 'Delivery failed (status=failed).', false],
  [{ MessageStatus: 'undelivered' }, 'Delivery failed (status=undelivered).', false],
  [{ MessageStatus: 'delivered' }, '', false],
  [{ CallStatus: 'failed' }, 'Delivery failed (status=failed).', false],
  [{ CallStatus: 'completed' }, '', false],
  [{ mark_disabled: '1' }, '', false],
  [{}, '', false],
]
for (const [form, lastError, disabled] of REPORTS) {
  const shown = new URLSearchParams(form).toString().slice(0, 60) || 'nothing'
  test(`a report of ${shown} leaves the channel's error "${lastError.slice(0, 40)}"`, async () => {
    const { uuid, channel } = await notification()
    const { status, text } = await report(uuid, form)
    assert.equal(status, 200)
    assert.equal(text, '')
    assert.deepEqual(await channel(), { lastError, disabled })
  })
}

test('the project’s other channels tell that one was disabled', async () => {
  const { uuid, projectId } = await notification()
  const now = world.clock.now()
  await world.store.channels.create({ projectId, name: '', kind: 'webhook', settings: {}, members: [], now })
  await report(uuid, { error: 'no such user', mark_disabled: '1' })
  const messages = await claimMessages(world.store, now, { worker: 'other' })
  assert.match(
    JSON.stringify(messages.map(({ parts }) => parts[0]!.notice)),
    /can no longer deliver through it: the service says “no such user”\. Alerts/,
  )
})

test('the notice quotes what a service says, in one line of at most 200 characters', async () => {
  const { uuid, projectId } = await notification()
  const now = world.clock.now()
  await world.store.channels.create({ projectId, name: '', kind: 'webhook', settings: {}, members: [], now })
  await report(uuid, { error: `gone”.\r\n\r\nYour bill is unpaid ${'x'.repeat(300)}`, mark_disabled: '1' })
  const messages = await claimMessages(world.store, now, { worker: 'other' })
  const { text } = messages[0]!.parts[0]!.notice as { text: string }
  const [, words] = /^Punctual can no longer deliver through it: the service says “([^“”\n\r]*)”\. /.exec(
    text,
  )!
  assert.match(words!, /^gone \. Your bill is unpaid x+$/)
  assert.equal(words!.length, 200)
})

test('who knows only the UUID of a notification, as readers of its message do, can report nothing', async () => {
  const { uuid, channel } = await notification()
  const inMessage = messagePath(KEY, { uuid, linkVersion: 0 }, uuid).split('/').at(-2)!
  const plain = `/api/v3/notifications/${uuid}/status`
  for (const path of [plain, `${plain}?signature=`, `${plain}?signature=${inMessage}`]) {
    const { status, text } = await report(uuid, { error: 'x', mark_disabled: '1' }, path)
    assert.deepEqual({ status, text }, { status: 200, text: '' })
  }
  const another = statusPath('00000000-0000-4000-8000-000000000000').split('?')[1]
  await report(uuid, { error: 'x', mark_disabled: '1' }, `${plain}?${another}`)
  assert.deepEqual(await channel(), { lastError: '', disabled: false })
})

test('news of unknown notifications and of those older than an hour are ignored', async () => {
  const { uuid, channel } = await notification()
  assert.equal((await report('00000000-0000-4000-8000-000000000000', { error: 'x' })).status, 200)
  world.clock.advance(3601)
  assert.equal((await report(uuid, { error: 'too late' })).status, 200)
  assert.equal((await channel()).lastError, '')
})

test('only POST is understood', async () => {
  const path = '/api/v3/notifications/00000000-0000-4000-8000-000000000000/status'
  for (const method of ['GET', 'PUT', 'HEAD']) assert.equal((await world.send(method, path)).status, 405)
})
