/** What outlives the access of its author is stored only while that access lasts. Decision 0105. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { addProject } from '../../../src/actions/projects/add-project.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import type { OwnSession } from '../../../src/storage/people/lock-account.js'
import type { User } from '../../../src/storage/people/users.js'
import type { Store } from '../../../src/storage/store.js'
import { FakeClock } from '../../_support/clock.js'
import { openTwoStores } from '../../_support/worlds/store.js'

const clock = new FakeClock()

/** A project with an owner and a manager, and its store as each of two processes has it. */
async function openWorld(t: TestContext) {
  const [store, other] = await openTwoStores(t)
  const person = (email: string) => store.people.createUser({ email, passwordHash: 'hash', now: 1 })
  const [owner, manager] = [await person('owner@example.org'), await person('manager@example.org')]
  const bob = await person('bob@example.org')
  const project = await addProject(store, clock, { name: 'Payroll', ownerId: owner.id })
  const join = () =>
    store.projects.putMember({ projectId: project.id, userId: manager.id, role: 'manager', now: 1 })
  await join()
  await store.projects.putMember({ projectId: project.id, userId: bob.id, role: 'member', now: 1 })
  const hook = { kind: 'webhook', settings: {}, members: [], now: 1 }
  const { id: hookId } = await store.channels.create({ ...hook, projectId: project.id, name: 'Stays' })
  return { store, other, owner, manager, bob, project, join, hookId }
}
type World = Awaited<ReturnType<typeof openWorld>>

async function sessionOf(store: Store, user: User): Promise<OwnSession> {
  const facts = (await store.people.findUser(user.email))!
  const visitor = { ua: 'node', address: '127.0.0.1' }
  const token = await beginSession(store, clock, { user: facts, method: 'password', visitor })
  return {
    userId: user.id,
    sessionId: (await store.people.findSession(digestOf(token), clock.now()))!.sessionId,
  }
}

let made = 0
const name = () => `made ${made++}`
const token = () => ({ name: name(), digest: name(), hint: 'pun_', scopes: ['checks:read'] as const })
const channel = { kind: 'webhook', settings: {}, members: [] as string[], now: 2 }

const WRITES: Record<string, (w: World, by: OwnSession) => Promise<unknown>> = {
  'an API key': ({ other, project }, by) =>
    other.projects.addApiKey({ projectId: project.id, by, kind: 'rw', digest: name(), hint: 'hcw_', now: 2 }),
  'a ping key': ({ other, project }, by) =>
    other.projects.addPingKey({ projectId: project.id, by, pingKey: name(), now: 2 }),
  'the end of API keys': ({ other, project }, by) =>
    other.projects.revokeApiKeys({ projectId: project.id, by, kind: 'rw', now: 2 }),
  'the end of a ping key': ({ other, project }, by) =>
    other.projects.revokePingKey({ projectId: project.id, by, now: 2 }),
  'a token of the project': ({ other, project }, by) => {
    const owner = { projectId: project.id, role: 'manager' as const }
    return other.projects.addApiToken({ ...token(), owner, by, expiresAt: null, now: 2 })
  },
  'an invitation': ({ other, project }, by) => {
    const invitation = { projectId: project.id, digest: name(), role: 'manager' as const, email: null }
    return other.projects.addInvitation({ ...invitation, by, now: 2, expiresAt: clock.now() + 1e9 })
  },
  'an integration': ({ other, project }, by) =>
    other.channels.create({ ...channel, projectId: project.id, name: 'Way out', by }),
  'a changed integration': ({ other, project, hookId }, by) =>
    other.channels.update({ ...channel, id: hookId, projectId: project.id, name: 'Way out', by }),
}

const ENDS: Record<string, (w: World) => Promise<unknown>> = {
  'the owner ended others’ access': ({ store, owner }) => store.projects.endOthersAccess(owner.id, 3),
  'its author was removed': ({ store, manager, project }) =>
    store.projects.removeMember(project.id, manager.uuid, 3),
  'its author may only read': ({ store, manager, project }) =>
    store.projects.setMemberRole(project.id, manager.uuid, 'readonly', 3),
  'its author was signed out': ({ store, manager }) => store.people.endSignIns(manager.id, 3),
}

/** What a member could leave behind in the project. */
async function left({ store, project }: World): Promise<string[]> {
  const keys = (await store.projects.listApiKeys(project.id)).map(() => 'key')
  const tokens = (await store.projects.listApiTokens({ projectId: project.id })).map(() => 'token')
  const invitations = (await store.projects.listInvitations(project.id, 4)).map(() => 'invitation')
  const channels = (await store.channels.list(project.id)).map(one => one.name)
  return [...keys, ...tokens, ...invitations, ...channels]
}

for (const [what, write] of Object.entries(WRITES)) {
  test(`${what} is refused once its author has no access any more`, async t => {
    const world = await openWorld(t)
    for (const [when, end] of Object.entries(ENDS)) {
      await world.join()
      const by = await sessionOf(world.store, world.manager)
      await end(world)
      await assert.rejects(write(world, by), /you may not do this|you were signed out/, when)
      assert.deepEqual(await left(world), ['Stays'], when)
    }
  })
}

test('a token of a person is refused once they were signed out', async t => {
  const { store, manager } = await openWorld(t)
  const by = await sessionOf(store, manager)
  const add = () =>
    store.projects.addApiToken({ ...token(), owner: { userId: manager.id }, by, expiresAt: null, now: 2 })
  await add()
  await store.people.endSignIns(manager.id, 3)
  await assert.rejects(add(), /you were signed out in the meantime/)
  assert.deepEqual(await store.projects.listApiTokens({ userId: manager.id }), [])
})

