import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOffer } from '../../../src/actions/projects/end-offer.js'
import { clockWords } from '../../../src/core/time/instant.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import { ownSession } from '../../_support/own-session.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld, PASSWORD, type Person } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, mike, bob, rita, charlie, project, store, clock } = world
const base = `/projects/${project.uuid}`
const settings = `${base}/settings/`

test('somebody makes a project, and owns it', async () => {
  const nameless = await alice.post('/projects/add/', { name: ' ' })
  assert.equal(nameless.status, 400)
  assert.match(nameless.text, /Give the project a name\./)
  const made = await alice.post('/projects/add/', { name: '  Web   shop ' })
  assert.match(made.location!, /^\/projects\/[0-9a-f-]{36}\/checks\/$/)
  const projects = await store.people.listProjects(alice.id)
  assert.deepEqual(
    projects.map(({ name }) => name),
    ['Alice’s jobs', 'Web shop'],
  )
})

test('a member renames the project; a name that is too long is shown again with what is wrong', async () => {
  assert.equal((await bob.post(`${base}/name/`, { name: 'Jobs of Alice' })).status, 303)
  const page = await bob.get(settings)
  assert.match(page.text, /Project renamed\./)
  assert.match(page.text, /value="Jobs of Alice"/)
  const long = await bob.post(`${base}/name/`, { name: 'x'.repeat(101) })
  assert.equal(long.status, 400)
  assert.match(long.text, /at most 100 characters/)
  await bob.post(`${base}/name/`, { name: project.name })
})

test('a member sets how the API lists flips; others than members cannot', async () => {
  const chosen = async () => /<option value="(\w+)" selected/.exec((await bob.get(settings)).text)![1]
  assert.equal(await chosen(), 'default')
  assert.match((await bob.get(settings)).text, /Default of this installation \(array\)/)
  assert.equal((await bob.post(`${base}/flips/`, { flips: 'object' })).location, settings)
  assert.equal(await chosen(), 'object')
  assert.equal((await rita.post(`${base}/flips/`, { flips: 'array' })).status, 403)
  assert.equal((await charlie.post(`${base}/flips/`, { flips: 'array' })).status, 404)
  const unknown = await bob.post(`${base}/flips/`, { flips: 'toString' })
  assert.equal(unknown.status, 400)
  assert.match(unknown.text, /Choose one of the forms\./)
  assert.equal(await store.checks.wrapsFlips(project.id), true)
})

test('a member chooses which clients of other monitors may ping; others than members cannot', async () => {
  const chosen = () => store.projects.protocols(project.id)
  assert.deepEqual(await chosen(), [])
  assert.equal((await bob.post(`${base}/protocols/`, { protocols: 'sentry' })).location, settings)
  assert.deepEqual(await chosen(), ['sentry'])
  assert.match((await bob.get(settings)).text, /name="protocols" checked|checked[^>]* name="protocols"/)
  assert.equal((await rita.post(`${base}/protocols/`, {})).status, 403)
  assert.equal((await charlie.post(`${base}/protocols/`, {})).status, 404)
  const unknown = await bob.post(`${base}/protocols/`, { protocols: 'toString' })
  assert.equal(unknown.status, 400)
  assert.match(unknown.text, /Choose protocols of the list\./)
  assert.deepEqual(await chosen(), ['sentry'])
  // Each has its address to copy, with the ping key, and the page about it.
  await bob.post(`${base}/protocols/`, { protocols: ['sentry', 'cronitor'] })
  const { pingKey } = (await store.people.projectAccess(bob.id, project.uuid))!
  const { text } = await bob.get(settings)
  assert.ok(text.includes(`//${pingKey}@`) && text.includes(`/p/${pingKey}/MONITOR`))
  assert.ok(text.includes('href="/docs/coming-from-cronitor/"'))
  assert.ok(!text.includes('/api/push/TOKEN?'))
  await bob.post(`${base}/protocols/`, {})
  assert.deepEqual(await chosen(), [])
})

