/** Plans of which the form was sent twice, and undoing that is broken off. Decision 0116. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { UndoPart } from '../../../src/storage/checks/bulk-edit/keep-batch.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const USER = 1
const alone = (): UndoPart => ({ batch: randomUUID(), number: 0, isOneOfMany: false })
const MINUTE = 60_000

async function openScene(t: TestContext) {
  const scene = await StoreHarness.open(t)
  for (let n = 0; n < 6; n++) await scene.ping(`c${n}`)
  const checks = await scene.checkUuids()
  const { store, projectId } = scene
  const plan = (some: readonly string[], part: UndoPart = alone()) => {
    const change = { plan: 'delete' as const, checks: [...some] }
    return store.checks.keepUndo({ projectId, userId: USER, change, now: scene.now }, part)
  }
  const asked = (uuid: string) => ({ uuid, projectIds: [projectId], userId: USER, now: scene.now })
  const due = async () => {
    scene.now += 20 * MINUTE
    return (await store.checks.endUndos(scene.now)).flatMap(({ checks: planned }) => planned)
  }
  return { scene, store, checks, plan, asked, due }
}

test('a deletion that was sent twice at once has one name, by which all of it is undone', async t => {
  for (let round = 0; round < 5; round++) {
    const { store, checks, plan, asked, due } = await openScene(t)
    const [one, other] = await Promise.all([plan(checks), plan(checks)])
    assert.equal(one.uuid, other.uuid)
    const { result } = await store.checks.undo(asked(other.uuid))
    assert.deepEqual([result!.undone, result!.of], [6, 6])
    assert.deepEqual(await due(), [])
  }
})

test('the parts of one that was sent twice have one name from the first part that meets the other', async t => {
  const { store, checks, plan, asked, due } = await openScene(t)
  const part = (batch: string, number: number) => ({ batch, number, isOneOfMany: true })
  await plan(checks.slice(0, 2), part('first', 0))
  const { uuid } = await plan(checks.slice(0, 3), part('second', 0))
  assert.equal(uuid, 'first')
  await plan(checks.slice(3), part(uuid, 1))
  await plan(checks.slice(2, 4), part('first', 1))
  assert.deepEqual(await store.checks.beginUndo(asked(uuid)), [0, 1])
  let undone = 0
  for (const number of [0, 1]) {
    undone += (await store.checks.undo({ ...asked(uuid), part: number })).result!.undone
  }
  assert.equal(undone, 6)
  assert.deepEqual(await due(), [])
})

test('another person plans the same anew, and a deletion takes the place of a move', async t => {
  const { scene, store, checks, plan, due } = await openScene(t)
  const { projectId } = scene
  const first = await plan(checks)
  const change = { plan: 'delete' as const, checks: checks.slice(0, 2) }
  const other = await store.checks.keepUndo({ projectId, userId: 2, change, now: scene.now })
  assert.notEqual(other.uuid, first.uuid)
  const { id: target } = await store.projects.create({ name: 'B', ownerId: null, pingKey: null, now: 1 })
  const move = { plan: 'move' as const, checks: checks.slice(4), target }
  const moved = await store.checks.keepUndo({ projectId, userId: USER, change: move, now: scene.now })
  assert.notEqual(moved.uuid, first.uuid)
  assert.deepEqual((await due()).sort(), [...checks].sort())
})

test('what a person began to undo is not carried out, even if that was broken off', async t => {
  const { scene, store, checks, plan, asked, due } = await openScene(t)
  const { uuid } = await plan(checks)
  assert.deepEqual(await store.checks.beginUndo(asked(uuid)), [0])
  const shown = { projectIds: [scene.projectId], uuids: checks, edit: { timing: {} } }
  assert.equal((await store.checks.previewEdit(shown)).length, 6, 'pages show them again')
  assert.deepEqual(await due(), [])
  assert.deepEqual(await store.checks.endUndos(scene.now + 20 * MINUTE), [])
})
