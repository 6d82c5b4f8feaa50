/** Strips of runs, of whose pings the thread that reads keeps those that it has read. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StoreSettings } from '../../../src/storage/db.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore } from '../../_support/worlds/store.js'

async function openStrip(t: TestContext, settings: Partial<StoreSettings> = {}) {
  const fresh = await openFreshStore(settings)
  t.after(fresh.remove)
  const { store, raw } = fresh
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const { check } = await store.checks.create(project.id, { changes: {}, unique: null, now: 1 })
  let at = 1_000
  return {
    store,
    raw,
    project,
    uuid: check.uuid,
    /** Sends pings with these outcomes: `s` is a success, `f` a failure, `l` a log. */
    async ping(outcomes: string) {
      const actions = { s: 'success', f: 'fail', l: 'log' } as const
      for (const letter of outcomes) {
        at += 1_000
        const action = actions[letter as keyof typeof actions]
        await store.pings.record([arrivedPing({ uuid: check.uuid }, at, { action })])
      }
    },
    async strip(): Promise<string> {
      const [row] = await store.checks.listByUuid(project, [check.uuid], at)
      return row!.strip.outcomes.map(outcome => outcome[0]).join('')
    },
  }
}

test('a strip has each ping that arrived since it was last read', async t => {
  const { ping, strip } = await openStrip(t)
  assert.equal(await strip(), '')
  await ping('sfs')
  assert.equal(await strip(), 'sfs')
  assert.equal(await strip(), 'sfs')
  await ping('ff')
  assert.equal(await strip(), 'sfsff')
})

test('a strip has the last 30 runs of the last 75 pings, however many were read before', async t => {
  const { ping, strip } = await openStrip(t)
  await ping('f'.repeat(40))
  assert.equal(await strip(), 'f'.repeat(30))
  await ping('s')
  assert.equal(await strip(), `${'f'.repeat(29)}s`)
  await ping('l'.repeat(74))
  assert.equal(await strip(), 's')
  await ping('l')
  assert.equal(await strip(), '')
})

test('a strip forgets the pings of a check whose events were cleared', async t => {
  const { store, project, uuid, ping, strip } = await openStrip(t)
  await ping('sfs')
  assert.equal(await strip(), 'sfs')
  await store.pings.clearEvents(project.id, uuid, 10_000)
  assert.equal(await strip(), '')
  await ping('f')
  assert.equal(await strip(), 'f')
})

test('a strip is that of the stored pings when another process deletes some or imports older ones', async t => {
  const { raw, ping, strip } = await openStrip(t)
  await ping('sfssf')
  assert.equal(await strip(), 'sfssf')
  await raw('DELETE FROM pings WHERE n <= 2')
  assert.equal(await strip(), 'ssf')
  await raw(`INSERT INTO pings (check_id, n, created_at, created_us, kind, scheme, method, ua)
             SELECT check_id, n - 2, 1500, 0, 'fail', 'http', 'GET', '' FROM pings WHERE n = 3`)
  assert.equal(await strip(), 'fssf')
})

test('a strip has no pings beyond the limit of the log', async t => {
  const { ping, strip } = await openStrip(t, { pingLogLimit: 3 })
  await ping('fs')
  assert.equal(await strip(), 'fs')
  await ping('ss')
  assert.equal(await strip(), 'sss')
})

test('a check page has the runs that a strip left out', async t => {
  const { store, project, uuid, ping, strip } = await openStrip(t)
  await ping('s'.repeat(80))
  assert.equal(await strip(), 's'.repeat(30))
  const runs = async () => (await store.checks.facts(project.id, uuid, 100_000)).runs.map(({ n }) => n)
  const numbers = (to: number) => Array.from({ length: to }, (_, index) => index + 1)
  assert.deepEqual(await runs(), numbers(80))
  await ping('f')
  assert.deepEqual(await runs(), numbers(81))
})
