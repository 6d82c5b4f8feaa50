/** Deleting accounts and projects while projects change their owner. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { finishDeletions } from '../../../src/actions/instance/finish-deletions.js'
import { closeAccount } from '../../../src/actions/people/close-account.js'
import { deleteUser } from '../../../src/actions/people/delete-user.js'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { addProject } from '../../../src/actions/projects/add-project.js'
import { deleteProject } from '../../../src/actions/projects/delete-project.js'
import { finishDeletionsJob } from '../../../src/jobs/finish-deletions.js'
import { systemClock } from '../../../src/lib/clock.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import type { User } from '../../../src/storage/people/users.js'
import type { Project } from '../../../src/storage/projects/projects.js'
import { type Failed, SetAside } from '../../../src/storage/set-aside.js'
import type { Store } from '../../../src/storage/store.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { FakeClock } from '../../_support/clock.js'
import { eventually } from '../../_support/eventually.js'
import { openTwoStores } from '../../_support/worlds/store.js'

const clock = new FakeClock()

/** Two people, a store as each of two processes has it, and what they do. */
async function openWorld(t: TestContext) {
  const [store, other] = await openTwoStores(t)
  const person = (email: string) =>
    store.people.createUser({ email, passwordHash: 'hash', emailProven: true, now: 1 })
  const owner = await person('owner@example.org')
  const heir = await person('heir@example.org')
  const offered = async (from: User, to: User, name: string): Promise<Project> => {
    const project = await addProject(store, clock, { name, ownerId: from.id })
    await store.projects.putMember({ projectId: project.id, userId: to.id, role: 'member', now: 1 })
    const by = await sessionOf(store, from)
    await store.projects.offerTransfer({ projectId: project.id, memberUuid: to.uuid, by, now: 2 })
    return project
  }
  return { store, other, owner, heir, offered }
}

async function sessionOf(store: Store, user: User) {
  const visitor = { ua: 'node', address: '127.0.0.1' }
  const token = await beginSession(store, clock, { user, method: 'password', visitor })
  const { sessionId } = (await store.people.findSession(digestOf(token), clock.now()))!
  return { userId: user.id, sessionId }
}

/** The same store, but before its first slice of a deletion something else happens. */
function interrupted(store: Store, meanwhile: () => Promise<unknown>): Store {
  let done = false
  const deleteSlice: Store['projects']['deleteSlice'] = async projectId => {
    if (!done) {
      done = true
      await meanwhile()
    }
    return await store.projects.deleteSlice(projectId)
  }
  return { ...store, people: store.people, projects: { ...store.projects, deleteSlice } }
}

test('nobody takes over a project of an account that is being closed', async t => {
  const { store, other, owner, heir, offered } = await openWorld(t)
  await addProject(store, clock, { name: 'Large', ownerId: owner.id })
  const payroll = await offered(owner, heir, 'Payroll')
  let refused: unknown
  const accept = () => other.projects.acceptTransfer(payroll.id, heir.id, 3).catch(error => (refused = error))
  await closeAccount(interrupted(store, accept), owner.id, 4)
  assert.match(String(refused), /this project is not offered to you any more/)
  assert.deepEqual(await store.projects.list(), [])
  assert.equal(await store.people.findUser(owner.email), null)
})

test('of two requests that close an account and take over its project one succeeds', async t => {
  const { store, other, heir, offered } = await openWorld(t)
  for (let round = 0; round < 8; round++) {
    const owner = await store.people.createUser({ email: `${round}@example.org`, passwordHash: null, now: 1 })
    const payroll = await offered(owner, heir, 'Payroll')
    const accept = other.projects.acceptTransfer(payroll.id, heir.id, 3)
    const [accepted] = await Promise.allSettled([accept, closeAccount(store, owner.id, 4)])
    const found = await store.projects.find(payroll.uuid)
    assert.equal(found?.ownerId, accepted.status === 'fulfilled' ? heir.id : undefined, `round ${round}`)
    assert.equal(await store.people.findUser(owner.email), null)
  }
})

