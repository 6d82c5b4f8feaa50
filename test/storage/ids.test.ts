import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginSession } from '../../src/actions/people/sign-in/begin-session.js'
import { digestOf } from '../../src/lib/secrets/secrets.js'
import { FakeClock } from '../_support/clock.js'
import { openFreshStore } from '../_support/worlds/store.js'

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
