/** How much one search of outputs looks at. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { searchLastOutputs, searchLog } from '../../../src/actions/pings/search-outputs.js'
import { Refusal } from '../../../src/core/errors.js'
import type { Store } from '../../../src/storage/store.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openTestStore } from '../../_support/worlds/store.js'

const NOW = 1_700_000_000_000
const NEWEST = { before: null, limit: 50 }
const requireAccess = async () => {}
const readable = async <P>(projects: readonly P[]) => [...projects]

async function openLog(t: TestContext, count: number, size: number, settings = {}) {
  const store = await openTestStore(t, settings)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: NOW })
  const { check } = await store.checks.create(project.id, { changes: { name: 'A' }, unique: null, now: NOW })
  const body = new TextEncoder().encode(`${'x'.repeat(size - 6)}needle`)
  const pings = () => arrivedPing({ uuid: check.uuid }, NOW, { body })
  for (let n = 0; n < count; n += 20) await store.pings.record(Array.from({ length: 20 }, pings))
  return { store, project, uuid: check.uuid, body }
}

/** Moves all bodies that are waiting out of the database. */
async function upload(store: Store): Promise<void> {
  for (;;) {
    const claimed = await store.pings.claimUploads({ limit: 100, now: NOW, leaseUntil: NOW + 1 })
    if (claimed.length === 0) return
    await store.pings.confirmUploads(claimed.map(({ key }) => key))
  }
}

test('a search of a log ends after ten million bytes, and the next one goes on there', async t => {
  const { store, project, uuid } = await openLog(t, 140, 90_000)
  // A search also ends after two seconds, which a busy machine needs for fewer bytes.
  t.mock.method(performance, 'now', () => 0)
  const search = async (before: number | null) =>
    await searchLog(
      { store, bodies: null, requireAccess },
      project.id,
      { uuid },
      { text: 'none' },
      { before, limit: 50 },
    )
  const first = await search(null)
  assert.deepEqual([first.found, first.unread], [[], 0])
  // Parts of six outputs each; a part that was begun is finished.
  assert.ok(first.pings >= 112 && first.pings <= 118, String(first.pings))
  assert.equal(first.next, 140 - first.pings + 1)
  const second = await search(first.next)
  assert.deepEqual([second.pings, second.next], [140 - first.pings, null])
})

test('a search reads at most a hundred outputs from object storage', async t => {
  const { store, project, uuid, body } = await openLog(t, 140, 200, { objectStorage: true })
  await upload(store)
  const read: number[] = []
  const bodies = {
    read: async (_: string, n: number) => {
      read.push(n)
      return n === 41 || n === 40 ? body : new Uint8Array()
    },
  }
  const search = async (before: number | null) =>
    await searchLog(
      { store, bodies, requireAccess },
      project.id,
      { uuid },
      { text: 'NEEDLE' },
      { before, limit: 50 },
    )
  const first = await search(null)
  assert.deepEqual([read.length, first.pings, first.next, first.unread], [100, 100, 41, 0])
  assert.deepEqual(
    first.found.map(({ ping }) => ping.n),
    [41],
  )
  assert.deepEqual(
    (await search(first.next)).found.map(({ ping }) => ping.n),
    [40],
  )
})

test('outputs that cannot be read are counted, and a bug of the storage is no such thing', async t => {
  const { store, project, uuid } = await openLog(t, 20, 200, { objectStorage: true })
  await upload(store)
  const search = async (bodies: Parameters<typeof searchLog>[0]['bodies']) =>
    await searchLog({ store, bodies, requireAccess }, project.id, { uuid }, { text: 'needle' }, NEWEST)
  const away = await search({ read: () => Promise.reject(new Refusal('unavailable', 'away')) })
  assert.deepEqual([away.found, away.pings, away.unread, away.next], [[], 20, 20, null])
  assert.equal((await search(null)).unread, 20)
  await assert.rejects(search({ read: () => Promise.reject(new TypeError('a bug')) }), new TypeError('a bug'))
})

test('the last output of each check is searched, at most of three hundred', async t => {
  const { store, project } = await openLog(t, 20, 20)
  const asked = (name: string) => ({ changes: { name }, unique: null, now: NOW })
  for (let n = 0; n < 310; n++) {
    const { check } = await store.checks.create(project.id, asked(`Job ${n}`))
    const body = new TextEncoder().encode(n === 309 || n === 0 ? 'Needle' : 'other')
    await store.pings.record([arrivedPing({ uuid: check.uuid }, NOW + n, { body })])
  }
  const search = async (text: string, limit: number) =>
    await searchLastOutputs(
      { store, bodies: null, readable },
      [project],
      { text, tags: [], limit },
      NOW + 1_000,
    )
  const found = await search('needle', 10)
  assert.deepEqual(
    found.found.map(({ check, output, excerpt }) => [check.name, output.n, excerpt.found]),
    [['Job 309', 1, 'Needle']],
  )
  assert.deepEqual([found.looked, found.checks, found.unread], [300, 311, 0])
  const few = await search('other', 2)
  assert.deepEqual([few.found.length, few.looked], [2, 3])
})

test('who loses access while their search waits finds nothing that came after', async t => {
  const { store, project, uuid } = await openLog(t, 1, 200)
  const away = async () => {
    throw new Refusal('not-found', 'there is no such project')
  }
  const deps = { store, bodies: null, requireAccess: away, readable: async () => [] }
  await assert.rejects(searchLog(deps, project.id, { uuid }, { text: 'needle' }, NEWEST), {
    code: 'not-found',
  })
  const asked = { text: 'needle', tags: [], limit: 10 }
  const { found, checks } = await searchLastOutputs(deps, [project], asked, NOW + 1_000)
  assert.deepEqual([found, checks], [[], 0])
})
