/** Streams of events beside a transaction that stays open, of whichever database of the server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { listenEvents } from '../../../_support/servers/event-stream.js'
import { withDatabase } from '../../../_support/servers/postgres-server.js'
import { openWebWorld } from '../../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, clock, store, root } = world
const account = await world.account('Hers', alice.id)
const rename = async (name: string) => await store.projects.rename(account.projectId, name, clock.now())

/** Holds every event back that is written from now on. */
async function holdTransaction() {
  // Not the template itself: nobody could copy it.
  const client = new pg.Client(withDatabase(process.env.PUNCTUAL_TEST_TEMPLATE!, 'postgres'))
  await client.connect()
  await client.query('BEGIN; SELECT pg_current_xact_id()')
  return async () => {
    await client.query('COMMIT')
    await client.end()
  }
}

test('a new stream sends only what came after it, even if what came before is not final', async () => {
  const release = await holdTransaction()
  await rename('before')
  const stream = await listenEvents(root, account.rw)
  await rename('after')
  await release()
  assert.equal((await stream.next()).after?.name, 'after')
  stream.close()
})

test('a stream that resumes from an event that is not final repeats none', async () => {
  const release = await holdTransaction()
  for (const name of ['1', '2', '3']) await rename(name)
  const { items } = (await world.get('/api/punctual/v1/log?limit=2', account.rw)).json
  const stream = await listenEvents(root, account.rw, { after: items[1].id })
  await release()
  assert.equal((await stream.next()).after?.name, '3')
  stream.close()
})

test('the ID of no event begins with new ones', async () => {
  const stream = await listenEvents(root, account.rw, { after: 999_999_999 })
  await rename('new')
  assert.equal((await stream.next()).after?.name, 'new')
  stream.close()
})
