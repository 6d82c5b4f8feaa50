/** Projects, their keys and tokens, members and invitations in Punctual's own API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEY_SCOPES, type ScopeName } from '../../src/core/people/scopes.js'
import { NATIVE_PREFIX, nativeRoutes } from '../../src/http/native/native-routes.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, mike, bob, rita, charlie, project } = world
const IN = `?project=${project.uuid}`
const tokens = {
  alice: await world.token({ userId: alice.id }),
  mike: await world.token({ userId: mike.id }),
  bob: await world.token({ userId: bob.id }),
  rita: await world.token({ userId: rita.id }),
  charlie: await world.token({ userId: charlie.id }),
}

async function call(method: string, path: string, body?: unknown, key = tokens.alice.token) {
  return await world.send(method, NATIVE_PREFIX + path, { key, ...(body === undefined ? {} : { body }) })
}

test('a token of a person lists and creates their projects, one of a project only its own', async () => {
  const { items } = (await call('GET', '/projects')).json
  assert.deepEqual(items, [{ uuid: project.uuid, name: 'Alice’s jobs', role: 'owner' }])
  const created = await call('POST', '/projects', { name: '  New  one ' })
  assert.equal(created.status, 201)
  assert.deepEqual([created.json.name, created.json.role], ['New one', 'owner'])
  assert.equal((await call('GET', '/projects')).json.items.length, 2)
  const whole = await world.token({ projectId: project.id, role: 'manager' })
  const own = (await call('GET', '/projects', undefined, whole.token)).json.items
  assert.deepEqual(
    own.map(({ uuid }: { uuid: string }) => uuid),
    [project.uuid],
  )
  assert.equal((await call('POST', '/projects', { name: 'More' }, whole.token)).status, 403)
  const empty = await call('POST', '/projects', { name: ' ' })
  assert.deepEqual([empty.status, empty.json.errors[0].pointer], [422, '/name'])
})

test('a project is changed, and deleted only by its owner who repeats its name', async () => {
  const { uuid } = (await call('POST', '/projects', { name: 'Short lived' })).json
  const changed = await call('PATCH', `/projects/${uuid}`, {
    name: 'Doomed',
    flips: 'object',
    protocols: ['sentry'],
  })
  const protocols = ['sentry']
  assert.deepEqual(changed.json, { uuid, name: 'Doomed', role: 'owner', flips: 'object', protocols })
  assert.equal((await call('PATCH', `/projects/${uuid}`, { protocols: ['nagios'] })).status, 422)
  assert.equal((await call('DELETE', `/projects/${uuid}`)).status, 422)
  assert.equal((await call('DELETE', `/projects/${uuid}?name=doomed`)).status, 422)
  assert.equal((await call('DELETE', `/projects/${uuid}?name=Doomed`)).status, 200)
  assert.equal((await call('GET', `/projects/${uuid}`)).status, 404)
  const name = encodeURIComponent('Alice’s jobs')
  const byMike = await call('DELETE', `/projects/${project.uuid}?name=${name}`, undefined, tokens.mike.token)
  assert.equal(byMike.status, 403)
})

test('members are listed, change roles and are removed, but nobody does so to themselves', async () => {
  const { items } = (await call('GET', `/members${IN}`)).json
  assert.deepEqual(
    items.map(({ email, role }: { email: string; role: string }) => [email, role]),
    [
      [alice.email, 'owner'],
      [bob.email, 'member'],
      [mike.email, 'manager'],
      [rita.email, 'readonly'],
    ],
  )
  assert.equal((await call('PATCH', `/members/${bob.uuid}${IN}`, { role: 'readonly' })).json.role, 'readonly')
  assert.equal((await call('PATCH', `/members/${bob.uuid}${IN}`, { role: 'member' })).json.role, 'member')
  const own = await call('PATCH', `/members/${mike.uuid}${IN}`, { role: 'member' }, tokens.mike.token)
  assert.equal(own.status, 422)
  const owner = await call('PATCH', `/members/${alice.uuid}${IN}`, { role: 'member' }, tokens.mike.token)
  assert.equal(owner.status, 404)
  assert.equal((await call('DELETE', `/members/${mike.uuid}${IN}`, undefined, tokens.mike.token)).status, 400)
  const dora = await world.person('dora')
  const now = world.clock.now()
  await world.store.projects.putMember({ projectId: project.id, userId: dora.id, role: 'member', now })
  assert.equal((await call('DELETE', `/members/${dora.uuid}${IN}`)).status, 200)
  assert.equal((await call('GET', `/members/${dora.uuid}${IN}`)).status, 404)
})

test('a member leaves a project, and its owner does not', async () => {
  const erik = await world.person('erik')
  const now = world.clock.now()
  await world.store.projects.putMember({ projectId: project.id, userId: erik.id, role: 'readonly', now })
  const { token } = await world.token({ userId: erik.id })
  assert.equal((await call('POST', `/projects/${project.uuid}/leave`, {}, token)).status, 200)
  assert.equal((await call('GET', `/projects/${project.uuid}`, undefined, token)).status, 404)
  assert.equal((await call('POST', `/projects/${project.uuid}/leave`, {})).status, 409)
})

test('an invitation has a link that works, and can be withdrawn', async () => {
  const made = await call('POST', `/invitations${IN}`, { role: 'readonly', email: 'Zoe@example.org' })
  assert.equal(made.status, 201, made.text)
  const { uuid, link, email, role, inviter, sent_to } = made.json
  assert.deepEqual([email, role, inviter, sent_to], ['zoe@example.org', 'readonly', alice.email, null])
  const path = link.slice(world.config.SITE_ROOT.length)
  assert.equal((await world.stranger().get(path)).status, 200)
  const { items } = (await call('GET', `/invitations${IN}`)).json
  assert.deepEqual(
    items.map((one: { uuid: string }) => one.uuid),
    [uuid],
  )
  assert.equal((await call('DELETE', `/invitations/${uuid}${IN}`)).status, 200)
  assert.equal((await call('DELETE', `/invitations/${uuid}${IN}`)).status, 404)
  assert.equal((await world.stranger().get(path)).status, 410)
  const member = await call('POST', `/invitations${IN}`, { role: 'member', email: bob.email })
  assert.deepEqual([member.status, member.json.errors[0].pointer], [422, '/email'])
})

test('a project changes hands only when the member accepts with a token of their own', async () => {
  const { uuid } = (await call('POST', '/projects', { name: 'Offered' })).json
  const offered = (await world.store.people.projectAccess(alice.id, uuid))!
  const now = world.clock.now()
  await world.store.projects.putMember({ projectId: offered.id, userId: rita.id, role: 'readonly', now })
  const path = `/projects/${uuid}/transfer`
  assert.equal((await call('POST', path, { member: charlie.uuid })).status, 404)
  assert.equal((await call('DELETE', path, undefined, tokens.rita.token)).status, 404)
  assert.equal((await call('POST', path, { member: rita.uuid })).status, 200)
  assert.equal((await call('POST', `${path}/accept`, {})).status, 404)
  const ofProject = await world.token({ projectId: offered.id, role: 'manager' })
  assert.equal((await call('POST', `${path}/accept`, {}, ofProject.token)).status, 403)
  assert.equal((await call('DELETE', path, undefined, tokens.rita.token)).status, 200)
  assert.equal((await call('POST', `${path}/accept`, {}, tokens.rita.token)).status, 404)
  await call('POST', path, { member: rita.uuid })
  assert.equal((await call('POST', `${path}/accept`, {}, tokens.rita.token)).status, 200)
  const roles = await Promise.all(
    [alice, rita].map(async ({ id }) => (await world.store.people.projectAccess(id, uuid))?.role),
  )
  assert.deepEqual(roles, ['member', 'owner'])
})

test('keys are created and shown once, listed without secrets, and revoked', async () => {
  const made = await call('POST', `/keys${IN}`, { kind: 'ro' })
  assert.equal(made.status, 201)
  const { key, hint } = made.json
  assert.equal((await world.get('/api/v3/checks/', key)).status, 200)
  const listed = await call('GET', `/keys${IN}`)
  assert.ok(!listed.text.includes(key))
  assert.deepEqual(
    listed.json.items.map((one: { hint: string }) => one.hint),
    ['ping', hint],
  )
  assert.equal(listed.json.items[0].key, project.pingKey)
  assert.equal((await call('POST', `/keys${IN}`, { kind: 'ping' })).status, 409)
  for (const name of [hint, 'ping']) {
    assert.equal((await call('DELETE', `/keys/${name}${IN}`)).status, 200)
    assert.equal((await call('DELETE', `/keys/${name}${IN}`)).status, 404)
  }
  // Keys are cached for a second.
  world.clock.advance(2)
  assert.equal((await world.get('/api/v3/checks/', key)).status, 401)
  assert.equal((await call('POST', `/keys${IN}`, { kind: 'ping' })).json.hint, 'ping')
})

test('a token makes neither keys nor tokens that may do more than it may itself', async () => {
  const weak = await world.token(
    { userId: alice.id },
    { scopes: ['config:write', 'checks:read', 'pings:read'] },
  )
  const statuses = await Promise.all(
    ['rw', 'ro', 'ping'].map(async kind => (await call('POST', `/keys${IN}`, { kind }, weak.token)).status),
  )
  assert.deepEqual(statuses, [403, 201, 403])
  assert.equal((await call('GET', `/keys${IN}`, undefined, weak.token)).json.items[0].key, null)
  const asked = (scopes: ScopeName[]) => ({ name: 'CI', scopes, expires_at: null })
  assert.equal((await call('POST', `/tokens${IN}`, asked(['checks:write']), weak.token)).status, 403)
  assert.equal((await call('POST', `/tokens${IN}`, asked(['checks:read']), weak.token)).status, 201)
  // A member who may not invite makes no token that may.
  const byBob = await call('POST', `/tokens${IN}`, asked(['members:write']), tokens.bob.token)
  assert.equal(byBob.status, 403)
})

test('a token of a project is created, works, and is revoked', async () => {
  const expires_at = new Date(world.clock.now() + 86_400_000).toISOString()
  const made = await call('POST', `/tokens${IN}`, { name: 'CI', scopes: ['checks:read'], expires_at })
  assert.equal(made.status, 201, made.text)
  const { token, uuid } = made.json
  assert.equal((await call('GET', '/projects', undefined, token)).status, 200)
  const listed = await call('GET', `/tokens${IN}`)
  assert.ok(listed.text.includes(uuid) && !listed.text.includes(token))
  assert.equal((await call('DELETE', `/tokens/${uuid}${IN}`)).status, 200)
  assert.ok(!(await call('GET', `/tokens${IN}`)).text.includes(uuid))
  const late = await call('POST', `/tokens${IN}`, {
    name: 'CI',
    scopes: ['checks:read'],
    expires_at: '2000-01-01T00:00:00Z',
  })
  assert.deepEqual([late.status, late.json.errors[0].pointer], [422, '/expires_at'])
})

test('people see and change their own settings, and revoke only their own tokens', async () => {
  const me = await call('PATCH', '/me', { timezone: 'Europe/Riga', reports: 'weekly', reminders: 3600 })
  assert.deepEqual(me.json, {
    uuid: alice.uuid,
    email: alice.email,
    timezone: 'Europe/Riga',
    theme: 'auto',
    reports: 'weekly',
    reminders: 3600,
  })
  assert.deepEqual((await call('GET', '/me')).json, me.json)
  const wrong = await call('PATCH', '/me', { timezone: 'Europe/Nowhere' })
  assert.deepEqual([wrong.status, wrong.json.errors[0].pointer], [422, '/timezone'])
  const other = await world.token({ userId: alice.id })
  assert.equal(
    (await call('DELETE', `/me/tokens/${other.uuid}`, undefined, tokens.charlie.token)).status,
    404,
  )
  assert.ok((await call('GET', '/me/tokens')).text.includes(other.uuid))
  assert.equal((await call('DELETE', `/me/tokens/${other.uuid}`)).status, 200)
  assert.ok(!(await call('GET', '/me/tokens')).text.includes(other.uuid))
  const ofProject = await world.token({ projectId: project.id, role: 'manager' })
  assert.equal((await call('GET', '/me', undefined, ofProject.token)).status, 403)
})

test('the scopes that keys amount to are those of the operations they may use', () => {
  for (const { methods } of nativeRoutes) {
    for (const { key, scope } of Object.values(methods)) {
      if (key === undefined || scope === null) continue
      for (const kind of key === 'ro' ? (['ro', 'rw'] as const) : (['rw'] as const)) {
        assert.ok((KEY_SCOPES[kind] as readonly ScopeName[]).includes(scope), `${kind}: ${scope}`)
      }
    }
  }
})

test('lists of people and tokens come in pages', async () => {
  const first = (await call('GET', `/members${IN}&limit=3`)).json
  const second = (await call('GET', `/members${IN}&limit=3&cursor=${first.next}`)).json
  assert.deepEqual([first.items.length, second.items.length, second.next], [3, 1, null])
})
