/** Edits of many checks: several transactions, each if its checks are as their author saw them. Decision 0116. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { editChecks } from '../../../src/actions/checks/edit-checks.js'
import { undoAct } from '../../../src/actions/checks/undo-act.js'
import type { BulkEdit } from '../../../src/core/checks/bulk-edit/edit-check.js'
import { undoableUntil } from '../../../src/core/checks/undo.js'
import type { Store } from '../../../src/storage/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'
import { wrapStore } from '../../_support/wrap-store.js'

const USER = 7
const IN_TWOS = { atOnce: 4, slices: { size: 2, took() {} } }
const EDIT: BulkEdit = { timing: { graceSeconds: 600 }, tags: { way: 'add', tags: ['prod'] } }

async function open(t: TestContext, count = 5) {
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  for (let n = 0; n < count; n++) await scene.ping(`check-${n}`)
  const channel = await scene.addChannel('Chat', { url_down: 'https://hook.example/' })
  const uuids = await scene.checkUuids()
  const clock = { now: () => scene.now }
  const look = async (edit: BulkEdit) => {
    const rows = await store.checks.previewEdit({ projectIds: [projectId], uuids, edit })
    return { rows, seen: new Map(rows.map(({ check, seen }) => [check.uuid, seen])) }
  }
  const edit = async (
    asked: BulkEdit,
    { through = store, rows, seen }: { through?: Store } & Partial<Awaited<ReturnType<typeof look>>> = {},
  ) => {
    const looked = await look(asked)
    const own = { rows: rows ?? looked.rows, seen: seen ?? looked.seen }
    return await editChecks(through, clock, {
      projectIds: [projectId],
      ...own,
      edit: asked,
      userId: USER,
      sizes: IN_TWOS,
    })
  }
  const undo = (done: Awaited<ReturnType<typeof edit>>) =>
    undoAct(store, clock, { uuid: done.undo!.uuid, projectIds: [projectId], userId: USER })
  const values = async () =>
    (await look({ timing: {} })).rows.map(({ check, channels }) =>
      [check.graceSeconds, check.tags, channels.length].join(),
    )
  return { scene, store, projectId, uuids, channel, look, edit, undo, values }
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

/** Calls `before` with the number of transactions that were made, before each of them. */
function watched(store: Store, before: (made: number) => unknown): Store {
  let made = 0
  return wrapStore(store, (name, call) => async (...args) => {
    if (name === 'checks.edit') await before(made++)
    return await call(...args)
  })
}

test('a few checks are edited in one transaction, and many in slices that one undo takes back', async t => {
  const few = await open(t, 2)
  let made = 0
  const count = () => {
    made += 1
  }
  await few.edit(EDIT, { through: watched(few.store, count) })
  assert.equal(made, 1)
  const { edit, undo, values, store, channel } = await open(t)
  const before = await values()
  const all = { ...EDIT, channels: { way: 'remove' as const, uuids: [channel.uuid] } }
  made = 0
  const done = await edit(all, { through: watched(store, count) })
  assert.ok(made > 1, `${made} transactions`)
  assert.deepEqual([done.changed, done.stop], [5, null])
  assert.deepEqual(await values(), times(5, '600,prod,0'))
  assert.equal((await undo(done))?.undone, 5)
  assert.deepEqual(await values(), before)
})

test('if one of many checks has changed since it was seen, none is edited', async t => {
  const { edit, look, values, store, projectId, uuids, scene } = await open(t)
  const { seen } = await look(EDIT)
  await store.checks.update(projectId, uuids[4]!, { changes: { graceSeconds: 60 }, now: scene.now })
  const done = await edit(EDIT, { seen })
  assert.deepEqual([done.stop, done.done, done.undo], ['outdated', 0, null])
  assert.equal((await values()).filter(one => one.startsWith('600')).length, 0)
})

test('if a check changes while others are edited, the rest stays, and what was done can be undone', async t => {
  const { edit, undo, values, store, projectId, uuids, scene } = await open(t)
  const before = await values()
  const changing = watched(store, async made => {
    if (made === 1)
      await store.checks.update(projectId, uuids[4]!, { changes: { tags: 'mine' }, now: scene.now })
  })
  const done = await edit(EDIT, { through: changing })
  const isOf = (one: string) => one.startsWith('600,prod')
  assert.deepEqual([done.stop, done.of], ['outdated', 5])
  assert.equal(done.changed, done.done)
  assert.ok(done.done > 0 && done.done < 5, `${done.done}`)
  assert.deepEqual((await values()).map(isOf), [...times(done.done, true), ...times(5 - done.done, false)])
  assert.equal((await undo(done))?.undone, done.done)
  assert.deepEqual((await values()).slice(0, 4), before.slice(0, 4))
  assert.match((await values())[4]!, /,mine,/)
})

test('a crash between slices leaves whole ones, and the same edit completes them', async t => {
  const { edit, undo, values, store } = await open(t)
  const crash = new Error('crash')
  const crashing = watched(store, made => {
    if (made === 1) throw crash
  })
  await assert.rejects(edit(EDIT, { through: crashing }), crash)
  const done = await edit(EDIT)
  assert.deepEqual(await values(), times(5, '600,prod,1'))
  assert.equal((await undo(done))?.undone, done.changed)
  const left = (await values()).filter(one => one.startsWith('600')).length
  assert.equal(left, 5 - done.changed, 'what the first edit changed stays')
})

test('many checks that are edited and moved count once each when that is undone', async t => {
  const { edit, undo, values, store, scene } = await open(t)
  const before = await values()
  const target = await store.projects.create({ name: 'Target', ownerId: null, pingKey: null, now: 1 })
  const done = await edit({ ...EDIT, target: target.id })
  assert.deepEqual([done.changed, done.moving], [5, 5])
  const undone = await undo(done)
  assert.deepEqual([undone?.undone, undone?.of], [5, 5])
  assert.deepEqual(await values(), before)
  await edit({ ...EDIT, target: target.id })
  const due = await store.checks.endUndos(undoableUntil(scene.now))
  assert.equal(due.flatMap(({ checks }) => checks).length, 5)
})
