import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { beginSession, type SignInMethod } from '../../../src/actions/people/sign-in/begin-session.js'
import { packageRoot } from '../../../src/lib/package-root.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import { CREDENTIALS } from '../../../src/storage/people/end-credentials.js'
import type { User } from '../../../src/storage/people/users.js'
import type { Store } from '../../../src/storage/store.js'
import { FakeClock } from '../../_support/clock.js'
import { engine, openFreshStore } from '../../_support/worlds/store.js'

const clock = new FakeClock()

async function openStore(t: TestContext) {
  const fresh = await openFreshStore()
  t.after(fresh.remove)
  return fresh
}

async function sessionOf(store: Store, user: User, method: SignInMethod = 'password') {
  const visitor = { ua: 'node', address: '127.0.0.1' }
  const token = await beginSession(store, clock, { user, method, visitor })
  return {
    userId: user.id,
    sessionId: (await store.people.findSession(digestOf(token), clock.now()))!.sessionId,
  }
}

test('a change of address ends what a reader of the former address may have begun', async t => {
  const { store } = await openStore(t)
  const at = { passwordHash: 'hash', emailProven: true, now: 1 }
  const user = await store.people.createUser({ email: 'before@example.org', ...at })
  const own = await sessionOf(store, user)
  const others = [await sessionOf(store, user, 'link'), await sessionOf(store, user, 'openid')]
  const sessions = async () => (await store.people.listSessions(user.id, clock.now())).map(({ uuid }) => uuid)
  await store.people.setEmail({ ...own, email: 'before@example.org', provenAt: 2, now: 3 })
  assert.equal((await sessions()).length, 3, 'proving the same address again ends nothing')
  await store.people.setEmail({ ...own, email: 'after@example.org', provenAt: 3, now: 3 })
  assert.deepEqual(await sessions(), [own.sessionId])
  await assert.rejects(sessionOf(store, user, 'link'), /the account was changed in the meantime/)
  const password = { ...others[0]!, passwordHash: 'theirs', digest: 'new', recovers: false, now: 3 }
  await assert.rejects(store.people.setPassword(password), /you were signed out in the meantime/)
})

test('imports give a handed-over account nothing, unless it has the address with which it was imported', async t => {
  const { store, raw } = await openStore(t)
  const user = await store.people.createUser({ email: 'a@example.org', passwordHash: 'own', now: 1 })
  const invited = await store.people.createUser({ email: 'b@example.org', passwordHash: null, now: 1 })
  await raw(`UPDATE users SET imported_name = 'b' WHERE id = ${invited.id}`)
  await raw(`INSERT INTO imported (digest, user_id) VALUES ('a', ${user.id}), ('b', ${invited.id})`)
  for (const { id: userId, email } of [user, invited])
    await store.people.handOverAccount({ userId, email, now: 2 })
  const rows = await raw('SELECT digest, user_id FROM imported ORDER BY digest')
  assert.deepEqual(
    rows.map(row => [row.digest, row.user_id]),
    [
      ['a', null],
      ['b', invited.id],
    ],
  )
})

test('requests under way are refused after the hand-over', async t => {
  const { store } = await openStore(t)
  const user = await store.people.createUser({ email: 'a@example.org', passwordHash: 'stolen', now: 1 })
  const session = await sessionOf(store, user)
  assert.notEqual(await store.people.handOverAccount({ userId: user.id, email: user.email, now: 2 }), null)
  const signedOut = /you were signed out in the meantime/
  const password = { ...session, passwordHash: 'stolen', digest: 'new', recovers: false, now: 3 }
  await assert.rejects(store.people.setPassword(password), signedOut)
  await assert.rejects(store.people.setTotp({ ...session, secret: 'SECRET' }), signedOut)
  await assert.rejects(store.people.setRecoveryCodes({ ...session, digests: ['code'] }), signedOut)
  const key = { credentialId: 'key', publicKey: new Uint8Array([1]), counter: 0, transports: [], name: 'Key' }
  await assert.rejects(store.people.addPasskey({ ...session, ...key, now: 1 }), signedOut)
  const elsewhere = { ...session, email: 'evil@example.org', provenAt: null, now: 3 }
  await assert.rejects(store.people.setEmail(elsewhere), signedOut)
  await assert.rejects(sessionOf(store, user), /the account was changed in the meantime/)
  const facts = (await store.people.signInFacts({ id: user.id }))!
  assert.deepEqual(
    [facts.passwordHash, facts.totpSecret, facts.passkeys, facts.recoveryCodes],
    [null, null, 0, 0],
  )
})