test('a new API key works, is shown once, and stops working when it is revoked', async () => {
  assert.equal((await alice.post(`${base}/keys/add/`, { kind: 'rw' })).location, settings)
  const shown = await alice.get(settings)
  const key = /hcw_[a-zA-Z0-9]{28}/.exec(shown.text)![0]
  assert.doesNotMatch((await alice.get(settings)).text, new RegExp(key))
  assert.equal((await store.projects.authenticate(digestOf(key)))?.projectId, project.id)
  await alice.post(`${base}/keys/revoke/`, { kind: 'rw', hint: key.slice(0, 8) })
  assert.equal(await store.projects.authenticate(digestOf(key)), null)
})

test('revoking names one key: nothing goes where none is named', async () => {
  await alice.post(`${base}/keys/add/`, { kind: 'ro' })
  assert.equal((await alice.post(`${base}/keys/revoke/`, { kind: 'ro', hint: '' })).status, 400)
  assert.equal((await alice.post(`${base}/keys/revoke/`, { kind: 'all' })).status, 400)
  assert.equal((await store.projects.listApiKeys(project.id)).length, 1)
})

test('the ping key is revoked and made anew', async () => {
  const before = (await store.people.projectAccess(alice.id, project.uuid))!.pingKey!
  await bob.post(`${base}/keys/revoke/`, { kind: 'ping' })
  assert.equal((await store.people.projectAccess(alice.id, project.uuid))!.pingKey, null)
  await bob.post(`${base}/keys/add/`, { kind: 'ping' })
  const after = (await store.people.projectAccess(alice.id, project.uuid))!.pingKey!
  assert.notEqual(after, before)
  assert.match((await bob.get(settings)).text, new RegExp(after))
})

test('a read-only member sees the people, but no key', async () => {
  await alice.post(`${base}/keys/add/`, { kind: 'rw' })
  const { pingKey } = (await store.people.projectAccess(alice.id, project.uuid))!
  const page = await rita.get(settings)
  assert.equal(page.status, 200)
  assert.match(wordsOf(page.text), /mike@example\.org/)
  assert.doesNotMatch(page.text, /hcw_|hcr_/)
  assert.doesNotMatch(page.text, new RegExp(pingKey!))
})

test('a manager changes roles and removes members, but neither themself nor the owner', async () => {
  const guest = await world.person('guest')
  await store.projects.putMember({ projectId: project.id, userId: guest.id, role: 'readonly', now: 1 })
  assert.equal((await mike.post(`${base}/members/${guest.uuid}/role/`, { role: 'member' })).status, 303)
  assert.equal((await store.people.projectAccess(guest.id, project.uuid))?.role, 'member')
  assert.equal((await mike.post(`${base}/members/${guest.uuid}/role/`, { role: 'owner' })).status, 400)
  assert.equal((await mike.post(`${base}/members/${mike.uuid}/role/`, { role: 'readonly' })).status, 400)
  assert.equal((await mike.post(`${base}/members/${alice.uuid}/role/`, { role: 'readonly' })).status, 404)
  assert.equal((await mike.post(`${base}/members/${alice.uuid}/remove/`)).status, 404)
  assert.equal((await mike.post(`${base}/members/${guest.uuid}/remove/`)).status, 303)
  assert.equal((await guest.get(settings)).status, 404)
})

test('a member leaves; the owner cannot', async () => {
  const guest = await world.person('leaver')
  await store.projects.putMember({ projectId: project.id, userId: guest.id, role: 'readonly', now: 1 })
  assert.equal((await guest.post(`${base}/leave/`)).location, '/')
  assert.equal((await guest.get(settings)).status, 404)
  assert.equal((await alice.post(`${base}/leave/`)).status, 409)
})

test('an invitation says until when its link can be used, to the minute', async () => {
  await mike.post(`${base}/invitations/add/`, { email: '', role: 'readonly' })
  const until = clockWords(clock.now() + 7 * 86_400_000, clock.now(), 'UTC')
  assert.match(
    wordsOf((await mike.get(settings)).text),
    new RegExp(`anyone with the link can join until ${until}`),
  )
})

