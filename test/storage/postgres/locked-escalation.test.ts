/** Steps of policies while another transaction has locked what one project's need. Decision 0157. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { addCheck, LockedRows } from '../../_support/worlds/locked-rows.js'
import type { StoreHarness } from '../../_support/worlds/store-harness.js'

const STEP_S = 900
const SECOND = 1_000

/** What is locked of Alice's project: the table, and the condition for its rows. */
const LOCKED: [string, string, (ids: Ids) => string][] = [
  ['a channel', 'channels', ({ phone }) => `id = ${phone}`],
  ['the check', 'checks', ({ check }) => `id = ${check}`],
  ['the progress of a policy', 'incident_channels', ({ phone }) => `channel_id = ${phone}`],
]

interface Ids {
  phone: number
  check: number
}

for (const [what, table, condition] of LOCKED) {
  test(`a step waits while ${what} is locked, and the steps of others do not`, async t => {
    const world = await LockedRows.open(t)
    const { alice, bob, store } = world
    const phones = [await openIncident(alice), await openIncident(bob)] as const
    const [row] = await world.query(`SELECT id FROM checks WHERE project_id = ${alice.projectId}`)
    alice.now += STEP_S * SECOND
    const unlock = await world.lock(table, condition({ phone: phones[0], check: Number(row!.id) }))
    const reached = async () => {
      const rows = await world.query(
        "SELECT channel_id::int4 AS id FROM deliveries WHERE again = 'step' ORDER BY id",
      )
      return rows.map(({ id }) => id)
    }
    for (let [looked, after] = [1, 0]; looked > 0 || after > 0; ) {
      // One at a time: what is locked comes first, and must not be in the way.
      const result = await store.incidents.escalate(alice.now, 1, after)
      looked = result.looked
      after = result.after
    }
    assert.deepEqual(await reached(), [phones[1]])
    await unlock()
    alice.now += SECOND
    await store.incidents.escalate(alice.now, 1)
    assert.deepEqual(await reached(), phones)
  })
}

test('of a closed incident the channels are ended whose progress is not locked', async t => {
  const world = await LockedRows.open(t)
  const { alice, store } = world
  const phone = await openIncident(alice)
  const { id: chat } = await alice.addChannel('Chat')
  await store.channels.assign({ id: chat, projectId: alice.projectId, checks: [], now: alice.now })
  await world.query(`INSERT INTO incident_channels (incident_id, check_id, channel_id, is_target, reached, steps, repeats, look_at, clock_ms, clock_at)
    SELECT incident_id, check_id, ${chat}, is_target, reached, steps, repeats, look_at, clock_ms, clock_at FROM incident_channels`)
  const [row] = await world.query('SELECT uuid FROM checks')
  alice.now += STEP_S * SECOND
  await store.pings.record([arrivedPing({ uuid: String(row!.uuid) }, alice.now)])
  // It cannot be reopened any more.
  alice.now += 900 * SECOND
  const due = async () => {
    const rows = await world.query(
      `SELECT channel_id::int4 AS id FROM incident_channels WHERE look_at <= ${alice.now} ORDER BY id`,
    )
    return rows.map(({ id }) => id)
  }
  assert.deepEqual(await due(), [phone, chat])
  const unlock = await world.lock('incident_channels', `channel_id = ${chat}`)
  await store.incidents.escalate(alice.now, 10)
  assert.deepEqual(await due(), [chat])
  await unlock()
  await store.incidents.escalate(alice.now, 10)
  assert.deepEqual(await due(), [])
})

/** A check that goes down now, and a policy whose only step to the returned channel comes after 15 minutes. */
async function openIncident(scene: StoreHarness): Promise<number> {
  const { store, projectId, now } = scene
  const check = await addCheck(scene, 'backup')
  const { id, uuid } = await scene.addChannel('Phone')
  await store.channels.assign({ id, projectId, checks: [], now })
  const steps = [{ after: STEP_S, channels: [uuid] }]
  await store.incidents.createPolicy(projectId, {
    name: 'On call',
    isDefault: true,
    steps,
    repeat: null,
    now,
  })
  await store.pings.record([arrivedPing({ uuid: check }, now, { action: 'fail' })])
  return id
}
