/** Every cell of the tables in decision 0138. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { closeAccount } from '../../../src/actions/people/close-account.js'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { packageRoot } from '../../../src/lib/package-root.js'
import { digestOf } from '../../../src/lib/secrets/secrets.js'
import type { OwnSession } from '../../../src/storage/people/lock-account.js'
import type { User } from '../../../src/storage/people/users.js'
import type { Project } from '../../../src/storage/projects/projects.js'
import type { Store } from '../../../src/storage/store.js'
import { FakeClock } from '../../_support/clock.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const clock = new FakeClock()
const NOW = clock.now()

interface World {
  store: Store
  raw: (sql: string) => Promise<unknown>
  count: (table: string, condition: string) => Promise<number>
  /** Owns `own`, and manages `other`. */
  person: User
  /** Owns `other`, and was offered `own`. */
  owner: User
  own: Project
  other: Project
  by: OwnSession
}

async function openWorld(t: TestContext): Promise<World> {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const count = async (table: string, condition: string) =>
    Number((await raw(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`))[0]!.n)
  const [person, owner] = [await made(store, 'person'), await made(store, 'owner')]
  const project = (name: string, ownerId: number) =>
    store.projects.create({ name, ownerId, pingKey: null, now: NOW })
  const [own, other] = [await project('Own', person.id), await project('Other', owner.id)]
  await store.projects.putMember({ projectId: other.id, userId: person.id, role: 'manager', now: NOW })
  await store.projects.putMember({ projectId: own.id, userId: owner.id, role: 'member', now: NOW })
  const by = await sessionOf(store, person)
  await sessionOf(store, person)
  await signInWays(store, person, by)
  for (const { id } of [own, other]) await leaveIn(store, id, by)
  await store.projects.offerTransfer({ projectId: own.id, memberUuid: owner.uuid, by, now: NOW })
  return { store, raw, count, person, owner, own, other, by }
}

async function made(store: Store, name: string): Promise<User> {
  return await store.people.createUser({ email: `${name}@example.org`, passwordHash: 'hash', now: NOW })
}

async function sessionOf(store: Store, user: User): Promise<OwnSession> {
  const visitor = { ua: 'node', address: '127.0.0.1' }
  const token = await beginSession(store, clock, { user, method: 'password', visitor })
  return { userId: user.id, sessionId: (await store.people.findSession(digestOf(token), NOW))!.sessionId }
}

/** Everything with which the person can sign in. */
async function signInWays(store: Store, { id, email }: User, by: OwnSession): Promise<void> {
  const link = { digest: 'link', purpose: 'sign-in', userId: id, email } as const
  await store.people.addToken({ ...link, expiresAt: NOW + 1e9 })
  const key = { credentialId: 'key', publicKey: new Uint8Array([1]), counter: 0, transports: [], name: 'Key' }
  await store.people.addPasskey({ ...by, ...key, now: NOW })
  await store.people.setTotp({ ...by, secret: 'SECRET' })
  await store.people.setRecoveryCodes({ ...by, digests: ['code'] })
  const identity = {
    issuer: 'i',
    subject: 's',
    userId: id,
    accountEmail: email,
    email,
    credentialsVersion: 0,
  }
  await store.people.noteIdentity({ ...identity, now: NOW })
  const token = { name: 'Own', digest: 'own', hint: 'pun_', scopes: ['checks:read'], by } as const
  await store.projects.addApiToken({ ...token, owner: { userId: id }, expiresAt: null, now: NOW })
}

/** Everything that the person can leave behind in a project. */
async function leaveIn(store: Store, projectId: number, by: OwnSession): Promise<void> {
  const owner = { projectId, role: 'manager' } as const
  const token = { owner, hint: 'pun_', by, expiresAt: null, now: NOW }
  for (const [name, scope] of [
    ['members', 'members:write'],
    ['machine', 'config:write'],
  ] as const) {
    await store.projects.addApiToken({ ...token, name, digest: `${name}${projectId}`, scopes: [scope] })
  }
  const invitation = {
    projectId,
    by,
    digest: `invitation${projectId}`,
    role: 'manager',
    email: null,
  } as const
  await store.projects.addInvitation({ ...invitation, now: NOW, expiresAt: NOW + 1e9 })
  const key = { projectId, by, kind: 'rw', digest: `key${projectId}`, hint: 'hcw_' } as const
  await store.projects.addApiKey({ ...key, now: NOW })
  const webhook = { name: 'Hook', url: 'https://hook.example/', types: [], enabled: true }
  await store.events.createWebhook(projectId, { ...webhook, uuid: randomUUID(), secret: 's', by, now: NOW })
  const channel = { kind: 'webhook', settings: {}, members: [], name: 'Chat', by }
  await store.channels.create({ ...channel, projectId, now: NOW })
}

/** The first line of a table in the decision names these. */
const OF_ACCOUNT: Record<string, (w: World) => Promise<unknown>> = {
  'address proven by its owner': ({ store, person }) =>
    store.people.handOverAccount({ userId: person.id, email: person.email, now: NOW }),
  'sign-ins ended by the operator': ({ store, person }) => store.people.endSignIns(person.id, NOW),
  'account disabled': async ({ store, person }) => {
    await store.people.setDisabled(person.id, NOW)
    // What ended does not come back.
    await store.people.setDisabled(person.id, null)
  },
  'lost password': ({ store, by }) =>
    store.people.setPassword({ ...by, passwordHash: 'new', digest: 'new', recovers: true, now: NOW }),
  'changed address': ({ store, by }) =>
    store.people.setEmail({ ...by, email: 'moved@example.org', provenAt: NOW, now: NOW }),
  'changed password': ({ store, by }) =>
    store.people.setPassword({ ...by, passwordHash: 'new', digest: 'new', recovers: false, now: NOW }),
  'account closed': ({ store, person }) => closeAccount(store, person.id, NOW),
}

/** In which project it happens, and what. */
const IN_PROJECT: Record<string, ['own' | 'other', (w: World) => Promise<unknown>]> = {
  'removed, or left': [
    'other',
    ({ store, other, person }) => store.projects.removeMember(other.id, person.uuid, NOW),
  ],
  'may no longer manage': [
    'other',
    ({ store, other, person }) => store.projects.setMemberRole(other.id, person.uuid, 'member', NOW),
  ],
  'gave the project to a member': [
    'own',
    ({ store, own, owner }) => store.projects.acceptTransfer(own.id, owner.id, NOW),
  ],
  'operator gave it to another': [
    'own',
    ({ store, person, owner }) => store.people.handProjects(person.id, owner.id, NOW),
  ],
  'owner ended others’ access': [
    'other',
    ({ store, owner }) => store.projects.endOthersAccess(owner.id, NOW),
  ],
}

type Fate = (w: World, projectId: number) => Promise<string>

const stays = (there: unknown) => (there ? 'stays' : 'ends')
const ofPerson =
  (table: string): Fate =>
  async ({ count, person }) =>
    stays(await count(table, `user_id = ${person.id}`))
const ofProject =
  (table: string): Fate =>
  async ({ count }, id) =>
    stays(await count(table, `project_id = ${id}`))

/** The same word for all of these. */
const all =
  (...fates: Fate[]): Fate =>
  async (w, id) => {
    const words = new Set<string>()
    for (const fate of fates) words.add(await fate(w, id))
    return [...words].join(' and ')
  }

const FATES: Record<string, Fate> = {
  sessions: async ({ count, person, by }) => {
    const [n, own] = [
      await count('sessions', `user_id = ${person.id}`),
      await count('sessions', `uuid = '${by.sessionId}'`),
    ]
    return n === 2 ? 'stays' : n === 0 ? 'ends' : n === own ? 'others end' : 'the own one ends'
  },
  'mailed links': ofPerson('tokens'),
  'API tokens of the person': ofPerson('api_tokens'),
  'invitations by the person': async ({ store }, id) =>
    stays(await store.projects.findInvitation(`invitation${id}`, NOW)),
  'tokens of projects for members, made by the person': async ({ store }, id) =>
    stays(await store.projects.findApiToken(`members${id}`)),
  'other tokens of projects, made by the person': async ({ store }, id) => {
    const token = await store.projects.findApiToken(`machine${id}`)
    return token?.project?.role === 'member' ? 'manages no more' : stays(token)
  },
  'offers of projects': async ({ store, own }) =>
    stays((await store.projects.listMembers(own.id)).some(one => one.transferRequestedAt !== null)),
  'identities at a provider': ofPerson('identities'),
  'password, app, passkeys, recovery codes': all(
    ofPerson('passkeys'),
    ofPerson('recovery_codes'),
    async ({ count, person }) =>
      stays(await count('users', `id = ${person.id} AND password_hash IS NOT NULL`)),
    async ({ count, person }) => stays(await count('users', `id = ${person.id} AND totp_secret IS NOT NULL`)),
  ),
  'keys, event webhooks and integrations of projects': all(
    ofProject('api_keys'),
    ofProject('event_webhooks'),
    ofProject('channels'),
  ),
  'keys and event webhooks of projects': all(ofProject('api_keys'), ofProject('event_webhooks')),
  'integrations of projects': ofProject('channels'),
}

/** The cells of a table of the decision: by column and row. */
function tables(): Record<string, Record<string, string>>[] {
  const file = join(packageRoot, 'docs/decisions/0138-what-ends-credentials.md')
  return readFileSync(file, 'utf8')
    .split('\n\n')
    .filter(part => part.startsWith('| |'))
    .map(part => {
      const cells = (line: string) =>
        line
          .split('|')
          .slice(1, -1)
          .map(cell => cell.trim())
      const [head, , ...rows] = part.trim().split('\n').map(cells)
      const column = (n: number) => Object.fromEntries(rows.map(row => [row[0]!, row[n]!]))
      return Object.fromEntries(head!.slice(1).map((name, n) => [name, column(n + 1)]))
    })
}

const [ofAccount, inProject] = tables()

async function fatesOf(w: World, rows: string[], projectId: number): Promise<Record<string, string>> {
  const fates: Record<string, string> = {}
  for (const row of rows) fates[row] = await FATES[row]!(w, projectId)
  return fates
}

test('decision 0138 names everything that is tried here', () => {
  assert.deepEqual(Object.keys(ofAccount!), Object.keys(OF_ACCOUNT))
  assert.deepEqual(Object.keys(inProject!), Object.keys(IN_PROJECT))
  const rows = [...Object.keys(ofAccount!['lost password']!), ...Object.keys(inProject!['removed, or left']!)]
  assert.deepEqual(new Set(rows), new Set(Object.keys(FATES)))
})

for (const [event, expected] of Object.entries(ofAccount!)) {
  test(`decision 0138 says what ends and stays: ${event}`, async t => {
    const w = await openWorld(t)
    const before = await fatesOf(w, Object.keys(expected), w.other.id)
    assert.deepEqual(new Set(Object.values(before)), new Set(['stays']), 'before')
    await OF_ACCOUNT[event]!(w)
    assert.deepEqual(await fatesOf(w, Object.keys(expected), w.other.id), expected, 'a project of others')
    // With an account that is closed its projects are deleted.
    if (event === 'account closed') return
    assert.deepEqual(await fatesOf(w, Object.keys(expected), w.own.id), expected, 'an own project')
  })
}

for (const [event, expected] of Object.entries(inProject!)) {
  test(`decision 0138 says what of a project ends and stays: ${event}`, async t => {
    const w = await openWorld(t)
    const [where, happen] = IN_PROJECT[event]!
    await happen(w)
    const rows = Object.keys(expected)
    assert.deepEqual(await fatesOf(w, rows, w[where].id), expected)
    const elsewhere = await fatesOf(w, rows, w[where === 'own' ? 'other' : 'own'].id)
    assert.deepEqual(new Set(Object.values(elsewhere)), new Set(['stays']), 'nothing elsewhere')
  })
}

for (const event of Object.keys(OF_ACCOUNT)) {
  test(`no link to another address is stored for a session that has ended: ${event}`, async t => {
    const w = await openWorld(t)
    const { store, person } = w
    const asker = await sessionOf(store, person)
    await OF_ACCOUNT[event]!(w)
    const link = {
      digest: 'late',
      purpose: 'change-email',
      userId: person.id,
      email: 'x@example.org',
    } as const
    const asked = store.people.replaceToken({ ...link, expiresAt: NOW + 1e9, asker })
    await assert.rejects(asked, /you were signed out in the meantime/)
    assert.equal(await w.count('tokens', "digest = 'late'"), 0)
  })
}

test('a token of a project acts as a manager only while its maker is one and is not disabled', async t => {
  const w = await openWorld(t)
  const { store, other, person } = w
  const roles = async () => {
    const { uuid, project } = (await store.projects.findApiToken(`machine${other.id}`))!
    const byToken = { userId: person.id, projectToken: uuid }
    const mayManage = await store.projects
      .setMemberRole(other.id, person.uuid, 'manager', NOW, byToken)
      .then(() => true)
      .catch(error => /you may not do this/.test(String(error)) && false)
    return [project!.role, mayManage]
  }
  const members = `project_id = ${other.id} AND user_id = ${person.id}`
  assert.deepEqual(await roles(), ['manager', true])
  for (const [lose, regain] of [
    [
      `UPDATE members SET role = 'member' WHERE ${members}`,
      `UPDATE members SET role = 'manager' WHERE ${members}`,
    ],
    [
      `UPDATE users SET disabled_at = 1 WHERE id = ${person.id}`,
      `UPDATE users SET disabled_at = NULL WHERE id = ${person.id}`,
    ],
    [`DELETE FROM members WHERE ${members}`, ''],
  ] as const) {
    await w.raw(lose)
    assert.deepEqual(await roles(), ['member', false], lose)
    if (regain) await w.raw(regain)
  }
})

test('no token made with a token survives the end of what their maker may do', async t => {
  const w = await openWorld(t)
  const { store, other, person } = w
  const { uuid } = (await store.projects.findApiToken(`members${other.id}`))!
  const by = { userId: person.id, projectToken: uuid }
  const owner = { projectId: other.id, role: 'manager' } as const
  const token = {
    owner,
    hint: 'pun_',
    by,
    expiresAt: null,
    now: NOW,
    name: 'x',
    scopes: ['members:write'] as const,
  }
  let isOver = false
  const keepMaking = [0, 1, 2].map(async n => {
    for (let made = 0; !isOver || made === 0; made++) {
      await store.projects
        .addApiToken({ ...token, digest: `made ${n} ${made}` })
        .catch(error => assert.match(String(error), /you may not do this/))
    }
  })
  await store.people.setDisabled(person.id, NOW)
  isOver = true
  await Promise.all(keepMaking)
  assert.equal(await w.count('api_tokens', `scopes = 'members:write' AND project_id = ${other.id}`), 0)
})

test('a sign-in link that is being opened while the sign-ins are ended begins no session', async t => {
  const { store, person } = await openWorld(t)
  const opened = await store.people.takeSignInLink('link', NOW)
  await store.people.endSignIns(person.id, NOW)
  const user = { id: opened!.userId, credentialsVersion: opened!.credentialsVersion }
  const visitor = { ua: 'node', address: '127.0.0.1' }
  await assert.rejects(beginSession(store, clock, { user, method: 'link', visitor }), { name: 'Refusal' })
})

test('a link to another address ends with the other sessions', async t => {
  const { store, person, by } = await openWorld(t)
  const link = {
    digest: 'change',
    purpose: 'change-email',
    userId: person.id,
    email: 'new@example.org',
  } as const
  await store.people.addToken({ ...link, expiresAt: NOW + 1e9 })
  await store.people.closeSessions(person.id, by.sessionId)
  assert.equal(await store.people.findToken('change', 'change-email', NOW), null)
  assert.notEqual(await store.people.findToken('link', 'sign-in', NOW), null)
})

test('an invitation to the address of who is removed ends, and those to others stay', async t => {
  const { store, other, owner, person } = await openWorld(t)
  const made = { projectId: other.id, by: await sessionOf(store, owner), role: 'member', now: NOW } as const
  for (const email of [person.email, 'guest@example.org']) {
    await store.projects.addInvitation({ ...made, digest: email, email, expiresAt: NOW + 1e9 })
  }
  await store.projects.removeMember(other.id, person.uuid, NOW)
  assert.equal(await store.projects.findInvitation(person.email, NOW), null)
  assert.ok(await store.projects.findInvitation('guest@example.org', NOW))
})