test('a project that a person takes over while closing their account is deleted with it', async t => {
  const { store, other, owner, heir, offered } = await openWorld(t)
  await addProject(store, clock, { name: 'Own', ownerId: heir.id })
  const payroll = await offered(owner, heir, 'Payroll')
  const accept = () => other.projects.acceptTransfer(payroll.id, heir.id, 3)
  await closeAccount(interrupted(store, accept), heir.id, 4)
  assert.equal(await store.people.findUser(heir.email), null)
  assert.deepEqual(await store.projects.list(), [], 'none is left without an owner')
})

test('a project that has a new owner is not deleted for the former one', async t => {
  const { store, owner, heir, offered } = await openWorld(t)
  const payroll = await offered(owner, heir, 'Payroll')
  await store.projects.acceptTransfer(payroll.id, heir.id, 3)
  const former = { projectId: payroll.id, ownerId: owner.id }
  await assert.rejects(deleteProject(store, former), /you do not own this project any more/)
  assert.equal((await store.projects.find(payroll.uuid))?.ownerId, heir.id)
})

/** A person with a large project, of which a killed process has deleted a slice. */
async function openKilled(
  t: TestContext,
  begin: (store: Store, w: { owner: User; project: Project }) => Promise<unknown>,
) {
  const world = await openWorld(t)
  const { store, owner, heir } = world
  const made = { name: 'Large', ownerId: owner.id, pingKey: 'largest', now: 1 }
  const apiKeys = [{ kind: 'rw' as const, digest: 'digest', hint: 'hcw_' }]
  const project = await store.projects.create({ ...made, apiKeys })
  await store.projects.putMember({ projectId: project.id, userId: heir.id, role: 'member', now: 1 })
  const hook = { kind: 'webhook', settings: {}, members: [], now: 1 }
  await store.channels.create({ ...hook, projectId: project.id, name: 'Hook' })
  const uuids: string[] = []
  for (let made = 0; made < 45; made++) {
    const { check } = await store.checks.create(project.id, { changes: {}, unique: null, now: 1 })
    uuids.push(check.uuid)
  }
  await record(store, uuids)
  let slices = 0
  const deleteSlice: Store['projects']['deleteSlice'] = async projectId => {
    if (slices++ > 0) throw new Error('killed')
    return await store.projects.deleteSlice(projectId)
  }
  const killed = { ...store, people: store.people, projects: { ...store.projects, deleteSlice } }
  await assert.rejects(begin(killed, { owner, project }), /killed/)
  return { ...world, project, uuids }
}

/** Pings these checks, and returns which of them exist. */
async function record(store: Store, uuids: readonly string[]): Promise<boolean[]> {
  const { outcomes } = await store.pings.record(uuids.map(uuid => arrivedPing({ uuid }, 5)))
  return outcomes.map(outcome => outcome === 'ok')
}

/** What refers to a project of 45 checks or is one of them. */
async function remains(
  { store, owner, project }: { store: Store; owner: User; project: Project },
  uuids: readonly string[],
) {
  const pinged = await record(store, uuids)
  return {
    // It is not listed any more, but it is there.
    projects: (await store.projects.find(project.uuid)) === null ? 0 : 1,
    checks: pinged.filter(Boolean).length,
    account: (await store.people.findUser(owner.email)) !== null,
  }
}

const fail = ({ error }: Failed) => assert.ifError(error)
const aside = { projects: new SetAside('project', fail), users: new SetAside('user', fail) }

const deleteIt = (store: Store, { owner, project }: { owner: User; project: Project }) =>
  deleteProject(store, { projectId: project.id, ownerId: owner.id })

test('an interrupted deletion of a project is finished, by several processes at once too', async t => {
  const world = await openKilled(t, deleteIt)
  const { store, other, uuids } = world
  assert.deepEqual(await remains(world, uuids), { projects: 1, checks: 25, account: true })
  const finish = (one: Store) => finishDeletions({ store: one, clock: systemClock, aside })
  await Promise.all([store, other].map(finish))
  await finish(store)
  assert.deepEqual(await remains(world, uuids), { projects: 0, checks: 0, account: true })
})

