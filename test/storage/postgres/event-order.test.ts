/** On PostgreSQL, events are not committed in the order of their IDs: the feed waits for those that may still come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { EventFeed } from '../../../src/actions/events/event-feed.js'
import type { RecordedEvent } from '../../../src/core/events/event.js'
import { Changes } from '../../../src/lib/changes.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { eventually } from '../../_support/eventually.js'
import { freshDatabase } from '../../_support/postgres.js'
import { testSettings } from '../../_support/worlds/store.js'

test('an event is passed on only after those with smaller IDs that are committed later', async t => {
  const database = await freshDatabase()
  const store = await openPostgresStore(database.url, testSettings, { create: false })
  t.after(async () => {
    await store.close()
    await database.drop()
  })
  const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: 1 })
  const feed = new EventFeed({ store, changes: new Changes(), onError: error => assert.fail(String(error)) })
  const heard: RecordedEvent[] = []
  // Transactions of other tests hold the event of the project back.
  await eventually(async () => (await feed.final()) >= (await store.events.head(0)).newest)
  const { stop } = await feed.listen({ projectId: project.id, hear: events => heard.push(...events) })
  // First of all, or a failure would leave the feed running.
  t.after(stop)
  const client = new pg.Client(database.directUrl)
  await client.connect()
  // The change comes before its event, as in every method of the store.
  const begin = async (name: string) => {
    await client.query('BEGIN')
    await client.query(`INSERT INTO meta VALUES ('${name}', '')`)
    await client.query(
      `INSERT INTO events (project_id, created_at, type, object_id, object_name)
       VALUES (${project.id}, 1, 'check.created', '', '${name}')`,
    )
  }
  for (const [late, end] of [
    ['committed', 'COMMIT'],
    ['rolled back', 'ROLLBACK'],
  ] as const) {
    heard.length = 0
    await begin(late)
    await store.projects.rename(project.id, `after ${late}`, 1)
    // A transaction that begins later and ends earlier changes nothing.
    await store.projects.rename(project.id, `then ${late}`, 1)
    const { newest } = await store.events.head(0)
    assert.ok((await feed.final()) < newest - 1)
    assert.ok(feed.waits)
    assert.equal(heard.length, 0)
    await client.query(end)
    const expected = [...(end === 'COMMIT' ? [late] : []), `after ${late}`, `then ${late}`]
    await eventually(() => heard.length >= expected.length)
    assert.deepEqual(
      heard.map(({ object }) => object.name),
      expected,
    )
    const ids = heard.map(({ id }) => id)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
  }
  stop()
  await client.end()
})
