/** On PostgreSQL an event can get a smaller ID than the creation of a webhook and be committed after it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { freshDatabase } from '../../_support/postgres.js'
import { testSettings } from '../../_support/worlds/store.js'

const UUID = '11111111-1111-4111-8111-111111111111'
const CREATED = 10_000_000

test('a webhook gets what happened after its creation, whatever the ID, and nothing older', async t => {
  const database = await freshDatabase()
  const store = await openPostgresStore(database.url, testSettings, { create: false })
  const client = new pg.Client(database.directUrl)
  t.after(async () => {
    await client.end()
    await store.close()
    await database.drop()
  })
  const { id } = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: 1 })
  const insert = (name: string, at: number) =>
    client.query(
      `INSERT INTO events (project_id, created_at, type, object_id, object_name)
       VALUES (${id}, ${at}, 'check.created', '', '${name}')`,
    )
  await client.connect()
  await insert('long ago', 5)
  await insert('just before', CREATED - 1)
  await client.query('BEGIN')
  await insert('drawn before, happened after', CREATED + 1)
  const asked = { name: 'Ops', url: 'https://example.org/', types: [], enabled: true, uuid: UUID }
  await store.events.createWebhook(id, { ...asked, secret: '', by: null, now: CREATED })
  await client.query('COMMIT')
  // A clock may be set back.
  await insert('after', CREATED - 5)

  const webhook = await store.events.webhook(id, UUID)
  const lease = { worker: 'w', now: CREATED, leaseUntil: CREATED + 60_000 }
  let claimed = await store.events.claimWebhook(webhook.id, lease)
  const got: string[] = []
  while (claimed) {
    const event = await store.events.nextEvent(claimed, 1_000)
    if (!event) break
    got.push(event.object.name)
    const sent = { eventId: event.id, type: event.type, at: CREATED, durationMs: 1, status: 200, error: '' }
    claimed = await store.events.settleWebhook(webhook.id, lease, sent, null)
  }
  assert.deepEqual(got, ['drawn before, happened after', 'after'])
})