test('a member who is let go and may only write makes no token that manages', async t => {
  const world = await openWorld(t)
  const { store, project, manager } = world
  const by = await sessionOf(store, manager)
  await store.projects.setMemberRole(project.id, manager.uuid, 'member', 3)
  await assert.rejects(WRITES['a token of the project']!(world, by), /you may not do this/)
  await WRITES['an API key']!(world, by)
  assert.deepEqual(await left(world), ['key', 'Stays'])
})

test('no key, token or invitation made while the owner ends others’ access survives', async t => {
  const world = await openWorld(t)
  const { store, owner, manager, join } = world
  const by = await sessionOf(store, manager)
  const lasting = ['an API key', 'a token of the project', 'an invitation'].map(what => WRITES[what]!)
  for (let round = 0; round < 10; round++) {
    await join()
    let isOver = false
    const keepMaking = lasting
      .flatMap(write => [write, write])
      .map(async write => {
        for (let refused = 0; !isOver || refused === 0; ) {
          const ok = await write(world, by).then(
            () => true,
            error => {
              assert.match(String(error), /you may not do this/)
              return false
            },
          )
          if (!ok) refused++
        }
      })
    await WRITES['an API key']!(world, by)
    await store.projects.endOthersAccess(owner.id, 3)
    isOver = true
    await Promise.all(keepMaking)
    assert.deepEqual(await left(world), ['Stays'], `round ${round}`)
  }
})

const TAKES: Record<string, (w: World, by: OwnSession, token: string) => Promise<unknown>> = {
  'removing a member': ({ other, project, bob }, author) =>
    other.projects.removeMember(project.id, bob.uuid, 5, { author, leaves: false }),
  'changing the role of a member': ({ other, project, bob }, by) =>
    other.projects.setMemberRole(project.id, bob.uuid, 'manager', 5, by),
  'revoking a token of the project': ({ other, project }, by, uuid) =>
    other.projects.revokeApiToken({ projectId: project.id }, uuid, 5, by),
}

/** The members but the manager, and the number of tokens of the project. */
async function kept({ store, project, manager }: World) {
  const members = await store.projects.listMembers(project.id)
  const others = members
    .filter(({ uuid }) => uuid !== manager.uuid)
    .map(({ email, role }) => `${email} ${role}`)
  return { others, tokens: (await store.projects.listApiTokens({ projectId: project.id })).length }
}

for (const [what, take] of Object.entries(TAKES)) {
  test(`${what} is refused once who asks for it has no access any more`, async t => {
    const world = await openWorld(t)
    const { store, project } = world
    const owner = { projectId: project.id, role: 'manager' as const }
    const made = await store.projects.addApiToken({ ...token(), owner, expiresAt: null, now: 2 })
    const before = await kept(world)
    const { 'the owner ended others’ access': _, ...ends } = ENDS
    for (const [when, end] of Object.entries(ends)) {
      await world.join()
      const by = await sessionOf(store, world.manager)
      await end(world)
      await assert.rejects(take(world, by, made.uuid), /you may not do this|you were signed out/, when)
      assert.deepEqual(await kept(world), before, when)
    }
    await world.join()
    await take(world, await sessionOf(store, world.manager), made.uuid)
    assert.notDeepEqual(await kept(world), before)
  })
}

test('a token of the project that was revoked removes nobody and revokes no other', async t => {
  const world = await openWorld(t)
  const { store, project, bob } = world
  const ref = { projectId: project.id }
  const owner = { ...ref, role: 'manager' as const }
  const [used, other] = [
    await store.projects.addApiToken({ ...token(), owner, expiresAt: null, now: 2 }),
    await store.projects.addApiToken({ ...token(), owner, expiresAt: null, now: 2 }),
  ]
  const by = { userId: null, projectToken: used.uuid }
  assert.equal(await store.projects.revokeApiToken(ref, used.uuid, 3, by), true, 'it revokes itself')
  const before = await kept(world)
  const writes = [
    store.projects.revokeApiToken(ref, other.uuid, 4, by),
    store.projects.removeMember(project.id, bob.uuid, 4, { author: by, leaves: false }),
    store.projects.setMemberRole(project.id, bob.uuid, 'manager', 4, by),
  ]
  // All at once: one that is refused before somebody waits for it would end the test.
  await Promise.all(writes.map(write => assert.rejects(write, /you may not do this/)))
  assert.deepEqual(await kept(world), before)
})

test('a person who was signed out revokes none of their tokens, and leaves no project', async t => {
  const { store, manager, project } = await openWorld(t)
  const owner = { userId: manager.id }
  const by = await sessionOf(store, manager)
  await store.people.endSignIns(manager.id, 3)
  const { uuid } = await store.projects.addApiToken({ ...token(), owner, expiresAt: null, now: 2 })
  const out = /you were signed out in the meantime/
  await assert.rejects(store.projects.revokeApiToken(owner, uuid, 3, by), out)
  await assert.rejects(
    store.projects.removeMember(project.id, manager.uuid, 3, { author: by, leaves: true }),
    out,
  )
  const again = await sessionOf(store, manager)
  await assert.rejects(
    store.projects.revokeApiToken(owner, uuid, 3, { userId: null, projectToken: uuid }),
    /only a person may/,
  )
  await store.projects.removeMember(project.id, manager.uuid, 3, { author: again, leaves: true })
  assert.equal(await store.projects.revokeApiToken(owner, uuid, 4, again), true)
})
