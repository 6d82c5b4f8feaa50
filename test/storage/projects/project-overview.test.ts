import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const NOW = Date.UTC(2026, 0, 15, 12)
const MINUTE = 60_000

test('a run whose limit passed during an outage is still running until the hold ends', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: NOW })
  const { check } = await store.checks.create(project.id, {
    changes: { graceSeconds: 600 },
    unique: null,
    now: NOW,
  })
  await store.pings.record([arrivedPing({ uuid: check.uuid }, NOW, { action: 'start' })])
  const hold = [NOW + 9 * MINUTE, NOW + 11 * MINUTE, NOW + 20 * MINUTE]
  await raw(`INSERT INTO outages (started_at, ended_at, hold_until, partial) VALUES (${hold}, 0)`)

  const seenAt = async (at: number) => {
    const [overview] = await store.projects.overviews([project.uuid], at)
    const counts = await store.checks.stateCounts(project.id, at)
    for (const state of ['down', 'late', 'running', 'paused', 'new'] as const) {
      assert.equal(overview![state], counts[state], `${state}: as the list of the project has it`)
    }
    return { running: overview!.running, down: overview!.down }
  }
  assert.deepEqual(await seenAt(NOW + 5 * MINUTE), { running: 1, down: 0 })
  assert.deepEqual(await seenAt(NOW + 15 * MINUTE), { running: 1, down: 0 })
  assert.deepEqual(await seenAt(NOW + 20 * MINUTE), { running: 0, down: 1 })
})

test('an overview has each project in the requested order, with its newest ping', async t => {
  const { store, remove } = await openFreshStore()
  t.after(remove)
  const projects = []
  for (const name of ['a', 'b'])
    projects.push(await store.projects.create({ name, ownerId: null, pingKey: null, now: NOW }))
  const [a, b] = projects
  for (const minutes of [3, 7, 5]) {
    const { check } = await store.checks.create(b!.id, { changes: {}, unique: null, now: NOW })
    await store.pings.record([arrivedPing({ uuid: check.uuid }, NOW + minutes * MINUTE)])
  }
  const found = await store.projects.overviews([b!.uuid, a!.uuid], NOW + 10 * MINUTE)
  assert.deepEqual(
    found.map(({ uuid, checks, lastPing }) => [uuid, checks, lastPing]),
    [
      [b!.uuid, 3, NOW + 7 * MINUTE],
      [a!.uuid, 0, null],
    ],
  )
})