test('nobody sees a project that is being deleted, and nothing leads into it or out of it', async t => {
  const { store, owner, heir, project } = await openKilled(t, deleteIt)
  for (const { id } of [owner, heir]) {
    assert.equal(await store.people.projectAccess(id, project.uuid), null)
    assert.deepEqual(await store.people.listProjects(id), [])
    assert.deepEqual((await store.reports.reportedProjects(id)).projects, [])
  }
  assert.equal(await store.projects.authenticate('digest'), null)
  assert.equal((await store.projects.find(project.uuid))?.pingKey, null)
  assert.deepEqual(
    (await store.channels.list(project.id)).map(({ disabled }) => disabled),
    [true],
  )
})

test('an interrupted closing of an account is finished; until then the account is disabled', async t => {
  const world = await openKilled(t, (store, { owner }) => closeAccount(store, owner.id, 4))
  const { store, owner, uuids } = world
  assert.equal((await store.people.signInFacts({ id: owner.id }))?.disabled, true)
  const job = finishDeletionsJob({ store, clock: systemClock, onSetAside: fail, onError: assert.ifError })
  job.start()
  await eventually(async () => !(await remains(world, uuids)).account)
  await job.stop()
  assert.deepEqual(await remains(world, uuids), { projects: 0, checks: 0, account: false })
})

test('a project whose deletion was interrupted keeps its owner, and can be deleted again', async t => {
  const { store, owner, heir, offered } = await openWorld(t)
  const payroll = await offered(owner, heir, 'Payroll')
  const stopped = interrupted(store, () => Promise.reject(new Error('killed')))
  const own = { projectId: payroll.id, ownerId: owner.id }
  await assert.rejects(deleteProject(stopped, own), /killed/)
  const by = await sessionOf(store, owner)
  const again = { projectId: payroll.id, memberUuid: heir.uuid, by, now: 4 }
  await assert.rejects(store.projects.offerTransfer(again), /the deletion of this project has begun/)
  await assert.rejects(store.projects.acceptTransfer(payroll.id, heir.id, 3), /not offered to you/)
  assert.equal(await store.people.handProjects(owner.id, heir.id, 5), 0)
  await deleteProject(store, own)
  assert.equal(await store.projects.find(payroll.uuid), null)
})

test('an account whose owner goes on making projects is deleted, and the heir has all of them', async t => {
  const { store, other, owner, heir } = await openWorld(t)
  let isOver = false
  const made: string[] = []
  const make = async () => {
    while (!isOver) {
      const project = await addProject(other, clock, { name: 'More', ownerId: owner.id }).catch(() => null)
      if (project) made.push(project.uuid)
    }
  }
  const making = [make(), make()]
  await eventually(() => made.length > 5)
  try {
    await deleteUser(store, clock, owner.email, { to: heir.email })
  } finally {
    isOver = true
    await Promise.all(making)
  }
  assert.equal(await store.people.findUser(owner.email), null)
  const given = (await store.people.listProjects(heir.id)).map(({ uuid }) => uuid)
  assert.deepEqual(
    made.filter(uuid => !given.includes(uuid)),
    [],
  )
})

test('an account whose owner makes a project before each step of its deletion is deleted', async t => {
  const { store, owner, heir } = await openWorld(t)
  const steps: ProxyHandler<Store['people']> = {
    get:
      (people, name: keyof Store['people']) =>
      async (...given: unknown[]) => {
        await addProject(store, clock, { name: 'More', ownerId: owner.id }).catch(() => {})
        return await (people[name] as (...given: unknown[]) => Promise<unknown>)(...given)
      },
  }
  const busy = { ...store, people: new Proxy(store.people, steps) }
  const { projects } = await deleteUser(busy, clock, owner.email, { to: heir.email })
  assert.equal(await store.people.findUser(owner.email), null)
  assert.equal((await store.people.listProjects(heir.id)).length, projects)
})

test('if an account cannot be deleted yet, none of its projects is given away', async t => {
  const { store, owner, heir } = await openWorld(t)
  const [kept, doomed] = [
    await addProject(store, clock, { name: 'Kept', ownerId: owner.id }),
    await addProject(store, clock, { name: 'Doomed', ownerId: owner.id }),
  ]
  await store.projects.markForDeletion(owner.id, doomed.id)
  const deletion = deleteUser(store, clock, owner.email, { to: heir.email })
  await assert.rejects(deletion, /a project of the user is being deleted/)
  assert.equal((await store.people.projectAccess(owner.id, kept.uuid))?.role, 'owner')
})
