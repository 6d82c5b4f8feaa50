/** What an alert says about what held it, with rows that are the same on both engines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

test('an alert names the last of what held it for this channel, and the first time since the failure', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  const { id: channelId } = await scene.addChannel('A')
  const { id: otherId } = await scene.addChannel('B')
  await scene.ping('backup', 'fail')
  const [incident] = await raw('SELECT id, check_id, flip_id, opened_at FROM incidents')
  const [incidentId, checkId, flipId, at] = ['id', 'check_id', 'flip_id', 'opened_at'].map(name =>
    Number(incident![name]),
  ) as [number, number, number, number]
  const held = async () => (await store.alerts.facts(checkId, flipId, { incidentId, channelId }))?.held
  const note = async (minutes: number, text: string, { channel = channelId, kind = 'held' } = {}) => {
    await raw(`INSERT INTO incident_events (incident_id, channel_id, created_at, kind, reason, text)
      VALUES (${incidentId}, ${channel}, ${at + minutes * 60_000}, '${kind}', 'silence', '${text}')`)
  }
  // Before the failure that is sent, a delay without words, another channel's, and a drop: none says what held it.
  await note(-1, 'silence “earlier”')
  await note(1, '')
  await note(2, 'silence “other”', { channel: otherId })
  await note(3, 'down', { kind: 'dropped' })
  assert.equal(await held(), null)
  await note(4, 'silence “backup”')
  assert.deepEqual(await held(), { by: 'silence “backup”', since: at + 4 * 60_000 })
  await note(9, 'silence “backup”, silence “holiday”')
  await note(10, '')
  const both = { by: 'silence “backup”, silence “holiday”', since: at + 4 * 60_000 }
  assert.deepEqual(await held(), both)
  assert.equal((await store.alerts.facts(checkId, flipId, null))?.held, null)
})
