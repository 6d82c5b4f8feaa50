import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginSession } from '../../src/actions/people/sign-in/begin-session.js'
import { digestOf, newUuid } from '../../src/lib/secrets/secrets.js'
import { NUMBERED_TABLES } from '../../src/storage/new-id.js'
import { FakeClock } from '../_support/clock.js'
import { engine, openFreshStore } from '../_support/worlds/store.js'

const clock = new FakeClock()
const visitor = { ua: 'node', address: '127.0.0.1' }

test('the ID of a deleted account, project, check, channel or key is never reused', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const highest = async () =>
    await Promise.all(
      ['users', 'sessions', 'projects', 'api_keys', 'channels', 'checks'].map(async table => {
        const [row] = await raw(`SELECT max(id) AS id FROM ${table}`)
        return row!.id === null ? 0 : Number(row!.id)
      }),
    )
  const make = async (email: string) => {
    const user = await store.people.createUser({ email, passwordHash: null, now: 1 })
    await beginSession(store, clock, { user, method: 'password', visitor })
    const apiKeys = [{ kind: 'rw' as const, digest: email, hint: '' }]
    const project = await store.projects.create({
      name: '',
      ownerId: user.id,
      pingKey: null,
      apiKeys,
      now: 1,
    })
    const channel = { projectId: project.id, name: '', kind: 'webhook', settings: {}, members: [], now: 1 }
    await store.channels.create(channel)
    await store.checks.create(project.id, { changes: { name: 'a' }, unique: null, now: 1 })
    return { user, project }
  }
  const first = await make('a@example.org')
  const before = await highest()
  await store.projects.delete(first.project.id)
  await store.people.deleteUser(first.user.id, 1)
  assert.deepEqual(await highest(), [0, 0, 0, 0, 0, 0])
  await make('b@example.org')
  for (const [index, id] of (await highest()).entries()) assert.ok(id > before[index]!)
})

test('the ID of a deleted webhook, policy, silence or invitation is never reused', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const owner = await store.people.createUser({ email: 'a@example.org', passwordHash: null, now: 1 })
  await beginSession(store, clock, { user: owner, method: 'password', visitor })
  const [session] = await raw('SELECT uuid FROM sessions')
  const by = { userId: owner.id, sessionId: String(session!.uuid) }
  const named = { name: '', pingKey: null, apiKeys: [], now: 1 }
  const { id: projectId } = await store.projects.create({ ...named, ownerId: owner.id })
  const scope = { tags: ['a'] }
  const times = { kind: 'once' as const, from: 1, to: 60_001 }
  const ways: Record<string, () => Promise<unknown>> = {
    event_webhooks: () =>
      store.events.createWebhook(projectId, {
        ...{ uuid: newUuid(), name: '', url: 'https://example.org/', types: [], enabled: true },
        ...{ secret: '', by: null, now: 1 },
      }),
    policies: () =>
      store.incidents.createPolicy(projectId, {
        ...{ name: 'a', isDefault: false, steps: [{ after: 60, channels: 'check' }] },
        ...{ repeat: null, now: 1 },
      }),
    silences: () =>
      store.silences.create(projectId, {
        ...{ mode: 'hold', scope, channels: null, times, reason: '', createdBy: '', now: 1 },
      }),
    invitations: () =>
      store.projects.addInvitation({
        ...{ projectId, by, digest: newUuid(), role: 'readonly', email: null, now: 1, expiresAt: 2 },
      }),
  }
  for (const [table, make] of Object.entries(ways)) {
    const newest = async () => Number((await raw(`SELECT max(id) AS id FROM ${table}`))[0]!.id)
    await make()
    const first = await newest()
    await raw(`DELETE FROM ${table}`)
    await make()
    assert.ok((await newest()) > first, table)
  }
})

/** Why the IDs of other tables may be reused on SQLite. */
const REUSED: Record<string, string> = {
  deliveries: 'work on a row ends only while it is claimed by the same worker for the same time',
  mails: 'work on a row ends only while it is claimed by the same worker for the same time',
  incidents: 'links to one sign when it opened, and requests name it within its project',
  incident_events: 'nothing names a row',
  event_attempts: 'nothing names a row',
  passed_deadlines: 'nothing names a row',
  removals: 'nothing names a row but the process that carries it out',
  outages: 'nothing names a row but the process that notes it',
  passkeys: 'requests name them by their UUIDs',
  notifications: 'work under way names them by their UUIDs',
  pings: 'requests name them by their numbers within a check',
  flips: 'rows that name one belong to the same check, and are deleted with it',
}

if (engine === 'sqlite') {
  test('SQLite reuses an ID only in tables of which nothing under way names a deleted row', async t => {
    const { raw, remove } = await openFreshStore()
    t.after(remove)
    const tables = await raw(`SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.name = 'id' AND c.type = 'INTEGER' AND c.pk = 1 AND m.sql NOT LIKE '%AUTOINCREMENT%'`)
    const others = tables
      .map(({ name }) => String(name))
      .filter(name => !NUMBERED_TABLES.some(one => one === name))
    assert.deepEqual(others.sort(), Object.keys(REUSED).sort())
  })
}

test('a request in an ended session does not affect a session begun since', async t => {
  const { store, remove } = await openFreshStore()
  t.after(remove)
  const sessionOf = async (email: string) => {
    const user = await store.people.createUser({ email, passwordHash: null, now: 1 })
    const token = await beginSession(store, clock, { user, method: 'password', visitor })
    return { user, token, session: (await store.people.findSession(digestOf(token), clock.now()))! }
  }
  const mallory = await sessionOf('mallory@example.org')
  const held = { userId: mallory.user.id, sessionId: mallory.session.sessionId }
  assert.ok(await store.people.closeSession(held.userId, held.sessionId))
  const victim = await sessionOf('victim@example.org')
  await assert.rejects(
    store.people.proveSession({ ...held, digest: 'stolen', now: clock.now() }),
    /signed out/,
  )
  await store.people.touchSession(mallory.session, clock.now() + 1)
  assert.equal(await store.people.closeSession(held.userId, held.sessionId), false)
  assert.equal(await store.people.findSession('stolen', clock.now()), null)
  assert.deepEqual(await store.people.findSession(digestOf(victim.token), clock.now()), victim.session)
})

test('a session of a disabled account is invalid', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const user = await store.people.createUser({ email: 'a@example.org', passwordHash: null, now: 1 })
  const token = await beginSession(store, clock, { user, method: 'password', visitor })
  await raw(`UPDATE users SET disabled_at = 1 WHERE id = ${user.id}`)
  assert.equal(await store.people.findSession(digestOf(token), clock.now()), null)
})
