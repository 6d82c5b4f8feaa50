/** Large files are applied in several transactions, small ones all or none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyConfig } from '../../../src/actions/projects/config/apply-config.js'
import { planConfig } from '../../../src/actions/projects/config/plan-config.js'
import { projectConfigOf } from '../../../src/actions/projects/config/project-config.js'
import { readConfig } from '../../../src/actions/projects/config/read-config.js'
import type { Json } from '../../../src/core/config/project-config.js'
import { Refusal } from '../../../src/core/errors.js'
import type { Store, StoreWith } from '../../../src/storage/store.js'
import { applyPlan } from '../../_support/config/at-once.js'
import { plainApplier } from '../../_support/config/plain-applier.js'
import { channels, randomDocument } from '../../_support/config/random-document.js'
import { sortedConfig } from '../../_support/config/sorted-config.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const NOW = Date.UTC(2026, 0, 2, 3, 30)
const clock = { now: () => NOW }
const OWNER = 'punctual.yaml'

/** Each step in a transaction of its own. */
const ONE_BY_ONE = { atOnce: 0, slices: { size: 1, took() {} } }

const { store, remove } = await openFreshStore({ checkLimit: 2_500 })
test.after(remove)

async function project() {
  return (await store.projects.create({ name: 'Home', ownerId: null, pingKey: null, now: NOW })).id
}

async function current(projectId: number) {
  return projectConfigOf(await readConfig(store, projectId, NOW))
}

async function planned(projectId: number, document: Json) {
  const request = { projectId, document, owner: OWNER, prune: true, maxDeletes: 10_000 }
  const one = { ...(await planConfig(store, clock, request)), projectId, owner: OWNER }
  assert.deepEqual(one.plan.problems, [])
  return one
}

type ApplyStore = StoreWith<'projects.applyConfig'>

/** Calls `before` with the number of transactions that were made, before each of them. */
function watched(before: (made: number) => unknown): ApplyStore {
  let made = 0
  const applyConfig: Store['projects']['applyConfig'] = async (...args) => {
    await before(made)
    made += 1
    return await store.projects.applyConfig(...args)
  }
  return { projects: { applyConfig } }
}

async function apply(projectId: number, document: Json, through: ApplyStore = store, sizes = ONE_BY_ONE) {
  await applyConfig(through, clock, await planned(projectId, document), plainApplier, sizes)
}

async function applyAsUsual(projectId: number, document: Json, through: ApplyStore = store) {
  await applyConfig(through, clock, await planned(projectId, document), plainApplier)
}

const checks = (count: number, values: Json = {}, first = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`check-${first + place}`, values]))

test('a file is applied again after a crash at any step, and the project is as it says', async () => {
  const crash = new Error('crash')
  await fc.assert(
    fc.asyncProperty(randomDocument, randomDocument, fc.nat(12), async (first, second, last) => {
      const projectId = await project()
      const request = { projectId, owner: OWNER, prune: true, maxDeletes: 10_000 }
      const plan = (document: Json) => planConfig(store, clock, { ...request, document })
      if ((await plan(first)).plan.problems.length > 0) return
      await apply(projectId, first)
      const before = await current(projectId)
      const one = await plan(second)
      if (one.plan.problems.length > 0) return
      const crashing = watched(made => {
        if (made === last) throw crash
      })
      await apply(projectId, second, crashing).catch(error => assert.equal(error, crash))
      await apply(projectId, second)
      const expected = applyPlan(before, one.plan, { owner: OWNER, channels })
      assert.deepEqual(sortedConfig(await current(projectId)), sortedConfig(expected))
      assert.deepEqual((await plan(second)).plan.steps, [])
    }),
    { numRuns: 25 },
  )
})

test('pings of other projects are recorded while a large file is applied', async () => {
  const other = await store.projects.create({ name: 'Other', ownerId: null, pingKey: 'other', now: NOW })
  const harness = new StoreHarness(store, other.id, NOW, 'other')
  await harness.ping('job')
  let isApplied = false
  const applied = applyAsUsual(await project(), { checks: checks(1_500) }).then(() => {
    isApplied = true
  })
  let pings = 0
  while (!isApplied) {
    await harness.ping('job')
    if (!isApplied) pings += 1
  }
  await applied
  assert.ok(pings >= 5, `${pings} pings`)
})

test('a small file is one transaction, and a large one is several', async () => {
  const transactions = async (projectId: number, document: Json) => {
    let count = 0
    await applyAsUsual(
      projectId,
      document,
      watched(() => count++),
    )
    return count
  }
  const small = await project()
  assert.equal(await transactions(small, { checks: checks(250) }), 1)
  const large = await project()
  assert.ok((await transactions(large, { checks: checks(400) })) > 1)
  assert.ok((await transactions(large, { checks: checks(400, { grace: '2 h' }) })) > 1)
})

test('a file with more checks than the account may have is refused before anything is made', async () => {
  const projectId = await project()
  for (const count of [2_501, 4_000]) {
    await assert.rejects(
      applyAsUsual(projectId, { checks: checks(count) }),
      (error: unknown) => error instanceof Refusal && error.code === 'limit' && !/before/.test(error.message),
    )
  }
  assert.equal((await current(projectId)).checks.size, 0)
})

const isConflict = (error: unknown) => error instanceof Refusal && error.code === 'conflict'