test('an invitation’s link lets one person in: with a new account, and not a second time', async () => {
  await mike.post(`${base}/invitations/add/`, { email: '', role: 'readonly' })
  const link = /http[^"<]*(\/accounts\/invitations\/[\w-]+\/)/.exec((await mike.get(settings)).text)![1]!
  const newcomer = world.stranger()
  assert.match((await newcomer.get(link)).text, /Join Alice’s jobs/)
  const fields = { email: 'new@example.org', password: PASSWORD }
  const joined = await newcomer.post(link, fields)
  assert.equal(joined.location, `${base}/checks/`)
  assert.equal((await newcomer.get(settings)).status, 200)
  assert.equal((await newcomer.post(`${base}/name/`, { name: 'mine' })).status, 403)
  assert.equal((await charlie.post(link)).status, 410)
  assert.deepEqual(
    await store.people
      .listProjects((await store.people.findUser('new@example.org'))!.id)
      .then(all => all.length),
    1,
  )
})

const ENDS: [what: string, end: (manager: Person, projectId: number) => Promise<unknown>][] = [
  ['is removed', manager => alice.post(`${base}/members/${manager.uuid}/remove/`)],
  ['leaves', manager => manager.post(`${base}/leave/`)],
  ['may invite no more', manager => alice.post(`${base}/members/${manager.uuid}/role/`, { role: 'member' })],
  ['is disabled', manager => store.people.setDisabled(manager.id, clock.now())],
  ['is deleted', manager => store.people.deleteUser(manager.id, 1)],
  [
    'gets another role by an operator',
    ({ id }, projectId) => store.projects.putMember({ projectId, userId: id, role: 'readonly', now: 1 }),
  ],
]
for (const [what, end] of ENDS) {
  test(`the open invitations of a manager who ${what} end`, async () => {
    const manager = await world.person(`manager-who-${what.replaceAll(' ', '-')}`)
    await store.projects.putMember({ projectId: project.id, userId: manager.id, role: 'manager', now: 1 })
    await manager.post(`${base}/invitations/add/`, { email: '', role: 'manager' })
    const { text } = await manager.get(settings)
    const link = /http[^"<]*(\/accounts\/invitations\/[\w-]+\/)/.exec(text)![1]!
    assert.match((await alice.get(settings)).text, new RegExp(`Invited by ${manager.email}`))
    const others = async () =>
      (await store.projects.listInvitations(project.id, clock.now())).filter(
        ({ inviter }) => inviter !== manager.email,
      ).length
    const before = await others()
    await end(manager, project.id)
    assert.equal((await world.stranger().get(link)).status, 410)
    assert.equal(await others(), before, 'those of others stay')
  })
}

test('who may invite no more adds no invitation either, and the owner before ends theirs', async () => {
  const owner = await world.person('giver')
  const given = await world.projectOf(owner, 'Handed on')
  const add = async (inviter: Person, digest: string) =>
    await store.projects.addInvitation({
      projectId: given.id,
      by: await ownSession(store, inviter, clock),
      digest,
      role: 'member',
      email: null,
      now: 1,
      expiresAt: clock.now() + 1_000_000,
    })
  const refused = /you may not do this in this project any more/
  await assert.rejects(add(bob, 'of a stranger'), refused)
  await store.projects.putMember({ projectId: given.id, userId: bob.id, role: 'member', now: 1 })
  await assert.rejects(add(bob, 'of a member'), refused)
  await add(owner, 'of the owner')
  const at = `/projects/${given.uuid}/transfer`
  await owner.post(`${at}/`, { member: bob.uuid })
  await bob.post(`${at}/accept/`)
  assert.equal((await store.people.projectAccess(bob.id, given.uuid))?.role, 'owner')
  assert.deepEqual(await store.projects.listInvitations(given.id, clock.now()), [])
})

test('an invitation under way when its maker is disabled, or signed out elsewhere, is refused', async () => {
  const owner = await world.person('departing')
  const own = await world.projectOf(owner, 'Left')
  const by = await ownSession(store, owner, clock)
  const add = (digest: string) =>
    store.projects.addInvitation({
      projectId: own.id,
      by,
      digest,
      role: 'manager',
      email: null,
      now: clock.now(),
      expiresAt: clock.now() + 1_000_000,
    })
  await Promise.allSettled([add('raced'), store.people.setDisabled(owner.id, clock.now())])
  assert.equal(await store.projects.findInvitation('raced', clock.now()), null)
  await assert.rejects(add('late'), /you were signed out in the meantime/)
  await store.people.setDisabled(owner.id, null)
  await assert.rejects(add('later'), /you were signed out in the meantime/)
  assert.deepEqual(await store.projects.listInvitations(own.id, clock.now()), [])
})

test('an invitation of somebody who may invite no more opens nothing, however it came to be', async () => {
  const owner = await world.person('former')
  const own = await world.projectOf(owner, 'Kept')
  const { clock } = world
  const given = { projectId: own.id, role: 'manager', email: null, now: clock.now() } as const
  const expiresAt = clock.now() + 1_000_000
  await store.projects.putMember({ projectId: own.id, userId: mike.id, role: 'manager', now: 1 })
  const makers: [Person, string][] = [
    [mike, 'of the manager'],
    [owner, 'of the owner'],
  ]
  for (const [maker, digest] of makers) {
    const by = await ownSession(store, maker, clock)
    await store.projects.addInvitation({ ...given, by, digest, expiresAt })
    assert.notEqual(await store.projects.findInvitation(digest, clock.now()), null)
  }
  await world.raw(`UPDATE members SET role = 'member' WHERE project_id = ${own.id}`)
  await world.raw(`UPDATE users SET disabled_at = 1 WHERE id = ${owner.id}`)
  for (const [, digest] of makers) {
    assert.equal(await store.projects.findInvitation(digest, clock.now()), null)
    assert.equal(await store.projects.acceptInvitation(digest, charlie.id, clock.now()), null)
  }
  assert.equal(await store.people.projectAccess(charlie.id, own.uuid), null)
})

test('an invitation made while a project is handed on ends with that', async () => {
  for (let round = 0; round < 8; round++) {
    const owner = await world.person(`handing${round}`)
    const own = await world.projectOf(owner, 'Handed on')
    const by = await ownSession(store, owner, clock)
    const now = clock.now()
    const made = { projectId: own.id, by, role: 'manager', email: null, now, expiresAt: now + 1_000 } as const
    await Promise.allSettled([
      store.projects.addInvitation({ ...made, digest: `before ${round}` }),
      store.people.handProjects(owner.id, bob.id, 1),
      store.projects.addInvitation({ ...made, digest: `after ${round}` }),
    ])
    assert.equal((await store.people.projectAccess(bob.id, own.uuid))?.role, 'owner')
    assert.deepEqual(await world.raw(`SELECT id FROM invitations WHERE project_id = ${own.id}`), [])
  }
})

test('one invitation that several newcomers take at once makes one account', async () => {
  const invitation = 'for newcomers'
  const expiresAt = clock.now() + 1_000_000
  const given = {
    projectId: project.id,
    by: await ownSession(store, alice, clock),
    role: 'readonly',
    email: null,
  } as const
  await store.projects.addInvitation({ ...given, digest: invitation, now: 1, expiresAt })
  const user = { passwordHash: 'hash', emailProven: false, now: 2 }
  const emails = [0, 1, 2, 3, 4, 5].map(n => `newcomer${n}@example.org`)
  const made = await Promise.allSettled(
    emails.map(email => store.people.createGuest({ invitation, proof: null, user: { ...user, email } })),
  )
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
  const found = await Promise.all(emails.map(email => store.people.findUser(email)))
  assert.equal(found.filter(Boolean).length, 1)
})

test('an address that is taken leaves the invitation open', async () => {
  await alice.post(`${base}/invitations/add/`, { email: '', role: 'readonly' })
  const link = /http[^"<]*(\/accounts\/invitations\/[\w-]+\/)/.exec((await alice.get(settings)).text)![1]!
  const taken = await world.stranger().post(link, { email: bob.email, password: PASSWORD })
  assert.equal(taken.status, 409)
  assert.equal((await world.stranger().get(link)).status, 200)
})

test('who has an account takes an invitation after signing in, and never loses a role they have', async () => {
  const invite = async () => {
    await alice.post(`${base}/invitations/add/`, { email: '', role: 'readonly' })
    return /http[^"<]*(\/accounts\/invitations\/[\w-]+\/)/.exec((await alice.get(settings)).text)![1]!
  }
  const guest = await world.person('invited')
  const taken = await world.stranger().post(await invite(), { email: guest.email, password: PASSWORD })
  assert.equal(taken.status, 409)
  assert.equal((await guest.post(await invite())).status, 303)
  assert.equal((await store.people.projectAccess(guest.id, project.uuid))?.role, 'readonly')
  await bob.post(await invite())
  assert.equal((await store.people.projectAccess(bob.id, project.uuid))?.role, 'member')
  await alice.post(await invite())
  assert.equal((await store.people.projectAccess(alice.id, project.uuid))?.role, 'owner')
})

test('a withdrawn invitation and one that has run out let nobody in', async () => {
  await alice.post(`${base}/invitations/add/`, { email: 'late@example.org', role: 'member' })
  const link = /http[^"<]*(\/accounts\/invitations\/[\w-]+\/)/.exec((await alice.get(settings)).text)![1]!
  const [invitation] = (await store.projects.listInvitations(project.id, clock.now())).slice(-1)
  await mike.post(`${base}/invitations/${invitation!.uuid}/withdraw/`)
  assert.equal((await world.stranger().get(link)).status, 410)
  assert.equal((await mike.post(`${base}/invitations/${invitation!.uuid}/withdraw/`)).status, 404)
})

test('nobody is invited who belongs already, or to a role that does not exist', async () => {
  const member = await alice.post(`${base}/invitations/add/`, { email: 'BOB@example.org', role: 'member' })
  assert.equal(member.status, 409)
  assert.match(member.text, /The project has bob@example\.org among its people already/)
  assert.equal((await alice.post(`${base}/invitations/add/`, { email: '', role: 'owner' })).status, 400)
})

test('who declines an offer ends only the offer to them, not one that the owner made to another meanwhile', async () => {
  const given = await world.projectOf(alice, 'Offered twice')
  await store.projects.putMember({ projectId: given.id, userId: bob.id, role: 'readonly', now: 1 })
  await store.projects.putMember({ projectId: given.id, userId: mike.id, role: 'manager', now: 1 })
  const at = `/projects/${given.uuid}/transfer`
  await alice.post(`${at}/`, { member: mike.uuid })
  const members = await store.projects.listMembers(given.id)
  await alice.post(`${at}/`, { member: bob.uuid })
  // Mike's request reads the members before the second offer, and ends the offer after it.
  const early = { projects: { ...store.projects, listMembers: async () => members } }
  const decline = { projectId: given.id, role: 'manager', reader: mike.uuid } as const
  await assert.rejects(endOffer({ store: early, clock: clock }, decline), { code: 'forbidden' })
  await bob.post(`${at}/accept/`)
  assert.equal((await store.people.projectAccess(bob.id, given.uuid))?.role, 'owner')
})

test('who owned a project ends no offer that its next owner made meanwhile', async () => {
  const given = await world.projectOf(alice, 'Offered on')
  await store.projects.putMember({ projectId: given.id, userId: bob.id, role: 'readonly', now: 1 })
  await store.projects.putMember({ projectId: given.id, userId: mike.id, role: 'manager', now: 1 })
  const at = `/projects/${given.uuid}/transfer`
  await alice.post(`${at}/`, { member: bob.uuid })
  await bob.post(`${at}/accept/`)
  await bob.post(`${at}/`, { member: mike.uuid })
  // Alice's request read her role before the project changed hands.
  const withdrawal = { projectId: given.id, role: 'owner', reader: alice.uuid } as const
  await assert.rejects(endOffer(world, withdrawal), { code: 'forbidden' })
  await mike.post(`${at}/accept/`)
  assert.equal((await store.people.projectAccess(mike.id, given.uuid))?.role, 'owner')
})

test('a project changes hands when the member accepts, and the owner before stays as a member', async () => {
  const given = await world.projectOf(alice, 'Given away')
  const at = `/projects/${given.uuid}`
  await store.projects.putMember({ projectId: given.id, userId: bob.id, role: 'readonly', now: 1 })
  await store.projects.putMember({ projectId: given.id, userId: mike.id, role: 'manager', now: 1 })
  assert.equal((await bob.post(`${at}/transfer/accept/`)).status, 404, 'nothing was offered')
  assert.equal((await mike.post(`${at}/transfer/`, { member: mike.uuid })).status, 403)
  await alice.post(`${at}/transfer/`, { member: bob.uuid })
  assert.match(wordsOf((await alice.get(`${at}/settings/`)).text), /Offered to bob@example\.org/)
  assert.equal((await mike.post(`${at}/transfer/cancel/`)).status, 403)
  await bob.post(`${at}/transfer/cancel/`)
  assert.equal((await bob.post(`${at}/transfer/accept/`)).status, 404, 'he had declined')
  await alice.post(`${at}/transfer/`, { member: bob.uuid })
  assert.match((await bob.get(`${at}/settings/`)).text, /wants to transfer Given away to you/)
  await bob.post(`${at}/transfer/accept/`)
  assert.equal((await store.people.projectAccess(bob.id, given.uuid))?.role, 'owner')
  assert.equal((await store.people.projectAccess(alice.id, given.uuid))?.role, 'member')
})

test('an offer ends with the credentials of the owner who made it', async () => {
  const owner = await world.person('recovering')
  const given = await world.projectOf(owner, 'Kept')
  const at = `/projects/${given.uuid}`
  await store.projects.putMember({ projectId: given.id, userId: bob.id, role: 'readonly', now: 1 })
  await owner.post(`${at}/transfer/`, { member: bob.uuid })
  assert.equal((await world.charlie.post(`${at}/transfer/accept/`)).status, 404)
  await owner.post('/accounts/password/', { password: 'battery staple', current: PASSWORD })
  assert.doesNotMatch((await bob.get(`${at}/settings/`)).text, /wants to transfer/)
  assert.equal((await bob.post(`${at}/transfer/accept/`)).status, 404)
  assert.equal((await store.people.projectAccess(owner.id, given.uuid))?.role, 'owner')
})

test('a project goes with all that is in it, once its name was typed', async () => {
  const doomed = await world.projectOf(alice, 'Doomed')
  const check = await world.addCheck('Backup', doomed.id)
  for (let n = 0; n < 25; n++) await world.addCheck(`Job ${n}`, doomed.id)
  const at = `/projects/${doomed.uuid}`
  const wrong = await alice.post(`${at}/remove/`, { name: 'Dooomed' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /type Doomed/)
  assert.equal((await alice.post(`${at}/remove/`, { name: 'Doomed' })).location, '/')
  assert.equal((await alice.get(`${at}/settings/`)).status, 404)
  assert.equal(await store.people.checkAccess(alice.id, check), null)
})

test('the owner alone is offered the people of their other projects', async () => {
  const host = await world.person('host')
  const [here, there] = [await world.projectOf(host, 'Here'), await world.projectOf(host, 'There')]
  const [known, inBoth] = [await world.person('known'), await world.person('both')]
  const now = clock.now()
  for (const [project, user] of [
    [there, known],
    [there, inBoth],
    [here, inBoth],
  ] as const) {
    await world.store.projects.putMember({ projectId: project.id, userId: user.id, role: 'member', now })
  }
  const offered = (text: string) => /<datalist id="invitable">(.*?)<\/datalist>/.exec(text)?.[1] ?? null
  const { text } = await host.get(`/projects/${here.uuid}/settings/`)
  assert.equal(offered(text), `<option value="${known.email}"></option>`)
  const managed = { projectId: here.id, userId: world.mike.id, role: 'manager', now } as const
  await world.store.projects.putMember(managed)
  assert.equal(offered((await world.mike.get(`/projects/${here.uuid}/settings/`)).text), '')
  assert.equal(offered((await inBoth.get(`/projects/${here.uuid}/settings/`)).text), null)
})
