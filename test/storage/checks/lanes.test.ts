/** What the checks of several projects did between two instants: runs, missed runs, downtimes and outages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lane } from '../../../src/core/checks/lanes/lane.js'
import { partOfCheck, partOfProject } from '../../../src/storage/instance/parts.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function openScene(t: { after(end: () => Promise<void>): void }, settings = {}) {
  const { store, remove } = await openFreshStore(settings)
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const other = await store.projects.create({ name: 'Bob', ownerId: null, pingKey: 'other', now: 1 })
  const scene = new StoreHarness(store, project.id)
  const start = scene.now
  const ask = async (
    from: number,
    to: number,
    {
      search = '',
      tag = '',
      uuids = [project.uuid],
    }: { search?: string; tag?: string; uuids?: string[] } = {},
  ) => {
    const range = { from: start + from, to: start + to }
    const askFor = async (check: string) => {
      const asked = { search, tag, all: true, asList: false, check }
      return await store.checks.lanes(uuids, range, asked, scene.now)
    }
    const { found, ...others } = await askFor('')
    const lanes: Lane[] = []
    // Of those that are not chosen only what is drawn is returned.
    for (const { check } of found.lanes) lanes.push((await askFor(check.uuid)).found.chosen!)
    return { ...found, ...others, lanes }
  }
  /** Lanes in words: `backup: success 0-5, failed 60`, in minutes since the start. */
  const words = ({ check, runs }: Lane) =>
    `${check.name}: ${runs.map(({ outcome, from, to }) => [outcome, ...spanOf(from, to)].join(' ')).join(', ')}`
  const spanOf = (from: number, to: number) => {
    const minute = (at: number) => (at === Number.POSITIVE_INFINITY ? 'on' : String((at - start) / MINUTE))
    return from === to ? [minute(from)] : [`${minute(from)}-${minute(to)}`]
  }
  return { store, scene, start, ask, words, project, other }
}

test('a lane has the runs that reach into the range, with their starts before it', async t => {
  const { scene, start, ask, words } = await openScene(t)
  for (const at of [0, 60, 120, 180]) {
    scene.now = start + at * MINUTE
    await scene.ping('backup', 'start')
    scene.now += 5 * MINUTE
    await scene.ping('backup', at === 120 ? 'fail' : 'success')
  }
  scene.now = start + 240 * MINUTE
  await scene.ping('backup', 'start')
  const found = await ask(62 * MINUTE, 4 * HOUR + 1)
  assert.deepEqual(found.lanes.map(words), [
    'backup: success 60-65, failed 120-125, success 180-185, running 240-on',
  ])
  assert.equal(found.lanes[0]!.count, 6, 'the pings in the range')
  assert.deepEqual(
    found.lanes[0]!.down.map(({ from, to }) => [from - start, to - start]),
    [[125 * MINUTE, 185 * MINUTE]],
  )
  const between = await ask(6 * MINUTE, 59 * MINUTE)
  assert.deepEqual([between.lanes, between.quiet], [[], 1])
})

test('a missed run is at its due time, and a run that took too long is its start', async t => {
  const { scene, store, start, ask, words } = await openScene(t)
  await scene.ping('silent')
  await scene.ping('slow', 'start')
  scene.now = start + 24 * HOUR + 2 * HOUR
  while ((await store.alerts.declareDown(scene.now, 100, null)).more);
  const found = await ask(0, 30 * HOUR)
  assert.deepEqual(found.lanes.map(words).sort(), ['silent: success 0, missed 1440', 'slow: overrun 0'])
})

test('only the checks of these projects are in it, by name and tag', async t => {
  const { scene, store, start, ask, project, other } = await openScene(t)
  await scene.ping('database')
  await scene.ping('Mail')
  const asked = { changes: { name: 'theirs', slug: 'theirs' }, unique: null, now: start }
  const { check } = await store.checks.create(other.id, asked)
  await store.pings.record([arrivedPing({ uuid: check.uuid }, start)])
  const names = async (...args: Parameters<typeof ask>) =>
    (await ask(...args)).lanes.map(({ check }) => check.name).sort()
  assert.deepEqual(await names(0, 1), ['Mail', 'database'])
  assert.deepEqual(await names(0, 1, { search: 'DATA' }), ['database'])
  assert.deepEqual(await names(0, 1, { search: '%' }), [])
  assert.deepEqual(await names(0, 1, { tag: 'prod' }), [])
  assert.deepEqual(await names(0, 1, { uuids: [project.uuid, other.uuid] }), ['Mail', 'database', 'theirs'])
  assert.deepEqual(await names(0, 1, { uuids: [] }), [])
})

test('pings outside the range are not read, however long the log', async t => {
  const { scene, start, ask, words } = await openScene(t, { pingLogLimit: 40 })
  for (let minute = 0; minute < 100; minute++) {
    scene.now = start + minute * MINUTE
    await scene.ping('often')
  }
  assert.deepEqual((await ask(70 * MINUTE, 73 * MINUTE)).lanes.map(words), [
    'often: success 70, success 71, success 72',
  ])
  assert.deepEqual((await ask(0, 59 * MINUTE)).lanes, [], 'they are not stored any more')
  assert.equal((await ask(0, 500 * MINUTE)).lanes[0]!.count, 40)
})