test('a hand-over during sign-ins and password changes leaves none of them', async t => {
  const { store } = await openStore(t)
  for (let n = 0; n < 20; n++) {
    const email = `a${n}@example.org`
    const user = await store.people.createUser({ email, passwordHash: 'stolen', now: 1 })
    const session = await sessionOf(store, user)
    const password = { ...session, passwordHash: 'stolen again', digest: `d${n}`, recovers: false, now: 3 }
    await Promise.allSettled([
      sessionOf(store, user),
      store.people.setPassword(password),
      store.people.setTotp({ ...session, secret: 'SECRET' }),
      store.people.handOverAccount({ userId: user.id, email, now: 2 }),
      sessionOf(store, user),
      store.people.setPassword({ ...password, digest: `e${n}` }),
    ])
    const facts = (await store.people.signInFacts({ id: user.id }))!
    assert.deepEqual([facts.passwordHash, facts.totpSecret, facts.emailProven], [null, null, true])
    assert.deepEqual(await store.people.listSessions(user.id, clock.now()), [])
  }
})

test('an account is handed over once, and only for the address that it has', async t => {
  const { store } = await openStore(t)
  const user = await store.people.createUser({ email: 'a@example.org', passwordHash: 'own', now: 1 })
  assert.equal(await store.people.handOverAccount({ userId: user.id, email: 'b@example.org', now: 2 }), null)
  assert.equal((await store.people.signInFacts({ id: user.id }))!.passwordHash, 'own')
  await store.people.handOverAccount({ userId: user.id, email: user.email, now: 2 })
  const again = (await store.people.findUser(user.email))!
  const session = await sessionOf(store, again)
  await store.people.setPassword({ ...session, passwordHash: 'mine', digest: 'new', recovers: false, now: 3 })
  assert.equal(await store.people.handOverAccount({ userId: user.id, email: user.email, now: 3 }), null)
  assert.equal((await store.people.signInFacts({ id: user.id }))!.passwordHash, 'mine')
})

test('no identity opens an account that got another address in the meantime', async t => {
  const { store } = await openStore(t)
  const user = await store.people.createUser({ email: 'a@example.org', passwordHash: null, now: 1 })
  const session = await sessionOf(store, user)
  await store.people.setEmail({ ...session, email: 'evil@example.org', provenAt: null, now: 3 })
  const identity = { issuer: 'i', subject: 's', userId: user.id, email: 'a@example.org', now: 1 }
  assert.equal(
    await store.people.noteIdentity({ ...identity, accountEmail: 'a@example.org', credentialsVersion: 0 }),
    false,
  )
  assert.equal(await store.people.findByIdentity('i', 's'), null)
})

test('reports and reminders are due only to proven addresses', async t => {
  const { store } = await openStore(t)
  const unproven = await store.people.createUser({ email: 'a@example.org', passwordHash: null, now: 1 })
  await store.people.createUser({ email: 'b@example.org', passwordHash: null, emailProven: true, now: 1 })
  await store.reports.setWishes(unproven.uuid, { reports: 'daily', nagSeconds: 3600 })
  const due = await store.reports.dueReports(clock.now(), 10)
  assert.equal(due.length, 1)
  assert.deepEqual(await store.reports.dueNags(clock.now() + 1e12, 10), [])
})

