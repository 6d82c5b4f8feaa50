/** Who may do what in Punctual's own API: every operation of the table is asked for by every kind of caller. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { may } from '../../src/core/people/role.js'
import { SCOPE_NAMES } from '../../src/core/people/scopes.js'
import type { AnyNativeOperation } from '../../src/http/native/native-operation.js'
import { NATIVE_PREFIX, nativeRoutes } from '../../src/http/native/native-routes.js'
import { neededRole } from '../../src/http/native/serve/access.js'
import { SESSION_COOKIE } from '../../src/http/web/people/session.js'
import { newApiToken } from '../../src/lib/secrets/api-token.js'
import { openWebWorld } from '../_support/worlds/web-world.js'
import type { Reply } from '../_support/worlds/world.js'

const world = await openWebWorld()
const { alice, rita, bob, charlie, store, clock } = world
const hers = await world.account('Hers', alice.id)
const his = await world.account('His', charlie.id)
for (const [{ id: userId }, role] of [
  [rita, 'readonly'],
  [bob, 'member'],
] as const) {
  await store.projects.putMember({ projectId: hers.projectId, userId, role, now: clock.now() })
}

const { uuid } = await world.check(hers, { tags: 'secret' })
const uniqueKey: string = (await world.get(`/api/v3/checks/${uuid}`, hers.ro)).json.unique_key
const made = async (path: string, body: object) => {
  const { status, json, text } = await world.post(NATIVE_PREFIX + path, hers.rw, body)
  assert.equal(status, 201, text)
  return String(json.id)
}
const silence = await made('/silences', {
  scope: { project: true },
  when: { to: new Date(clock.now() + 86_400_000).toISOString() },
})
const policy = await made('/policies', { name: 'Hers', steps: [{ after: 0, channels: 'check' }] })
await world.ping({ uuid }, '/fail', { method: 'POST', body: 'output' })
const incident = String(await store.incidents.openIncident(uuid))

const whole = { projectId: hers.projectId, role: 'manager' as const }
const herToken = await world.token(whole)
const ownToken = await world.token({ userId: alice.id })
const invitation: string = (
  await world.send('POST', `${NATIVE_PREFIX}/invitations?project=${hers.projectUuid}`, {
    key: ownToken.token,
    body: { role: 'member' },
  })
).json.uuid

const { uuid: channel } = await store.channels.create({
  projectId: hers.projectId,
  name: 'Her secret webhook',
  kind: 'webhook',
  settings: { url_down: 'https://example.org/secret' },
  members: [],
  now: clock.now(),
})

const WEBHOOK = { name: 'Hers', url: 'https://example.org/events' }
const eventWebhook: string = (
  await world.send('POST', `${NATIVE_PREFIX}/event-webhooks?project=${hers.projectUuid}`, {
    key: ownToken.token,
    body: WEBHOOK,
  })
).json.uuid

/** What of Alice's each placeholder stands for, by the first part of the path. */
const SUBJECTS: Record<string, Record<string, string>> = {
  checks: { uuid, unique_key: uniqueKey, n: '1' },
  silences: { id: silence },
  policies: { id: policy },
  incidents: { id: incident },
  projects: { uuid: hers.projectUuid },
  keys: { hint: 'ping' },
  tokens: { uuid: herToken.uuid },
  members: { uuid: bob.uuid },
  invitations: { uuid: invitation },
  me: { uuid: ownToken.uuid },
  channels: { uuid: channel },
  'event-webhooks': { uuid: eventWebhook },
}

/** Operations whose subject is in the body. */
const BODIES: Record<string, object> = {
  acknowledgeIncidents: { incidents: [Number(incident)] },
}

/** What nobody else may see in an answer. */
const SECRETS = [uuid, uniqueKey, hers.projectUuid, hers.rw, alice.email, '"secret"']

interface Walked {
  method: string
  url: string
  operation: AnyNativeOperation
  hasSubject: boolean
}

const walked: Walked[] = nativeRoutes.flatMap(({ path, methods }) =>
  Object.entries(methods).map(([method, operation]) => ({
    method,
    url:
      NATIVE_PREFIX +
      path.replace(/\{(\w+)\}/g, (_, name: string) => {
        const subject = SUBJECTS[path.split('/')[1]!]?.[name]
        assert.ok(subject, `a value for {${name}} of ${path} is missing in SUBJECTS`)
        return subject
      }),
    operation,
    hasSubject: (path.includes('{') && path !== '/keys/{hint}') || BODIES[operation.id] !== undefined,
  })),
)

