/** The search for checks in the store: what comes first, how many there are, and what is left out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openTestStore } from '../../_support/worlds/store.js'

const START = 1_700_000_000_000
const HOUR = 3_600_000

test('checks that are down, late and running long come first among all that match', async t => {
  const store = await openTestStore(t)
  const { id: ownerId } = await store.people.createUser({
    ...{ email: 'a@example.org', passwordHash: null, emailProven: true, now: START },
  })
  const project = await store.projects.create({ name: 'Alice', ownerId, pingKey: 'key', now: START })
  const uuids: string[] = []
  // More than are asked for by their IDs.
  for (let n = 0; n < 210; n++) {
    const asked = { changes: { name: `Job ${n}`, graceSeconds: 2 * 3_600 }, unique: null, now: START }
    uuids.push((await store.checks.create(project.id, asked)).check.uuid)
  }
  const ping = (n: number, action: 'success' | 'start' | 'fail', at: number) =>
    arrivedPing({ uuid: uuids[n]! }, at, { action })
  const now = START + 25 * HOUR
  await store.pings.record([
    ping(200, 'success', START),
    ping(201, 'start', now - 90 * 60_000),
    ping(202, 'fail', now),
    ping(203, 'success', now),
  ])
  const search = async (words: string[], skip: number, limit: number) => {
    const asked = { words, tags: [], recent: [], skip, limit }
    const { checks, count } = await store.checks.search([project], asked, now)
    return { numbers: checks.map(({ uuid }) => uuids.indexOf(uuid)), count }
  }
  assert.deepEqual(await search(['job'], 0, 5), { numbers: [202, 200, 201, 0, 1], count: 210 })
  assert.deepEqual(await search(['job'], 208, 5), { numbers: [208, 209], count: 210 })
  assert.deepEqual(await search(['20'], 0, 3), { numbers: [202, 200, 201], count: 12 })
  await store.checks.keepUndo({
    ...{ projectId: project.id, userId: ownerId, now },
    change: { plan: 'delete', checks: [uuids[202]!] },
  })
  assert.deepEqual(await search(['20'], 0, 2), { numbers: [200, 201], count: 11 })
})
