/** Applying a plan to the store makes what `applyPlan` says, on random projects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyConfig } from '../../../src/actions/projects/config/apply-config.js'
import { type ConfigRequest, planConfig } from '../../../src/actions/projects/config/plan-config.js'
import { projectConfigOf } from '../../../src/actions/projects/config/project-config.js'
import { readConfig } from '../../../src/actions/projects/config/read-config.js'
import type { Json } from '../../../src/core/config/project-config.js'
import { Refusal } from '../../../src/core/errors.js'
import { ANY_EVENT } from '../../../src/storage/events/event-log.js'
import { applyPlan } from '../../_support/config/at-once.js'
import { plainApplier } from '../../_support/config/plain-applier.js'
import { channels, randomDocument } from '../../_support/config/random-document.js'
import { sortedConfig } from '../../_support/config/sorted-config.js'
import { failForADay } from '../../_support/fail-for-a-day.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const NOW = Date.UTC(2026, 0, 2, 3, 30)
const clock = { now: () => NOW }
const OWNER = 'punctual.yaml'

const { store, remove } = await openFreshStore({ checkLimit: 1_000_000 })
test.after(remove)

async function project() {
  return (await store.projects.create({ name: 'Home', ownerId: null, pingKey: null, now: NOW })).id
}

async function current(projectId: number) {
  return projectConfigOf(await readConfig(store, projectId, NOW))
}

async function planned(projectId: number, document: Json, more: Partial<ConfigRequest> = {}) {
  const request = { projectId, document, owner: OWNER, prune: true, maxDeletes: 1_000, ...more }
  return { ...(await planConfig(store, clock, request)), projectId, owner: request.owner }
}

async function apply(projectId: number, document: Json, more: Partial<ConfigRequest> = {}) {
  const one = await planned(projectId, document, more)
  assert.deepEqual(one.plan.problems, [])
  await applyConfig(store, clock, one, plainApplier)
  return one
}

test('the store makes what a plan says, and a second time nothing', async () => {
  await fc.assert(
    fc.asyncProperty(randomDocument, randomDocument, async (first, second) => {
      const projectId = await project()
      for (const document of [first, second]) {
        const before = await current(projectId)
        const one = await planned(projectId, document)
        if (one.plan.problems.length > 0) return
        await apply(projectId, document)
        const expected = applyPlan(before, one.plan, { owner: OWNER, channels })
        assert.deepEqual(sortedConfig(await current(projectId)), sortedConfig(expected))
        assert.deepEqual((await planned(projectId, document)).plan.steps, [])
      }
    }),
    { numRuns: 15 },
  )
})

test('a plan is refused when the project has changed since', async () => {
  const projectId = await project()
  await apply(projectId, { checks: { db: {} } })
  const one = await planned(projectId, { checks: { db: { grace: '2 h' } } })
  await store.checks.create(projectId, { changes: { name: 'other' }, unique: null, now: NOW })
  const applied = applyConfig(store, clock, one, plainApplier)
  await assert.rejects(applied, (error: unknown) => error instanceof Refusal && error.code === 'conflict')
})

test('checks that depend on each other change places', async () => {
  const projectId = await project()
  await apply(projectId, { checks: { a: {}, b: { depends_on: ['a'] }, c: { depends_on: ['b'] } } })
  await apply(projectId, {
    checks: { a: { depends_on: ['b'] }, b: { depends_on: ['c'] }, c: { depends_on: [] } },
  })
  const { checks } = await current(projectId)
  assert.deepEqual(checks.get('a')!.values.get('depends_on'), ['b'])
  assert.deepEqual(checks.get('c')!.values.get('depends_on'), [])
})

test('a moved check keeps its UUID', async () => {
  const projectId = await project()
  await apply(projectId, { checks: { old: { tags: ['db'] } } })
  const [before] = (await readConfig(store, projectId, NOW)).objects.checks
  await apply(projectId, { checks: { new: {} }, moved: { old: 'new' } })
  const [after] = (await readConfig(store, projectId, NOW)).objects.checks
  assert.equal(after!.ref, before!.ref)
  assert.equal(after!.key, 'new')
  assert.equal(after!.values.get('slug'), 'new')
})

test('a check that people made is adopted, and stays as it is', async () => {
  const projectId = await project()
  await store.checks.create(projectId, { changes: { name: 'DB', tags: 'db' }, unique: null, now: NOW })
  const one = await apply(projectId, { checks: { db: { grace: '2 h' } } })
  assert.deepEqual(
    one.plan.steps.map(({ action, key }) => [action, key]),
    [['adopt', 'db']],
  )
  const { owner, values } = (await current(projectId)).checks.get('db')!
  assert.deepEqual([owner, values.get('tags'), values.get('grace')], [OWNER, ['db'], 7_200])
})

test('what a file changes is in the log of changes', async () => {
  const projectId = await project()
  await apply(projectId, {
    checks: { db: {} },
    channels: { ops: { kind: 'email', value: 'alice@example.org' } },
  })
  await apply(projectId, { checks: { db: { grace: '2 h' } } }, { prune: false })
  const { events } = await store.events.log(projectId, ANY_EVENT, { before: null, limit: 10 })
  const types = events.map(({ type }) => type).filter(type => /^(check|channel)/.test(type))
  assert.deepEqual(types.sort(), ['channel.created', 'check.created', 'check.updated'])
})

test('a channel still counts as failing if a file changes its name, but not its address', async () => {
  const { id: projectId } = await store.projects.create({
    name: 'Fails',
    ownerId: null,
    pingKey: 'key',
    now: NOW,
  })
  const channel = (name: string, url: string) =>
    apply(projectId, { channels: { chat: { kind: 'mattermost', name, url } } }, { prune: false })
  await channel('A', 'https://one.example/')
  const scene = new StoreHarness(store, projectId, NOW)
  await failForADay(scene, 'A')
  await scene.ping('backup', 'fail')
  const unreachable = { type: 'notice' as const, title: '', text: '', url: '' }
  for (const message of await scene.claim())
    await scene.settle(message, { type: 'retry', error: 'away', retryAt: scene.now, unreachable })
  const { uuid } = (await store.channels.list(projectId))[0]!
  const isFailing = () => store.channels.isInTrouble({ channel: uuid, trouble: 'unreachable' }, scene.now)
  assert.equal(await isFailing(), true)
  await channel('B', 'https://one.example/')
  assert.equal(await isFailing(), true)
  await channel('B', 'https://two.example/')
  assert.equal(await isFailing(), false)
})
