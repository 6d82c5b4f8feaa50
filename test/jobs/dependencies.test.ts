/** The job that ends the holds of dependencies, and a storm under one check. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type DependenciesDeps, dependenciesJob } from '../../src/jobs/dependencies.js'
import type { ParentState } from '../../src/storage/incidents/release-dependants.js'
import { arrivedPing } from '../_support/arrived-ping.js'
import { claimMessages, settleMessage } from '../_support/claim.js'
import { eventually } from '../_support/eventually.js'
import { recordPings } from '../_support/record-pings.js'
import { openFreshStore } from '../_support/worlds/store.js'

const MINUTE = 60_000
const CHILDREN = Number(process.env.STORM_CHILDREN ?? 600)

test('a storm under one check sends its message alone, and afterwards what is still down', async t => {
  const { store, raw, remove } = await openFreshStore({ checkLimit: CHILDREN + 1 })
  t.after(remove)
  const { id: projectId } = await store.projects.create({ name: 'A', ownerId: null, pingKey: 'key', now: 1 })
  let now = Date.UTC(2026, 0, 15, 12)
  const ping = async (slugs: readonly string[], action: 'success' | 'fail') => {
    for (let from = 0; from < slugs.length; from += 50) {
      const some = slugs.slice(from, from + 50)
      const address = (slug: string) => ({ pingKey: 'key', slug, create: true })
      await recordPings(
        store,
        some.map(slug => arrivedPing(address(slug), now, { action })),
      )
    }
  }
  const children = Array.from({ length: CHILDREN }, (_, index) => `child-${index}`)
  await ping(['router', ...children], 'success')
  await store.channels.create({ projectId, name: 'Chat', kind: 'webhook', settings: {}, members: [], now })
  await raw(`WITH c AS MATERIALIZED (SELECT id FROM checks), r AS (SELECT min(id) AS id FROM c)
    INSERT INTO check_parents (check_id, parent_id) SELECT c.id, r.id FROM c, r WHERE c.id <> r.id`)
  const send = async () => {
    const sent: string[] = []
    for (;;) {
      const messages = await claimMessages(store, now, { messages: 2_000, deliveries: 2_000 })
      for (const message of messages) {
        await settleMessage(store, message, now, 'sent')
        sent.push(`${message.parts[0]!.checkId} ${message.parts[0]!.flip!.newStatus}`)
      }
      const [due] = await raw(`SELECT count(*) AS n FROM deliveries WHERE due_at <= ${now}`)
      if (messages.length === 0 && Number(due!.n) === 0) return sent
    }
  }
  await ping(['router'], 'fail')
  await ping(children, 'fail')
  const down = performance.now()
  assert.equal((await send()).length, 1)
  t.diagnostic(`planned and held in ${Math.round(performance.now() - down)} ms`)

  now += MINUTE
  const back = performance.now()
  await ping(['router'], 'success')
  t.diagnostic(`the ping that ends it took ${Math.round(performance.now() - back)} ms`)
  const errors: unknown[] = []
  const job = dependenciesJob({ store, clock: { now: () => now }, onError: error => errors.push(error) })
  job.start()
  const ended = async () => (await store.incidents.ended(now)).length === 0
  await eventually(ended)
  await job.stop()
  t.diagnostic(`released after ${Math.round(performance.now() - back)} ms`)
  assert.deepEqual(errors, [])
  const [due] = await raw(`SELECT count(*) AS n FROM deliveries WHERE due_at <= ${now}`)
  assert.equal(Number(due!.n), CHILDREN + 1)
  assert.equal((await send()).length, 1)
  const lasting = children.slice(0, 5)
  await ping(children.slice(5), 'success')
  now += 15 * MINUTE
  assert.deepEqual(
    (await send()).map(sent => sent.split(' ')[1]),
    lasting.map(() => 'down'),
  )
})

test('projects take turns, so that nobody waits for the many releases of another', async t => {
  const ended = (projectId: number, count: number) =>
    Array.from({ length: count }, (_, id) => ({ id, checkId: id, projectId, closedAt: 1 }))
  const turns: number[] = []
  const left = [[...ended(1, 250), ...ended(2, 1)]]
  runJob(t, {
    ended: async () => left.pop() ?? [],
    someDependant: async () => false,
    parentStates: async () => [],
    releaseDependants: async ({ projectId }) => {
      turns.push(projectId)
      return RELEASED
    },
  })
  await eventually(async () => turns.length === 4)
  assert.deepEqual(turns, [1, 2, 1, 1])
})

test('a check is looked at again only after it pinged or its state changed', async t => {
  let parents = [parent(1, 100), parent(2, 100), { ...parent(3, null), status: 'down' as const }]
  const released: (readonly number[])[] = []
  let looks = 0
  runJob(t, {
    ended: async () => [],
    someDependant: async () => {
      looks++
      return true
    },
    parentStates: async () => parents,
    releaseDependants: async ({ checkIds }) => {
      released.push(checkIds)
      return RELEASED
    },
  })
  await eventually(async () => looks === 3)
  assert.deepEqual(released, [[1, 2]], 'all of them first, in one transaction')
  parents = [parent(1, 100), parent(2, 200), { ...parent(3, null), status: 'paused' as const }]
  await eventually(async () => looks === 5)
  assert.deepEqual(released.slice(1), [[2], [3]])
})

function parent(id: number, lastPing: number | null): ParentState {
  return { id, projectId: 1, status: 'up', lastPing }
}

const RELEASED = { next: null, alerts: true, checks: false } as const

/** Runs the job with a store that has only these methods, until the test ends. */
function runJob(t: TestContext, incidents: DependenciesDeps['store']['incidents']): void {
  const job = dependenciesJob({ store: { incidents }, clock: { now: () => 1 }, onError: assert.fail })
  t.after(() => job.stop())
  job.start()
}
