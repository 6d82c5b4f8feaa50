/** Events that were recorded before passwords in addresses of servers were masked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sealWebhookSecret } from '../../../src/lib/secrets/webhook-secret.js'
import { listenEvents } from '../../_support/servers/event-stream.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, project, store, clock } = world
const address = (password: string) => `https://me:${password}@gotify.example.org/`
const MASKED = 'https://me:••••••@gotify.example.org/'

const { uuid } = await store.channels.create({
  projectId: project.id,
  name: 'Phones',
  kind: 'gotify',
  settings: { url: address('current'), token: 't' },
  members: [],
  now: clock.now(),
})
const webhookUuid = '00000000-0000-4000-8000-000000000001'
await store.events.createWebhook(project.id, {
  name: 'Ops',
  url: 'https://receiver.example.org/',
  types: ['channel.updated'],
  enabled: true,
  uuid: webhookUuid,
  secret: sealWebhookSecret('k'.repeat(50), webhookUuid, 'whsec_test'),
  by: null,
  now: clock.now(),
})
const values = (password: string) => JSON.stringify({ 'settings.url': address(password) })
await world.raw(
  `INSERT INTO events (project_id, created_at, type, object_id, object_name, before, after)
   VALUES (${project.id}, ${clock.now()}, 'channel.updated', '${uuid}', 'Phones', '${values('s3cret-1')}', '${values('s3cret-2')}')`,
)
const { token } = await world.token({ userId: alice.id })

test('the page of changes shows no password of theirs', async () => {
  const { status, text } = await alice.get(`/projects/${project.uuid}/changes/?kind=channel&all=1`)
  assert.equal(status, 200)
  assert.ok(text.includes('me:••••••@'))
  assert.ok(!text.includes('s3cret'))
})

test('the log of the API has them masked', async () => {
  const query = `?project=${project.uuid}&type=channel.updated`
  const [event] = (await world.get(`/api/punctual/v1/log${query}`, token)).json.items
  assert.deepEqual([event.before, event.after], [{ 'settings.url': MASKED }, { 'settings.url': MASKED }])
})

test('a stream that resumes sends them masked', async () => {
  const stream = await listenEvents(world.root, token, {
    after: 0,
    query: `?project=${project.uuid}&type=channel.updated`,
  })
  const { before, after } = await stream.next()
  stream.close()
  assert.deepEqual([before, after], [{ 'settings.url': MASKED }, { 'settings.url': MASKED }])
})

test('a webhook is sent them masked', async () => {
  const { id } = (await store.events.webhook(project.id, webhookUuid))!
  const claim = { worker: 'w', now: clock.now(), leaseUntil: clock.now() + 60_000 }
  const webhook = (await store.events.claimWebhook(id, claim))!
  const { newest } = await store.events.head(0)
  const event = (await store.events.nextEvent(webhook, newest))!
  assert.deepEqual([event.before, event.after], [{ 'settings.url': MASKED }, { 'settings.url': MASKED }])
})