test('of a check with very many pings only the failures are drawn', async t => {
  const { scene, start, ask, words } = await openScene(t, { pingLogLimit: 10_000 })
  for (let batch = 0; batch < 5; batch++) {
    scene.now = start + batch * MINUTE
    const pings = Array.from({ length: 500 }, (_, index) =>
      scene.arrived('busy', batch === 3 && index === 0 ? 'fail' : 'success'),
    )
    await scene.store.pings.record(pings)
  }
  const [lane] = (await ask(0, HOUR)).lanes
  assert.equal(words(lane!), 'busy: failed 3')
  assert.deepEqual([lane!.isBusy, lane!.count], [true, 2_500])
})

test('Punctual’s own outages in the range are reported', async t => {
  const { scene, start, ask } = await openScene(t)
  await scene.ping('backup')
  await scene.beat(start, start + MINUTE)
  scene.now = start + 30 * MINUTE
  await scene.absence(start + 10 * MINUTE, start + 20 * MINUTE)
  assert.equal((await ask(0, HOUR)).outages.length, 1)
  assert.equal((await ask(0, 5 * MINUTE)).outages.length, 0)
})

test('outages of a project or a check are reported where these are shown', async t => {
  const { scene, start, ask } = await openScene(t)
  await scene.ping('backup')
  const [uuid] = await scene.checkUuids()
  const { id } = (await scene.store.checks.facts(scene.projectId, uuid!, scene.now)).check
  const parts = [partOfProject(scene.projectId), partOfCheck(id)]
  const ofOthers = [partOfProject(scene.projectId + 1), partOfCheck(id + 1)]
  const missed = [...parts, ...ofOthers].map(part => ({ from: start + MINUTE, to: start + 2 * MINUTE, part }))
  await scene.store.instance.beat('me', start + 3 * MINUTE, { missed })
  const shown = (await ask(0, HOUR)).outages.map(({ part }) => part!)
  assert.deepEqual(shown.sort(), parts.sort())
})

test('a range that was read before has the pings that arrived in it since', async t => {
  const { scene, start, ask, words } = await openScene(t)
  const runs = async () => (await ask(0, HOUR)).lanes.map(words)
  await scene.ping('backup', 'start')
  assert.deepEqual(await runs(), ['backup: running 0-on'])
  scene.now = start + 5 * MINUTE
  await scene.ping('backup')
  assert.deepEqual(await runs(), ['backup: success 0-5'])
  scene.now = start + 59 * MINUTE
  await scene.ping('backup', 'fail')
  assert.deepEqual(await runs(), ['backup: success 0-5, failed 59'])
  scene.now = start + 70 * MINUTE
  await scene.ping('backup')
  assert.deepEqual(await runs(), ['backup: success 0-5, failed 59'])
  const later = (await ask(65 * MINUTE, 80 * MINUTE)).lanes.map(words)
  assert.deepEqual(later, ['backup: success 70'])
})

test('a range that was read before has no pings that were deleted since', async t => {
  const { store, scene, start, ask, words, project } = await openScene(t, { pingLogLimit: 20 })
  const runs = async () => (await ask(0, HOUR)).lanes.map(words)
  for (let minute = 0; minute < 10; minute++) {
    scene.now = start + minute * 10 * MINUTE
    await scene.ping('backup')
  }
  const all = 'backup: success 0, success 10, success 20, success 30, success 40, success 50'
  assert.deepEqual([await runs(), await runs()], [[all], [all]])
  for (let more = 0; more < 13; more++) await scene.ping('backup')
  assert.deepEqual(await runs(), ['backup: success 30, success 40, success 50'], 'the log is full')
  const uuid = (await ask(0, HOUR)).lanes[0]!.check.uuid
  await store.pings.clearEvents(project.id, uuid, scene.now)
  await scene.ping('backup')
  assert.deepEqual(await runs(), [])
})

test('a range that was read before has the runs as they are tracked now', async t => {
  const { store, scene, start, ask, words, project } = await openScene(t)
  const runs = async () => (await ask(0, HOUR)).lanes.map(words)
  await scene.ping('backup')
  scene.now = start + 10 * MINUTE
  await scene.ping('backup', 'success', { rid: 'one' })
  await scene.ping('backup', 'start', { rid: 'one' })
  scene.now = start + 2 * HOUR
  await scene.ping('backup')
  assert.deepEqual(await runs(), ['backup: success 0, success 10, unfinished 10'])
  const uuid = (await ask(0, HOUR)).lanes[0]!.check.uuid
  await store.checks.update(project.id, uuid, { changes: { trackRuns: 'each' }, now: scene.now })
  assert.deepEqual(await runs(), ['backup: success 0, success 10'])
})