test('of older accounts, the first and those used only by links or the proxy are proven', async t => {
  const { store, raw } = await openStore(t)
  const make = (name: string, passwordHash: string | null = null) =>
    store.people.createUser({ email: `${name}@example.org`, passwordHash, now: clock.now() })
  const first = await make('first')
  const [plain, linked] = [await make('plain'), await make('linked')]
  const [keyed, both] = [await make('keyed', 'perhaps an attacker’s'), await make('both')]
  await make('unused')
  const [proxied, planted] = [await make('proxied'), await make('planted')]
  await sessionOf(store, plain)
  await sessionOf(store, linked, 'link')
  await sessionOf(store, keyed, 'link')
  await sessionOf(store, both, 'link')
  await sessionOf(store, both)
  await sessionOf(store, proxied, 'proxy')
  await sessionOf(store, planted, 'link')
  const now = clock.now()
  await store.people.noteIdentity({
    issuer: 'i',
    subject: 's',
    userId: planted.id,
    accountEmail: planted.email,
    credentialsVersion: 0,
    email: null,
    now,
  })
  const file = join(packageRoot, 'src/storage/migrations/0004_accounts.sql')
  await raw(/^UPDATE users[^;]*/m.exec(readFileSync(file, 'utf8'))![0])
  const rows = await raw('SELECT email FROM users WHERE email_proven_at IS NOT NULL')
  const expected = new Set([first, linked, proxied].map(({ email }) => email))
  assert.deepEqual(new Set(rows.map(({ email }) => email)), expected)
})

const notOffered = /not offered to you any more/

/** A project that its owner has offered to a member. */
async function offered(store: Store, name: string) {
  const owner = await store.people.createUser({
    email: `${name}@example.org`,
    passwordHash: 'stolen',
    now: 1,
  })
  const second = await store.people.createUser({
    email: `${name}-second@example.org`,
    passwordHash: null,
    now: 1,
  })
  const project = await store.projects.create({ name: '', ownerId: owner.id, pingKey: null, now: 1 })
  await store.projects.putMember({ projectId: project.id, userId: second.id, role: 'readonly', now: 1 })
  const by = await sessionOf(store, owner)
  await store.projects.offerTransfer({ projectId: project.id, memberUuid: second.uuid, by, now: 1 })
  return { owner, by, project, second }
}

test('a project offered before the hand-over cannot be accepted any more', async t => {
  const { store } = await openStore(t)
  const { owner: user, project, second } = await offered(store, 'a')
  const ended = await store.people.handOverAccount({ userId: user.id, email: user.email, now: 2 })
  assert.equal(ended!.toReview, 1)
  await assert.rejects(store.projects.acceptTransfer(project.id, second.id, 3), notOffered)
})

test('a project is accepted from an owner who is also its member', async t => {
  const { store, raw } = await openStore(t)
  const { owner, project, second } = await offered(store, 'a')
  await raw(
    `INSERT INTO members (project_id, user_id, role, created_at) VALUES (${project.id}, ${owner.id}, 'readonly', 1)`,
  )
  await store.projects.acceptTransfer(project.id, second.id, 3)
  assert.equal((await store.people.projectAccess(owner.id, project.uuid))!.role, 'member')
  assert.equal((await store.people.projectAccess(second.id, project.uuid))!.role, 'owner')
})

test('an offer ends when the access of its maker ends', async t => {
  const { store } = await openStore(t)
  const heir = await store.people.createUser({ email: 'heir@example.org', passwordHash: null, now: 1 })
  const ways: Record<string, (owner: User, by: { userId: number; sessionId: string }) => Promise<unknown>> = {
    'a new password': (_, by) =>
      store.people.setPassword({ ...by, passwordHash: 'mine', digest: 'fresh', recovers: false, now: 3 }),
    recovery: (_, by) =>
      store.people.setPassword({ ...by, passwordHash: 'mine', digest: 'newer', recovers: true, now: 3 }),
    'another address': (_, by) =>
      store.people.setEmail({ ...by, email: 'moved@example.org', provenAt: 2, now: 3 }),
    'signing out everywhere': owner => store.people.endSignIns(owner.id, 3),
    'the operator, who disables and enables': async owner => {
      await store.people.setDisabled(owner.id, 2)
      await store.people.setDisabled(owner.id, null)
    },
    'an heir': owner => store.people.handProjects(owner.id, heir.id, 1),
  }
  for (const [way, end] of Object.entries(ways)) {
    const { owner, by, project, second } = await offered(store, way.replaceAll(/\W/g, ''))
    const offersOf = async () =>
      (await store.projects.listMembers(project.id)).filter(
        ({ transferRequestedAt }) => transferRequestedAt !== null,
      )
    assert.deepEqual(
      (await offersOf()).map(({ uuid }) => uuid),
      [second.uuid],
    )
    await end(owner, by)
    await assert.rejects(store.projects.acceptTransfer(project.id, second.id, 3), notOffered, way)
    assert.deepEqual(await offersOf(), [], way)
    assert.notEqual((await store.people.projectAccess(second.id, project.uuid))!.role, 'owner', way)
  }
})

