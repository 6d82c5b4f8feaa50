/** Acts on many checks: little is all or none, much is several transactions that one undo takes back. Decision 0116. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { actUndoably } from '../../../src/actions/checks/act-undoably.js'
import { tagChecks } from '../../../src/actions/checks/tag-checks.js'
import { undoAct } from '../../../src/actions/checks/undo-act.js'
import { UNDER_WAY_MS, undoableUntil } from '../../../src/core/checks/undo.js'
import { Refusal } from '../../../src/core/errors.js'
import type { Store } from '../../../src/storage/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'
import { wrapStore } from '../../_support/wrap-store.js'

const USER = 7
const IN_TWOS = { atOnce: 4, slices: { size: 2, took() {} } }
const isRefused = (error: unknown) => error instanceof Refusal

/** A project with so many checks that are up, and a clock that goes on a second with each write of many. */
async function open(t: TestContext, count: number) {
  const scene = await StoreHarness.open(t)
  for (let n = 0; n < count; n++) await scene.ping(`check-${n}`)
  const uuids = await scene.checkUuids()
  const { store, projectId } = scene
  const clock = { now: () => scene.now }
  const slicing = { items: uuids, weights: uuids.map(() => 1), sizes: IN_TWOS, userId: USER }
  const pause = (through: Store = store) =>
    actUndoably(through, clock, {
      ...slicing,
      write: (some, part, now) =>
        through.checks.pauseMany(projectId, some, now, undoableUntil(now), part).finally(() => {
          scene.now += 4_000
        }),
      hasChanged: ({ steps }) => steps.length > 0,
    })
  const undo = (uuid: string, through: Store = store) =>
    undoAct(through, clock, { uuid, projectIds: [projectId], userId: USER })
  const statuses = async () =>
    await Promise.all(
      uuids.map(async uuid => (await store.checks.facts(projectId, uuid, scene.now)).state.status),
    )
  return { scene, store, projectId, uuids, clock, slicing, pause, undo, statuses }
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

/** Lets a method fail before its call of this number, from 0. */
function failing(store: Store, method: string, at: number, error: Error): Store {
  let calls = 0
  return wrapStore(store, (name, call) => async (...args) => {
    if (name === method && calls++ >= at) throw error
    return await call(...args)
  })
}

test('a few checks are paused in one transaction, and many in slices', async t => {
  for (const [count, transactions] of [
    [4, 1],
    [5, 3],
  ] as const) {
    const { pause, statuses } = await open(t, count)
    const { results, done, stop } = await pause()
    assert.deepEqual([results.length, done, stop], [transactions, count, null])
    assert.deepEqual(await statuses(), times(count, 'paused'))
  }
})

test('one undo takes back all slices, each as it was when it was made', async t => {
  const { pause, undo, statuses, scene, store, projectId, uuids } = await open(t, 5)
  const before = await Promise.all(uuids.map(uuid => store.checks.facts(projectId, uuid, scene.now)))
  const { undo: batch } = await pause()
  const undone = await undo(batch!)
  assert.deepEqual(undone, {
    undone: 5,
    of: 5,
    changed: 0,
    forbidden: 0,
    replaced: 0,
    names: [],
    stop: null,
  })
  assert.deepEqual(await statuses(), times(5, 'up'))
  const after = await Promise.all(uuids.map(uuid => store.checks.facts(projectId, uuid, scene.now)))
  assert.deepEqual(
    after.map(({ check }) => check.dueAt),
    before.map(({ check }) => check.dueAt),
  )
  assert.equal(await undo(batch!), null, 'it is undone once')
})

test('the time to undo all slices begins when the act has ended', async t => {
  const { pause, undo, scene, store } = await open(t, 11)
  const { undo: batch } = await pause()
  const end = scene.now
  assert.equal(await store.checks.nextUndoEnd(), undoableUntil(end))
  scene.now = undoableUntil(end) - 1
  assert.deepEqual(await store.checks.endUndos(scene.now), [])
  assert.equal((await undo(batch!))?.undone, 11)
})

test('what can no longer be undone is refused, and forgotten with all its slices', async t => {
  const { pause, undo, scene, store, statuses } = await open(t, 5)
  const { undo: batch } = await pause()
  scene.now = undoableUntil(scene.now)
  assert.equal(await undo(batch!), null)
  await store.checks.endUndos(scene.now)
  assert.equal(await store.checks.nextUndoEnd(), null)
  assert.deepEqual(await statuses(), times(5, 'paused'))
})

test('slices that are not yet undone do not run out while others are', async t => {
  const { pause, undo, scene, store, statuses } = await open(t, 5)
  const { undo: batch } = await pause()
  const slow = wrapStore(store, (name, call) => async (...args) => {
    if (name === 'checks.undo') {
      scene.now += 20_000
      assert.deepEqual(await store.checks.endUndos(scene.now), [])
    }
    return await call(...args.map(arg => (hasNow(arg) ? { ...arg, now: scene.now } : arg)))
  })
  assert.equal((await undo(batch!, slow))?.undone, 5)
  assert.deepEqual(await statuses(), times(5, 'up'))
})

const hasNow = (arg: unknown): arg is { now: number } =>
  typeof arg === 'object' && arg !== null && 'now' in arg

test('of two clicks on Undo at once each slice is undone by one', async t => {
  const { pause, undo, statuses } = await open(t, 9)
  const { undo: batch } = await pause()
  const counts = (await Promise.all([undo(batch!), undo(batch!)])).map(result => result?.undone ?? 0)
  assert.equal(counts[0]! + counts[1]!, 9)
  assert.deepEqual(await statuses(), times(9, 'up'))
})

test('a refusal between slices says what was done, and that can be undone', async t => {
  const { pause, undo, store, statuses } = await open(t, 5)
  const refused = new Refusal('forbidden', 'you may not change that project any more')
  const done = await pause(failing(store, 'checks.pauseMany', 1, refused))
  assert.deepEqual([done.done, done.of, done.stop], [2, 5, refused])
  assert.deepEqual((await statuses()).sort(), [...times(2, 'paused'), ...times(3, 'up')])
  assert.equal((await undo(done.undo!))?.undone, 2)
  assert.deepEqual(await statuses(), times(5, 'up'))
})

test('a crash between slices leaves whole ones, and the same act completes them', async t => {
  const { pause, undo, scene, store, statuses } = await open(t, 5)
  const crash = new Error('crash')
  const crashing = failing(failing(store, 'checks.pauseMany', 2, crash), 'checks.offerUndo', 0, crash)
  await assert.rejects(pause(crashing), crash)
  assert.equal((await statuses()).filter(status => status === 'paused').length, 4)
  assert.equal(await store.checks.nextUndoEnd(), scene.now - 12_000 + UNDER_WAY_MS)
  const { undo: batch } = await pause()
  assert.deepEqual(await statuses(), times(5, 'paused'))
  assert.equal((await undo(batch!))?.undone, 1, 'what the act changed that completed it')
})

test('an undo that is broken off goes on with the slices that are left', async t => {
  const { pause, undo, store, statuses } = await open(t, 5)
  const { undo: batch } = await pause()
  const crash = new Error('crash')
  await assert.rejects(undo(batch!, failing(store, 'checks.undo', 1, crash)), crash)
  assert.equal((await undo(batch!))?.undone, 3)
  assert.deepEqual(await statuses(), times(5, 'up'))
})

test('an undo that is refused between slices says what was undone', async t => {
  const { pause, undo, store } = await open(t, 5)
  const { undo: batch } = await pause()
  const refused = new Refusal('forbidden', 'no')
  await assert.rejects(undo(batch!, failing(store, 'checks.undo', 0, refused)), refused)
  const undone = await undo(batch!, failing(store, 'checks.undo', 1, refused))
  assert.deepEqual([undone?.undone, undone?.stop], [2, refused])
})

test('tags that would be too long for one of many checks change none', async t => {
  const { scene, store, projectId, uuids, clock } = await open(t, 5)
  const long = 'x'.repeat(490)
  await store.checks.tag(projectId, [uuids[4]!], { add: [long], remove: [], now: scene.now })
  const tagged = (text: string, what: 'add' | 'remove' = 'add') =>
    tagChecks(store, clock, { projectId, uuids, text, what, userId: USER, sizes: IN_TWOS })
  const tags = async () =>
    await Promise.all(
      uuids.map(async uuid => (await store.checks.facts(projectId, uuid, scene.now)).check.tags),
    )
  await assert.rejects(tagged('production'), isRefused)
  assert.deepEqual(await tags(), ['', '', '', '', long])
  await tagged(long, 'remove')
  const { results, undo: batch } = await tagged('production')
  assert.equal(results.flatMap(({ changed }) => changed).length, 5)
  assert.deepEqual(await tags(), times(5, 'production'))
  assert.equal(
    (await undoAct(store, clock, { uuid: batch!, projectIds: [projectId], userId: USER }))?.undone,
    5,
  )
  assert.deepEqual(await tags(), times(5, ''))
})

test('a channel is taken from many checks in slices, and given back by one undo', async t => {
  const { scene, store, projectId, clock, slicing, undo } = await open(t, 5)
  const { uuid: channel } = await scene.addChannel('Chat', { url_down: 'https://hook.example/' })
  await scene.ping('check-4', 'fail')
  await scene.ping('check-0', 'fail')
  const links = async () => (await store.channels.linkCounts(projectId)).size
  assert.equal(await links(), 5)
  const { undo: batch, results } = await actUndoably(store, clock, {
    ...slicing,
    write: (checks, part, now) =>
      store.channels.switchForChecks(projectId, { checks, channel }, false, now, undoableUntil(now), part),
    hasChanged: ({ changed }) => changed.length > 0,
  })
  assert.deepEqual(
    results.map(({ changed }) => changed.length),
    [2, 2, 1],
  )
  assert.equal(await links(), 0)
  assert.equal((await undo(batch!))?.undone, 5)
  assert.equal(await links(), 5)
  assert.equal((await scene.claim()).length, 2, 'both alerts are sent')
})

test('a deletion of many checks is planned in slices, carried out in all of them or undone', async t => {
  const { scene, store, projectId, uuids, clock, slicing, undo } = await open(t, 5)
  const plan = () =>
    actUndoably(store, clock, {
      ...slicing,
      write: async (some, part, now) => {
        const change = { plan: 'delete' as const, checks: [...some] }
        await store.checks.keepUndo({ projectId, userId: USER, change, now }, part)
        return some.length
      },
      hasChanged: count => count > 0,
    })
  const listed = async () =>
    (
      await store.checks.findUuids(
        [{ id: projectId, uuid: '' }],
        { search: '', states: [], tags: [], sort: 'created', group: null, folded: [] },
        scene.now,
      )
    ).length
  const first = await plan()
  assert.equal(await listed(), 0)
  assert.equal((await undo(first.undo!))?.undone, 5)
  assert.equal(await listed(), 5)
  await plan()
  scene.now = undoableUntil(scene.now)
  const due = await store.checks.endUndos(scene.now)
  assert.deepEqual(due.flatMap(({ checks }) => checks).sort(), [...uuids].sort())
})
