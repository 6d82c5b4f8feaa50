/** What alerts need while requests use all of their connections. Decision 0112. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { LockedRows } from '../../_support/worlds/locked-rows.js'

test('what alerts need does not wait for the reads of requests', async t => {
  const world = await LockedRows.open(t)
  const { alice, store } = world
  await alice.ping('backup')
  const channel = await alice.addChannel('A')
  const [row] = await world.query('SELECT id::int4 FROM checks')
  const id = Number(row!.id)
  const other = new pg.Client({ connectionString: world.url })
  await other.connect()
  await other.query('BEGIN; LOCK TABLE silences IN ACCESS EXCLUSIVE MODE')
  let ended = 0
  const reads = Array.from({ length: 20 }, () =>
    store.silences.list(alice.projectId, alice.now).then(() => ended++),
  )
  assert.deepEqual(await store.alerts.channelsOfCheck(id), [channel.uuid])
  assert.deepEqual(await store.alerts.recipientFacts(channel.uuid, 'a@example.org'), { timeZone: null })
  assert.equal(await store.alerts.takeFromLimits([{ key: 'a', capacity: 1, periodMs: 1_000 }], alice.now), 0)
  assert.equal(await store.pings.largeBody(id, 1), null)
  assert.equal(ended, 0)
  await other.query('COMMIT')
  await other.end()
  await Promise.all(reads)
})
