/** Incidents whose checks have thousands of channels together are acknowledged in several transactions. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { acknowledgeInSlices } from '../../../src/actions/incidents/acknowledge-incidents.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { recordPings } from '../../_support/record-pings.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const CHANNELS = 50
/** A transaction writes 1,000 rows for channels. */
const ROOM = 20
const CHECKS = 30

/** Checks that are down, each with 50 channels. */
async function openScene(t: TestContext) {
  const { store, raw, remove } = await openFreshStore({ checkLimit: 1_000 })
  t.after(remove)
  const { id: projectId } = await store.projects.create({ name: 'A', ownerId: null, pingKey: 'key', now: 1 })
  for (let n = 0; n < CHANNELS; n++) {
    const asked = { projectId, name: `Channel ${n}`, kind: 'webhook', settings: {}, members: [], now: 1 }
    await store.channels.create(asked)
  }
  const now = Date.UTC(2026, 0, 15, 12)
  const ping = async (place: number, action: 'success' | 'fail', at: number) => {
    const address = { pingKey: 'key', slug: `job-${place}`, create: true }
    await recordPings(store, [arrivedPing(address, at, { action })])
  }
  for (let place = 0; place < CHECKS; place++) {
    await ping(place, 'success', now)
    await ping(place, 'fail', now + 1_000)
  }
  const found = await raw(`
    SELECT i.id, d.slug, c.uuid FROM incidents i JOIN checks c ON c.id = i.check_id JOIN check_details d ON d.check_id = c.id
    ORDER BY i.check_id`)
  const incidents = found.map(row => ({ id: Number(row.id), slug: String(row.slug), uuid: String(row.uuid) }))
  const count = async (what: string) => Number((await raw(`SELECT count(*) AS n FROM ${what}`))[0]!.n)
  return {
    ...{ store, raw, projectId, ping, incidents },
    ids: incidents.map(({ id }) => id),
    asked: { by: 'Alice', now: now + 2_000, note: 'on it', until: now + 60_000 },
    acknowledged: async () => await count('incidents WHERE ack_at IS NOT NULL'),
    rows: async () => await count('incident_channels'),
  }
}

test('incidents with thousands of channels are acknowledged by a few in each transaction', async t => {
  const { store, projectId, ids, asked, acknowledged, rows } = await openScene(t)
  const first = await store.incidents.acknowledge(projectId, ids, asked)
  assert.deepEqual([first.acknowledged.length, first.left], [ROOM, ids.slice(ROOM)])
  assert.deepEqual([await acknowledged(), await rows()], [ROOM, ROOM * CHANNELS])
  // Now they have rows, which count as their channels did.
  const again = await acknowledgeInSlices(store, projectId, ids.toReversed(), asked)
  assert.deepEqual(again, ids)
  assert.deepEqual([await acknowledged(), await rows()], [CHECKS, CHECKS * CHANNELS])
})

test('a single incident that is not of the project keeps all others from being acknowledged', async t => {
  const { store, projectId, ids, asked, acknowledged } = await openScene(t)
  const { id: other } = await store.projects.create({ name: 'B', ownerId: null, pingKey: 'key2', now: 1 })
  const wrong = acknowledgeInSlices(store, projectId, [...ids, 999_999], asked)
  await assert.rejects(wrong, { code: 'not-found' })
  await assert.rejects(acknowledgeInSlices(store, other, ids, asked), { code: 'forbidden' })
  assert.equal(await acknowledged(), 0)
})

test('what closes or is gone between two transactions is passed over, and the others are acknowledged', async t => {
  const { store, projectId, incidents, ids, asked, ping, raw } = await openScene(t)
  const [gone, recovered] = incidents.slice(-2)
  let calls = 0
  const meanwhile = {
    incidents: {
      async acknowledge(...args: Parameters<typeof store.incidents.acknowledge>) {
        if (calls++ === 1) {
          await ping(Number(recovered!.slug.replace('job-', '')), 'success', asked.now)
          await raw(`DELETE FROM incidents WHERE id = ${gone!.id}`)
        }
        return await store.incidents.acknowledge(...args)
      },
    },
  }
  const done = await acknowledgeInSlices(meanwhile, projectId, ids, asked)
  assert.deepEqual(
    done,
    ids.filter(id => id !== gone!.id && id !== recovered!.id),
  )
  assert.equal(calls, 2)
})