test('a file is refused when a check that it changes was changed in between, and says what was done', async () => {
  const projectId = await project()
  await apply(projectId, { checks: checks(4) })
  const { objects } = await readConfig(store, projectId, NOW)
  const uuid = objects.checks.find(({ key }) => key === 'check-3')!.ref
  const document = { checks: checks(4, { grace: '2 h' }) }
  const changing = watched(async made => {
    if (made === 2) await store.checks.update(projectId, uuid, { changes: { graceSeconds: 60 }, now: NOW })
  })
  await assert.rejects(apply(projectId, document, changing), (error: unknown) => {
    assert.ok(isConflict(error))
    assert.match(
      (error as Refusal).message,
      /\(3 of 4 changes were made before; applying the file again makes the others\)$/,
    )
    return true
  })
  const graces = async () =>
    [...(await current(projectId)).checks.values()].map(({ values }) => values.get('grace'))
  assert.deepEqual(await graces(), [7_200, 7_200, 7_200, 60])
  await apply(projectId, document)
  assert.deepEqual(await graces(), [7_200, 7_200, 7_200, 7_200])
})

test('a change of a check that the file leaves as it is stops nothing', async () => {
  const projectId = await project()
  await apply(projectId, { checks: checks(4) })
  const { objects } = await readConfig(store, projectId, NOW)
  const uuid = objects.checks.find(({ key }) => key === 'check-0')!.ref
  const changing = watched(async made => {
    if (made === 1) await store.checks.update(projectId, uuid, { changes: { desc: 'x' }, now: NOW })
  })
  await apply(projectId, { checks: { ...checks(1), ...checks(3, { grace: '2 h' }, 1) } }, changing)
  assert.equal((await current(projectId)).checks.get('check-3')!.values.get('grace'), 7_200)
})

for (const [what, change] of [
  [
    'a check was created',
    (projectId: number) => store.checks.create(projectId, { changes: { name: 'x' }, unique: null, now: NOW }),
  ],
  [
    'a channel was added',
    (projectId: number) =>
      store.channels.create({ projectId, name: 'x', kind: 'webhook', settings: {}, members: [], now: NOW }),
  ],
  [
    'another file took what it has',
    async (projectId: number) => {
      const request = { projectId, document: { checks: { mine: {} } }, owner: 'other.yaml' }
      const plan = await planConfig(store, clock, { ...request, prune: false, maxDeletes: null })
      await applyConfig(store, clock, { ...plan, ...request }, plainApplier)
    },
  ],
  [
    'a check is about to be deleted',
    async (projectId: number) => {
      const { objects } = await readConfig(store, projectId, NOW)
      const change = { plan: 'delete' as const, checks: [objects.checks[0]!.ref] }
      const user = await store.people.createUser({ email: 'a@x.org', passwordHash: null, now: NOW })
      await store.checks.keepUndo({ projectId, userId: user.id, change, now: NOW })
    },
  ],
] as const) {
  test(`a file is refused if ${what} since it was planned`, async () => {
    const projectId = await project()
    const mine = { name: 'mine', slug: 'mine' }
    await store.checks.create(projectId, { changes: mine, unique: null, now: NOW })
    const document = { checks: { mine: { grace: '2 h' }, yours: {} } }
    const before = watched(made => (made === 0 ? change(projectId) : null))
    await assert.rejects(applyAsUsual(projectId, document, before), isConflict)
    assert.equal((await current(projectId)).checks.has('yours'), false)
  })
}

test('what a file no longer has is deleted in parts', async () => {
  const projectId = await project()
  await apply(projectId, { checks: checks(5) })
  const crash = new Error('crash')
  const crashing = watched(made => {
    if (made === 2) throw crash
  })
  await assert.rejects(apply(projectId, { checks: checks(1) }, crashing), crash)
  assert.equal((await current(projectId)).checks.size, 3)
  await apply(projectId, { checks: checks(1) })
  assert.deepEqual([...(await current(projectId)).checks.keys()], ['check-0'])
})

test('a key goes to another check while its own gets another one', async () => {
  const projectId = await project()
  await apply(projectId, { checks: { old: { tags: ['db'] } } })
  const [before] = (await readConfig(store, projectId, NOW)).objects.checks
  await apply(projectId, { checks: { new: {} }, moved: { old: 'new' } })
  await apply(projectId, { checks: { new: {}, old: { depends_on: ['new'] } } })
  const { checks: after } = await current(projectId)
  assert.equal((await readConfig(store, projectId, NOW)).objects.checks[0]!.ref, before!.ref)
  assert.deepEqual(after.get('old')!.values.get('depends_on'), ['new'])
  assert.deepEqual(after.get('new')!.values.get('tags'), ['db'])
})

test('recipients are asked for the channels that were made before a file is refused', async () => {
  const projectId = await project()
  const one = await planned(projectId, {
    channels: { ops: { kind: 'email', value: 'ops@example.org' } },
    checks: checks(2),
  })
  const asked: string[] = []
  const person = { uuid: 'a', email: 'alice@example.org', emailProven: true }
  const applier = {
    ...plainApplier,
    prepare: async ({ settings }: { settings: Readonly<Record<string, string>> }) => ({
      settings,
      asker: person,
    }),
    ask: async (ones: readonly { address: string }[]) => {
      asked.push(...ones.map(({ address }) => address))
    },
  }
  const changing = watched(async made => {
    if (made === 2) await store.checks.create(projectId, { changes: { name: 'x' }, unique: null, now: NOW })
  })
  await assert.rejects(applyConfig(changing, clock, one, applier, ONE_BY_ONE), isConflict)
  assert.deepEqual(asked, ['ops@example.org'])
})
