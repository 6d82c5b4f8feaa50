/** A planned deletion or move is carried out only while its author has the right to it. Decision 0116. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { carryOutPlans, type DroppedPlan } from '../../../src/actions/checks/carry-out-plans.js'
import { addProject } from '../../../src/actions/projects/add-project.js'
import type { Store } from '../../../src/storage/store.js'
import { FakeClock } from '../../_support/clock.js'
import { CommitBarrier } from '../../_support/commit-barrier.js'
import { engine, openFreshStore } from '../../_support/worlds/store.js'
import { openTwoStores } from '../../_support/worlds/two-stores.js'
import { wrapStore } from '../../_support/wrap-store.js'

const PLANS = ['delete', 'move'] as const

/** Two checks that a member plans to delete or to move, and the time to undo that is over. */
async function plan(store: Store, what: (typeof PLANS)[number]) {
  const clock = new FakeClock()
  const person = (email: string) =>
    store.people.createUser({ email, passwordHash: 'hash', emailProven: true, now: 1 })
  const [owner, member] = [await person('owner@example.org'), await person('member@example.org')]
  const project = await addProject(store, clock, { name: 'Payroll', ownerId: owner.id })
  const target = await addProject(store, clock, { name: 'Elsewhere', ownerId: member.id })
  await store.projects.putMember({ projectId: project.id, userId: member.id, role: 'member', now: 1 })
  const checks: string[] = []
  for (let made = 0; made < 2; made++) {
    const { check } = await store.checks.create(project.id, { changes: {}, unique: null, now: 1 })
    checks.push(check.uuid)
  }
  const change = what === 'delete' ? { plan: what, checks } : { plan: what, checks, target: target.id }
  await store.checks.keepUndo({
    projectId: project.id,
    userId: member.id,
    change,
    now: clock.now(),
  })
  clock.advance(15)
  const carryOut = async (through = store) => {
    const dropped: DroppedPlan[] = []
    const onDropped = (one: DroppedPlan) => dropped.push(one)
    await carryOutPlans({ store: through, clock, onDropped, onError: assert.ifError })
    return dropped.map(one => one.checks)
  }
  const left = async () => {
    const found = await Promise.all(
      checks.map(uuid => store.checks.facts(project.id, uuid, clock.now()).catch(() => null)),
    )
    return found.map((facts, at) => (facts ? checks[at] : null)).filter(uuid => uuid !== null)
  }
  return { owner, member, project, target, checks, carryOut, left }
}

async function openStore(t: TestContext): Promise<Store> {
  const { store, remove } = await openFreshStore()
  t.after(remove)
  return store
}

/** The store, in which something happens just before this call of the method that carries out a plan. */
function before(store: Store, call: number, happens: () => Promise<unknown>): Store {
  let calls = 0
  return wrapStore(store, (name, method) => async (...args) => {
    if (/^checks\.(delete|move)$/.test(name) && ++calls === call) await happens()
    return await method(...args)
  })
}

type Planned = Awaited<ReturnType<typeof plan>>

const ENDS: Record<string, (store: Store, w: Planned) => Promise<unknown>> = {
  'removed from the project': (store, { project, member }) =>
    store.projects.removeMember(project.id, member.uuid, 3),
  'allowed to read only': (store, { project, member }) =>
    store.projects.setMemberRole(project.id, member.uuid, 'readonly', 3),
  disabled: (store, { member }) => store.people.setDisabled(member.id, 3),
}

for (const what of PLANS) {
  for (const [how, end] of Object.entries(ENDS)) {
    test(`what is planned to ${what} stays if its author is ${how} at the last moment`, async t => {
      const store = await openStore(t)
      const world = await plan(store, what)
      const [first, second] = world.checks
      assert.deepEqual(await world.carryOut(before(store, 2, () => end(store, world))), [[second]])
      assert.deepEqual(await world.left(), [second], `${first} had its turn before`)
    })
  }

  test(`a plan to ${what} is carried out though its author signed out`, async t => {
    const store = await openStore(t)
    const world = await plan(store, what)
    await store.people.endSignIns(world.member.id, 3)
    assert.deepEqual(await world.carryOut(), [])
    assert.deepEqual(await world.left(), [])
  })
}

test('nothing is moved to a project that its author lost at the last moment', async t => {
  const store = await openStore(t)
  const world = await plan(store, 'move')
  const lose = () => store.projects.markForDeletion(world.member.id, world.target.id)
  assert.deepEqual(await world.carryOut(before(store, 1, lose)), [world.checks])
  assert.deepEqual(await world.left(), world.checks)
})

for (const what of PLANS) {
  test(`a plan to ${what} waits for the end of its author’s right under way`, {
    skip: engine !== 'postgres',
  }, async t => {
    const { database, store, other } = await openTwoStores(t)
    const world = await plan(store, what)
    const barrier = await CommitBarrier.raise(database.directUrl, 'members', 'UPDATE')
    try {
      const ended = other.projects.setMemberRole(world.project.id, world.member.uuid, 'readonly', 3)
      await barrier.waiting(1)
      const carried = world.carryOut()
      await barrier.waiting(2)
      await barrier.open()
      assert.deepEqual(await carried, [world.checks])
      await ended
      assert.deepEqual(await world.left(), world.checks)
    } finally {
      await barrier.remove()
    }
  })
}
