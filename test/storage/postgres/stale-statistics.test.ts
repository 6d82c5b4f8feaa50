/** Statistics of tables that have grown since they were made: they choose how PostgreSQL joins them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_CHANNELS } from '../../../src/core/projects/most-channels.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

test('a check of many channels fails while statistics say that there are none', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const { id } = await store.projects.create({ name: 'alice', ownerId: null, pingKey: 'alice', now: 1 })
  const alice = new StoreHarness(store, id, undefined, 'alice')
  for (let index = 0; index < MOST_CHANNELS; index++) await alice.addChannel(`Channel ${index}`)
  const uuids: string[] = []
  for (let n = 0; n < 8; n++) {
    const { check } = await store.checks.create(id, { changes: {}, channels: '*', unique: null, now: 1 })
    uuids.push(check.uuid)
  }
  await raw(
    `UPDATE pg_class SET relpages = 1, reltuples = 0 WHERE relname IN ('channels', 'group_members', 'check_channels')`,
  )
  const { outcomes } = await store.pings.record(
    uuids.slice(0, 2).map(uuid => arrivedPing({ uuid }, 2_000_000, { action: 'fail' })),
  )
  assert.deepEqual(outcomes, ['ok', 'ok'])
})
