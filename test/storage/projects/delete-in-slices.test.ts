/** A project is deleted in transactions of a limited size, because others wait for each. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { recordPings } from '../../_support/record-pings.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const CHANNELS = 250
/** One more than are deleted together if each has 250 channels. */
const CHECKS = 17
/** More messages than are deleted together. */
const MESSAGES = 4_100

test('the checks, the channels and the incidents of a project are deleted by a few at a time', async t => {
  const { store, raw, remove } = await openFreshStore({ checkLimit: 1_000 })
  t.after(remove)
  const { id: projectId } = await store.projects.create({ name: 'A', ownerId: null, pingKey: 'key', now: 1 })
  const ping = async (place: number, action: 'success' | 'fail', at: number) => {
    const address = { pingKey: 'key', slug: `job-${place}`, create: true }
    await recordPings(store, [arrivedPing(address, at, { action })])
  }
  const now = Date.UTC(2026, 0, 15, 12)
  for (let place = 0; place < CHECKS; place++) await ping(place, 'success', now)
  const channels = Array.from(
    { length: CHANNELS },
    () => `('${randomUUID()}', ${projectId}, 'webhook', '{}', 1)`,
  )
  await raw(
    `INSERT INTO channels (uuid, project_id, kind, settings, created_at) VALUES ${channels.join(', ')}`,
  )
  await raw(
    'INSERT INTO check_channels (check_id, channel_id) SELECT c.id, h.id FROM checks c CROSS JOIN channels h',
  )
  for (let place = 0; place < 3; place++) await ping(place, 'fail', now + 1_000)
  const messages = Array.from({ length: MESSAGES }, () => `('${randomUUID()}', 1, 'down', 1, 1, 1)`)
  await raw(
    `INSERT INTO notifications (uuid, channel_id, check_status, attempt, created_at, kept) VALUES ${messages.join(', ')}`,
  )
  await raw('UPDATE notifications SET incident_id = (SELECT min(id) FROM incidents)')

  const TABLES = ['checks', 'channels', 'notifications', 'incidents'] as const
  const left = async () => {
    const counts: number[] = []
    for (const table of TABLES) counts.push(Number((await raw(`SELECT count(*) AS n FROM ${table}`))[0]!.n))
    return counts
  }
  const seen = [await left()]
  while (await store.projects.deleteSlice(projectId)) {
    const counts = await left()
    if (String(counts) !== String(seen.at(-1))) seen.push(counts)
  }
  const ofChannels = Array.from({ length: 12 }, (_, n) => [0, CHANNELS - 20 * (n + 1), MESSAGES, 3])
  assert.deepEqual(seen, [
    [CHECKS, CHANNELS, MESSAGES, 3],
    [1, CHANNELS, MESSAGES, 3],
    [0, CHANNELS, MESSAGES, 3],
    ...ofChannels,
    [0, 0, MESSAGES, 3],
    [0, 0, 100, 3],
    [0, 0, 0, 0],
  ])
  await store.projects.delete(projectId)
  assert.deepEqual(await raw('SELECT id FROM projects'), [])
})