const revoked = await world.token(whole)
await store.projects.revokeApiToken({ projectId: hers.projectId }, revoked.uuid, clock.now())
const soon = { expiresAt: clock.now() + 60_000 }
const expired = await world.token(whole, soon)
const herExpired = await world.token({ userId: alice.id }, soon)
const herRevoked = await world.token({ userId: alice.id })
await store.projects.revokeApiToken({ userId: alice.id }, herRevoked.uuid, clock.now())
const gone = await world.person('gone')
await store.projects.putMember({
  projectId: hers.projectId,
  userId: gone.id,
  role: 'manager',
  now: clock.now(),
})
const ofGone = await world.token({ userId: gone.id })
assert.equal(await store.people.deleteUser(gone.id, clock.now()), true)
const revokedKeys = await world.account('Revoked', alice.id)
for (const kind of ['rw', 'ro'] as const) {
  const { projectId } = revokedKeys
  await store.projects.revokeApiKeys({ projectId, kind, now: clock.now() })
}
// One who has left the project.
const left = await world.person('left')
const ofLeft = await world.token({ userId: left.id })
await store.projects.putMember({
  projectId: hers.projectId,
  userId: left.id,
  role: 'manager',
  now: clock.now(),
})
await store.projects.removeMember(hers.projectId, left.uuid, clock.now())
clock.advance(60)
const ofCharlie = await world.token({ userId: charlie.id })
const member = await world.token({ projectId: hers.projectId, role: 'member' })
const reader = await world.token({ projectId: hers.projectId, role: 'readonly' })

/** Tokens and keys that have ended, and secrets that are neither. */
const ENDED = {
  'expired token of the project': expired.token,
  'revoked token of the project': revoked.token,
  'expired token of a person': herExpired.token,
  'revoked token of a person': herRevoked.token,
  'token of a deleted person': ofGone.token,
  'revoked read-write key': revokedKeys.rw,
  'revoked read-only key': revokedKeys.ro,
  'ping key': hers.pingKey,
  'badge key': hers.badgeKey,
}
const ofRita = await world.token({ userId: rita.id })
const ofBob = await world.token({ userId: bob.id })
const ofAlice = await world.token({ userId: alice.id })
const ofHisProject = await world.token({ projectId: his.projectId, role: 'manager' })
const HERS = `?project=${hers.projectUuid}`

async function ask({ method, url, operation }: Walked, key: string | null, query = ''): Promise<Reply> {
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? { body: BODIES[operation.id] ?? {} } : {}
  return await world.send(method, url + query, { ...(key === null ? {} : { key }), ...body })
}

function assertRefused(reply: Reply, status: number, caller = ''): void {
  assert.equal(reply.status, status, `${caller} ${reply.text}`)
  assert.equal(reply.headers.get('content-type'), 'application/problem+json')
  for (const secret of SECRETS) assert.ok(!reply.text.includes(secret), reply.text)
}

const without = new Map<string, Promise<{ token: string }>>()
/** A token of Alice's project with every scope but one. */
async function tokenWithout(scope: string): Promise<string> {
  const token = without.get(scope) ?? world.token(whole, { scopes: SCOPE_NAMES.filter(one => one !== scope) })
  without.set(scope, token)
  return (await token).token
}

