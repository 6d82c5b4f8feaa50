/** Requests whose body comes so late that what they were let through by has ended: they do nothing any more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SESSION_COOKIE } from '../../src/http/web/people/session.js'
import { digestOf } from '../../src/lib/secrets/secrets.js'
import type { Visitor } from '../_support/browser/visitor.js'
import { eventually } from '../_support/eventually.js'
import { ownSession } from '../_support/own-session.js'
import { type HeldPost, holdPost } from '../_support/worlds/held-post.js'
import { engine } from '../_support/worlds/store.js'
import { openWebWorld, PASSWORD, type Person } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, root, clock } = world

/** Waits until the server has seen the session of a held request: that notes its use. */
async function held(visitor: Visitor, path: string, fields: Record<string, string>): Promise<HeldPost> {
  const { text } = await visitor.get('/projects/add/')
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1]!
  const digest = digestOf(visitor.cookies.get(SESSION_COOKIE)!)
  const seenAt = async () => (await store.people.findSession(digest, clock.now()))!.seenAt
  clock.advance(61)
  const before = await seenAt()
  const headers = {
    Cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  const post = await holdPost(root, path, headers, new URLSearchParams({ csrf, ...fields }).toString())
  await eventually(async () => (await seenAt()) > before)
  return post
}

async function secondBrowser(person: Person): Promise<Visitor> {
  const browser = world.stranger()
  await browser.signIn(person.email, PASSWORD)
  return browser
}

test('after a new password a held request makes no key and no invitation and closes nothing', async () => {
  const victim = await world.person('victim')
  const project = await world.projectOf(victim, 'Jobs')
  const thief = await secondBrowser(victim)
  const posts = [
    await held(thief, `/projects/${project.uuid}/keys/add/`, { kind: 'rw' }),
    await held(thief, `/projects/${project.uuid}/invitations/add/`, { email: '', role: 'manager' }),
    await held(thief, '/accounts/sessions/revoke/', {}),
  ]
  const change = { password: 'battery staple 77', current: PASSWORD }
  const changed = await victim.post('/accounts/password/', change)
  assert.equal(changed.status, 303, changed.text)
  for (const post of posts) assert.equal((await post.finish()).location, '/accounts/login/')
  assert.deepEqual(await store.projects.listApiKeys(project.id), [])
  assert.deepEqual(await store.projects.listInvitations(project.id, clock.now()), [])
  assert.equal((await store.people.listSessions(victim.id, clock.now())).length, 1)
})

test('a held request of a member who was removed meanwhile changes nothing', async () => {
  const member = await world.person('removed')
  const { project } = world
  await store.projects.putMember({ projectId: project.id, userId: member.id, role: 'manager', now: 1 })
  const post = await held(member, `/projects/${project.uuid}/keys/add/`, { kind: 'rw' })
  await store.projects.removeMember(project.id, member.uuid, 1)
  assert.equal((await post.finish()).status, 404)
  assert.deepEqual(await store.projects.listApiKeys(project.id), [])
})

test('a held confirmation does not take over the session that another begins meanwhile', async () => {
  const mallory = await world.person('mallory')
  const post = await held(mallory, '/accounts/confirm/', { password: PASSWORD })
  await mallory.post('/accounts/logout/')
  const next = await world.person('next')
  assert.equal((await post.finish()).location, '/accounts/login/')
  assert.equal((await next.get('/accounts/profile/')).status, 200)
})

test('a held request to the API is refused once its key or its project is gone', async () => {
  for (const end of ['key', 'project'] as const) {
    const project = await world.projectOf(world.charlie, end)
    const key = `hcw_${end.padEnd(28, 'x')}`
    await store.projects.addApiKey({
      projectId: project.id,
      kind: 'rw',
      digest: digestOf(key),
      hint: 'hcw',
      now: 1,
    })
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
    const post = await holdPost(root, '/api/v3/checks/', headers, JSON.stringify({ name: 'planted' }))
    // By the time this is answered the key of the held one was looked at, too.
    assert.equal((await world.send('GET', '/api/v3/checks/', { key })).status, 200)
    if (end === 'key') await store.projects.revokeApiKeys({ projectId: project.id, kind: 'rw', now: 1 })
    else await store.projects.delete(project.id)
    await world.projectOf(world.alice, 'New')
    clock.advance(2)
    assert.equal((await post.finish()).status, 401)
  }
  assert.deepEqual(await world.raw(`SELECT check_id FROM check_details WHERE name = 'planted'`), [])
})

test('a key that is still believed makes no check in a project that is gone', async () => {
  const project = await world.projectOf(world.charlie, 'gone')
  const key = 'hcw_believedxxxxxxxxxxxxxxxxxxxx'
  await store.projects.addApiKey({
    projectId: project.id,
    kind: 'rw',
    digest: digestOf(key),
    hint: 'hcw',
    now: 1,
  })
  assert.equal((await world.send('GET', '/api/v3/checks/', { key })).status, 200)
  await store.projects.delete(project.id)
  const made = await world.send('POST', '/api/v3/checks/', { key, body: { name: 'planted' } })
  assert.equal(made.status, 404, `${engine}: ${made.text}`)
})

test('one invitation that several people take at once makes one of them a member', async () => {
  const people = [world.alice, world.mike, world.bob, world.rita]
  for (let round = 0; round < 4; round++) {
    const project = await world.projectOf(world.charlie, `Round ${round}`)
    const digest = `invitation ${round}`
    const given = {
      projectId: project.id,
      by: await ownSession(world.store, world.charlie, clock),
      digest,
      role: 'manager',
      email: null,
    } as const
    await store.projects.addInvitation({ ...given, now: 1, expiresAt: clock.now() + 1_000_000 })
    const taken = await Promise.all(
      people.map(({ id }) => store.projects.acceptInvitation(digest, id, clock.now())),
    )
    assert.equal(taken.filter(uuid => uuid !== null).length, 1)
    assert.equal((await store.projects.listMembers(project.id)).length, 2)
  }
})