test('an offer by a signed-out person, or to a disabled member, is refused', async t => {
  const { store } = await openStore(t)
  const { owner, by, project, second } = await offered(store, 'a')
  const again = { projectId: project.id, memberUuid: second.uuid, by, now: 2 }
  await store.people.setDisabled(second.id, 2)
  await assert.rejects(store.projects.offerTransfer(again), /the operator has disabled them/)
  await store.people.setDisabled(second.id, null)
  const theirs = await sessionOf(store, (await store.people.findUserByUuid(second.uuid))!)
  await assert.rejects(store.projects.offerTransfer({ ...again, by: theirs }), /only the project’s owner/)
  await store.people.endSignIns(owner.id, 3)
  await assert.rejects(store.projects.offerTransfer(again), /you were signed out in the meantime/)
})

test('projects cannot be given to a disabled account', async t => {
  const { store } = await openStore(t)
  const { owner, project, second } = await offered(store, 'a')
  await store.people.setDisabled(second.id, 2)
  await assert.rejects(store.people.handProjects(owner.id, second.id, 1), /the new owner is disabled/)
  assert.equal((await store.people.projectAccess(owner.id, project.uuid))?.role, 'owner')
})

test('an identity in use while it ends, alone or by a hand-over, does not come back', async t => {
  const { store } = await openStore(t)
  const identity = { issuer: 'i', subject: 's' }
  const note = (user: User) =>
    store.people.noteIdentity({
      ...identity,
      userId: user.id,
      accountEmail: user.email,
      credentialsVersion: user.credentialsVersion,
      email: null,
      now: 1,
    })
  const user = await store.people.createUser({ email: 'a@example.org', passwordHash: 'stolen', now: 1 })
  await note(user)
  const found = (await store.people.findByIdentity('i', 's'))!
  await store.people.handOverAccount({ userId: user.id, email: user.email, now: 2 })
  assert.equal(await note(found), false)
  const owner = (await store.people.findUser(user.email))!
  await note(owner)
  await store.people.removeIdentity(await sessionOf(store, owner), identity)
  assert.equal(await note(owner), false)
  assert.deepEqual(await store.people.listIdentities(user.id), [])
})

test('a removed identity ends the sessions begun through a provider, and no others', async t => {
  const { store } = await openStore(t)
  const user = await store.people.createUser({ email: 'a@example.org', passwordHash: 'x', now: 1 })
  const own = await sessionOf(store, user)
  await sessionOf(store, user, 'link')
  await sessionOf(store, user, 'openid')
  const identity = { issuer: 'i', subject: 's' }
  assert.equal(await store.people.removeIdentity(own, identity), false)
  await store.people.noteIdentity({
    ...identity,
    userId: user.id,
    accountEmail: user.email,
    credentialsVersion: 0,
    email: null,
    now: 1,
  })
  assert.equal(await store.people.removeIdentity(own, identity), true)
  const left = await store.people.listSessions(user.id, clock.now())
  assert.deepEqual(left.map(({ method }) => method).sort(), ['link', 'password'])
})

/** Tables with a column `user_id` that open no account. */
const NO_CREDENTIALS = {
  imported: 'which account an import brought a person to',
  mails: 'those sent to a person, which are counted',
  members: 'what others allow the person',
  undos: 'what a person can undo while signed in',
}

const OF_PEOPLE = {
  sqlite: `SELECT m.name AS tab FROM sqlite_master m JOIN pragma_table_info(m.name) p
    WHERE m.type = 'table' AND p.name = 'user_id'`,
  postgres: `SELECT table_name AS tab FROM information_schema.columns
    WHERE table_schema = current_schema() AND column_name = 'user_id'`,
}

test('every table about people holds credentials, of which it is known what ends them, or has a reason not to', async t => {
  const { raw } = await openStore(t)
  const tables = (await raw(OF_PEOPLE[engine])).map(({ tab }) => String(tab))
  assert.deepEqual(tables.sort(), [...Object.keys(CREDENTIALS), ...Object.keys(NO_CREDENTIALS)].sort())
  for (const [table, ends] of Object.entries(CREDENTIALS))
    assert.ok((ends as readonly string[]).includes('hand-over'), table)
})