for (const one of walked) {
  const { method, url, operation, hasSubject } = one
  const { scope, key: allowed, concerns, inPath } = operation
  const name = `${method} ${url.slice(NATIVE_PREFIX.length)}`
  const ofProject = concerns !== 'caller'
  const [inHers, inHis] = inPath ? ['', ''] : [HERS, `?project=${his.projectUuid}`]

  test(`${operation.id} (${method}) needs a valid token`, async () => {
    const unknown = [null, '', 'garbage', 'x'.repeat(32), newApiToken(), `${newApiToken().slice(0, -1)}!`]
    for (const key of unknown) assertRefused(await ask(one, key), 401)
    for (const [kind, key] of Object.entries(ENDED)) assertRefused(await ask(one, key, inHers), 401, kind)
    const session = alice.cookies.get(SESSION_COOKIE)!
    assertRefused(await ask(one, session, inHers), 401)
    const sent = { Cookie: `${SESSION_COOKIE}=${session}`, Origin: world.root }
    assertRefused(await world.send(method, url + inHers, { headers: sent }), 401)
  })

  test(`${operation.id} (${method}) is not for tokens without its scope, and for few keys`, async () => {
    if (scope !== null) {
      const reply = await ask(one, await tokenWithout(scope))
      assertRefused(reply, 403)
      assert.equal(reply.json.scope, scope)
    }
    for (const other of operation.alsoNeeds ?? [])
      assertRefused(await ask(one, await tokenWithout(other)), 403)
    if (allowed !== 'ro') assertRefused(await ask(one, hers.ro), 403)
    if (allowed === undefined) assertRefused(await ask(one, hers.rw), 403)
  })

  if (ofProject) {
    test(`${operation.id} (${method}) shows outsiders nothing: ${name}`, async () => {
      assertRefused(await ask(one, ofCharlie.token, inHers), 404)
      assertRefused(await ask(one, ofHisProject.token, inHers), 404)
      assertRefused(await ask(one, ofLeft.token, inHers), 404)
      if (!inPath) assertRefused(await ask(one, ofCharlie.token), 422)
      if (allowed !== undefined) assertRefused(await ask(one, his.rw, inHers), 404)
      if (allowed === 'ro') assertRefused(await ask(one, his.ro, inHers), 404)
      for (const [key, query] of [
        [ofCharlie.token, inHis],
        [ofHisProject.token, ''],
        ...(allowed === undefined ? [] : [[his.rw, ''] as const]),
        ...(allowed === 'ro' ? [[his.ro, ''] as const] : []),
      ] as const) {
        const reply = await ask(one, key, query)
        if (hasSubject) assertRefused(reply, 404)
        for (const secret of SECRETS) assert.ok(!reply.text.includes(secret), reply.text)
      }
    })

    test(`${operation.id} (${method}) needs the role: ${name}`, async () => {
      for (const [token, has] of [
        [ofRita, 'readonly'],
        [ofBob, 'member'],
        [reader, 'readonly'],
        [member, 'member'],
      ] as const) {
        if (may(has, neededRole(operation))) continue
        assertRefused(await ask(one, token.token, inHers), 403)
      }
    })
  }
}

for (const one of walked.filter(({ method }) => method === 'GET')) {
  const { operation, url } = one
  if (operation.concerns === 'caller') continue
  test(`${operation.id} is open to members, keys and tokens with the scope: ${url}`, async () => {
    const query = operation.inPath ? '' : HERS
    const mayAlso = [...(operation.key === 'ro' ? [hers.ro] : []), ...(operation.key ? [hers.rw] : [])]
    for (const [key, asked] of [
      [ofAlice.token, query],
      [(await world.token(whole, { scopes: scopesFor(operation) })).token, ''],
      ...mayAlso.map(key => [key, ''] as const),
    ] as const) {
      const reply = await ask(one, key, asked)
      assert.equal(reply.status, 200, reply.text)
    }
    if (neededRole(operation) === 'read') {
      const asReader = await ask(one, ofRita.token, query)
      assert.equal(asReader.status, 200, asReader.text)
      assert.ok(!asReader.text.includes(uuid), 'who only reads does not see what pings')
    }
  })
}

function scopesFor({ scope, alsoNeeds = [] }: AnyNativeOperation) {
  return scope === null ? SCOPE_NAMES : [scope, ...alsoNeeds]
}

test('the subjects were not changed by those who were refused', async () => {
  for (const path of [`/checks/${uuid}`, `/silences/${silence}`, `/policies/${policy}`]) {
    assert.equal((await world.get(NATIVE_PREFIX + path, hers.rw)).status, 200)
  }
  for (const [list, one] of [
    ['members', bob.uuid],
    ['invitations', invitation],
    ['tokens', herToken.uuid],
    ['me/tokens', ownToken.uuid],
    ['keys', 'ping'],
    ['channels', channel],
    ['event-webhooks', eventWebhook],
    ['projects', hers.projectUuid],
  ]) {
    const query = ['projects', 'me/tokens'].includes(list!) ? '' : HERS
    const { text } = await world.get(`${NATIVE_PREFIX}/${list}${query}`, ofAlice.token)
    assert.ok(text.includes(one!), `${list}: ${text}`)
  }
  const { acknowledged, closed_at } = (await world.get(`${NATIVE_PREFIX}/incidents/${incident}`, hers.rw))
    .json
  assert.deepEqual([acknowledged, closed_at], [null, null])
})
