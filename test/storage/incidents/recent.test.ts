/** The list of incidents on pages: its filters, what became of the alerts, and whether it has changed. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sendAll } from '../../_support/send-all.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000
const ALL = { from: 0, open: null as boolean | null, search: '', tag: '', channel: '' }

async function openScene(t: TestContext) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  const recent = async (
    filter: Partial<typeof ALL> = {},
    most = { open: 10, closed: 10 },
    after: { openedAt: number; id: number } | null = null,
  ) => await store.incidents.recent([project.uuid], { ...ALL, ...filter }, { most, after, now: scene.now })
  const names = async (filter: Partial<typeof ALL> = {}) =>
    (await recent(filter)).incidents.map(({ check }) => check.name)
  const seen = new Set<string>()
  /** Whether the list has a fingerprint that it did not have before. */
  const isNew = async () => {
    const before = seen.size
    return seen.add(await store.incidents.fingerprint([project.uuid])).size > before
  }
  return { scene, store, raw, recent, names, isNew }
}

test('the open incidents come first, and pages of the closed ones neither repeat nor lose any', async t => {
  const { scene, recent, store } = await openScene(t)
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await scene.ping(name, 'fail')
    // Two that began at the same instant are told apart.
    if (name !== 'c') scene.now += MINUTE
  }
  for (const name of ['a', 'c', 'd', 'e']) await scene.ping(name)
  const pages: string[][] = []
  let after: { openedAt: number; id: number } | null = null
  for (let more = true; more; ) {
    const page: Awaited<ReturnType<typeof recent>> = await recent({}, { open: 10, closed: 2 }, after)
    pages.push(page.incidents.map(({ check }) => check.name))
    after = page.incidents.at(-1)!
    more = page.more
  }
  assert.deepEqual(pages, [
    ['b', 'e', 'd'],
    ['c', 'a'],
  ])
  const { project } = (await recent()).incidents[0]!
  assert.equal(await store.incidents.recentlyClosed([project.uuid], ALL), 4)
  assert.equal(await store.incidents.recentlyClosed([project.uuid], { ...ALL, search: 'D' }), 1)
})

test('pages of the open incidents neither repeat nor lose any, and leave no closed one out', async t => {
  const { scene, recent } = await openScene(t)
  for (const name of ['over', 'a', 'b', 'c', 'd', 'e']) {
    await scene.ping(name, 'fail')
    if (name !== 'c') scene.now += MINUTE
  }
  await scene.ping('over')
  const most = { open: 2, closed: 2 }
  const first = await recent({}, most)
  assert.deepEqual([first.moreOpen, first.more], [true, false])
  const pages = [first.incidents.map(({ check }) => check.name)]
  let after = first.incidents[1]!
  for (let moreOpen = true; moreOpen; ) {
    const page: Awaited<ReturnType<typeof recent>> = await recent({ open: true }, most, after)
    pages.push(page.incidents.map(({ check }) => check.name))
    after = page.incidents.at(-1)!
    moreOpen = page.moreOpen
  }
  assert.deepEqual(pages, [['e', 'd', 'over'], ['c', 'b'], ['a']])
})

test('the filter by integration has what was sent to it', async t => {
  const { scene, store, names } = await openScene(t)
  await scene.ping('early', 'fail')
  await scene.ping('early')
  const { uuid } = await scene.addChannel('Chat')
  await scene.ping('late', 'fail')
  await sendAll(scene)
  assert.deepEqual(await names({ channel: uuid }), ['late'])
  const page = { after: null, limit: 5, now: scene.now }
  const { incidents } = await store.incidents.list(scene.projectId, { channel: uuid }, page)
  assert.deepEqual(
    incidents.map(({ check }) => check.name),
    ['late'],
  )
})

test('a check that alerts nobody is told from one whose alert is under way', async t => {
  const { scene, recent, store } = await openScene(t)
  await scene.ping('backup', 'fail')
  const integrations = async () => (await recent()).incidents[0]!.outcome.integrations
  assert.equal(await integrations(), 'none')
  const { id, uuid } = await scene.addChannel('Chat')
  const [check] = await scene.checkUuids()
  await store.channels.switchForCheck(scene.projectId, { check: check!, channel: uuid }, true, scene.now)
  assert.equal(await integrations(), 'some')
  await store.channels.setEnabled(id, false, scene.now)
  assert.equal(await integrations(), 'disabled')
})

test('an alert that nobody had to send counts as held, not as failed', async t => {
  const { scene, raw, recent } = await openScene(t)
  await scene.addChannel('Chat')
  const to = scene.now + 60 * MINUTE
  await raw(`INSERT INTO silences (project_id, mode, scope, from_at, to_at, reason, created_at, over_at)
    VALUES (${scene.projectId}, 'hold', '{"project":true}', ${scene.now - 1}, ${to}, 'night', ${scene.now}, ${to})`)
  await scene.ping('backup', 'fail')
  await sendAll(scene)
  scene.now += MINUTE
  await scene.ping('backup')
  await sendAll(scene)
  const { sent, failed, held } = (await recent()).incidents[0]!.outcome
  assert.deepEqual({ sent, failed, held }, { sent: 0, failed: 0, held: 'silence “night”' })
})

test('the exit status of the failure that opened an incident is kept', async t => {
  const { scene, recent } = await openScene(t)
  await scene.ping('backup', 'fail', { exitStatus: 2 })
  await scene.ping('backup', 'fail', { exitStatus: 7 })
  assert.deepEqual((await recent()).incidents[0]!.detail, { exitStatus: 2 })
})

test('the fingerprint changes with all that the list shows, and not otherwise', async t => {
  const { scene, store, recent, isNew } = await openScene(t)
  await scene.addChannel('Chat')
  assert.equal(await isNew(), true)
  for (const [what, change] of [
    ['opened', () => scene.ping('backup', 'fail')],
    ['sent', () => sendAll(scene)],
    [
      'acknowledged',
      async () => {
        const { id } = (await recent()).incidents[0]!
        const person = { by: 'Alice', now: scene.now, note: '', until: null }
        await store.incidents.acknowledge(scene.projectId, [id], person)
      },
    ],
    ['closed', () => scene.ping('backup')],
    ['reopened', () => scene.ping('backup', 'fail')],
  ] as const) {
    scene.now += MINUTE
    await change()
    assert.equal(await isNew(), true, what)
    scene.now += MINUTE
    assert.equal(await isNew(), false, `after ${what}`)
  }
})
