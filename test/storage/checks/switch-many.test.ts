/** Many checks are paused and resumed as each would be alone, in one transaction. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateSteps, undoableUntil } from '../../../src/core/checks/undo.js'
import { ANY_EVENT } from '../../../src/storage/events/event-log.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const SLUGS = ['up', 'failed', 'started', 'late', 'paused', 'new', 'resumed']

/** A project with a check in each state, one in another project, and an integration of all. */
async function openScene(t: Parameters<typeof StoreHarness.open>[0]) {
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  for (const slug of SLUGS) await scene.ping(slug)
  const uuids = new Map<string, string>()
  for (const uuid of await scene.checkUuids()) {
    const { check } = await store.checks.facts(projectId, uuid, scene.now)
    uuids.set(check.slug, uuid)
  }
  const uuid = (slug: string) => uuids.get(slug)!
  const settings = { periodSeconds: 60, graceSeconds: 60, failuresToAlert: 2 }
  await store.checks.update(projectId, uuid('late'), { changes: settings, now: scene.now })
  await scene.addChannel('Chat', { url_down: 'https://hook.example/' })
  await store.checks.pause(projectId, uuid('paused'), scene.now)
  for (const slug of ['new', 'resumed']) await store.checks.pause(projectId, uuid(slug), scene.now)
  for (const slug of ['new', 'resumed']) await store.checks.resume(projectId, uuid(slug), scene.now)
  scene.now += 30_000
  await scene.ping('failed', 'fail')
  await scene.ping('started', 'start')
  scene.now += 3_600_000
  const other = await store.projects.create({ name: 'Other', ownerId: null, pingKey: null, now: 1 })
  const foreign = await store.checks.create(other.id, { changes: {}, unique: null, now: scene.now })
  return { scene, store, projectId, uuid, foreign: foreign.check.uuid, otherId: other.id }
}

test('checks that are paused together are as if each was paused alone, and are undone alike', async t => {
  const [alone, together] = [await openScene(t), await openScene(t)]
  const steps = []
  for (const slug of SLUGS) {
    const { store, projectId, uuid, scene } = alone
    const written = await store.checks.pause(projectId, uuid(slug), scene.now, undoableUntil(scene.now))
    steps.push(...stateSteps(written).map(step => ({ ...step, check: slug })))
  }
  const { store, projectId, uuid, scene, foreign, otherId } = together
  const uuids = [...SLUGS.map(uuid), foreign, 'not-a-check']
  const done = await store.checks.pauseMany(projectId, uuids, scene.now, undoableUntil(scene.now))
  assert.equal(done.count, SLUGS.length)
  const named = done.steps.map(step => ({
    ...step,
    check: SLUGS.find(slug => uuid(slug) === ('check' in step && step.check))!,
  }))
  const bySlug = (a: { check: string }, b: { check: string }) => a.check.localeCompare(b.check)
  assert.deepEqual(named.sort(bySlug), steps.sort(bySlug))
  assert.deepEqual(await stateIn(together), await stateIn(alone))
  assert.deepEqual(await eventsIn(together), await eventsIn(alone))
  const { state } = await store.checks.facts(otherId, foreign, scene.now)
  assert.equal(state.status, 'new')
  const states = done.steps.filter(step => step.did === 'state')
  const { restored } = await store.checks.restoreStates(projectId, states, scene.now)
  assert.equal(restored, SLUGS.length - 1)
})

test('of checks that are resumed together, only the paused ones change', async t => {
  const { store, projectId, uuid, scene } = await openScene(t)
  const done = await store.checks.resumeMany(projectId, SLUGS.map(uuid), scene.now)
  assert.deepEqual([done.count, done.steps.map(step => 'check' in step && step.check)], [1, [uuid('paused')]])
  const { state } = await store.checks.facts(projectId, uuid('paused'), scene.now)
  assert.equal(state.status, 'new')
})

type Opened = Awaited<ReturnType<typeof openScene>>

async function stateIn({ store, projectId, uuid, scene }: Opened) {
  return await Promise.all(
    SLUGS.map(async slug => {
      const { check, state } = await store.checks.facts(projectId, uuid(slug), scene.now)
      const incidents = await store.incidents.ofCheck({ id: check.id, projectId }, 5, scene.now)
      return [slug, state.status, check.statusSince, check.dueAt, incidents.map(({ closedAt }) => closedAt)]
    }),
  )
}

async function eventsIn({ store, projectId }: Opened) {
  const filter = { kind: 'check', object: null, actor: null }
  const { events } = await store.events.log(
    projectId,
    { ...ANY_EVENT, ...filter },
    { before: null, limit: 100 },
  )
  return events.map(({ type, object, before, after }) => [type, object.name, before, after].join()).sort()
}
