/** The OpenAPI document of Punctual's own API: each operation can give each answer that it describes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiDocument, JsonSchema } from '../../src/core/api-document.js'
import type { ScopeName } from '../../src/core/people/scopes.js'
import type { AnyNativeOperation } from '../../src/http/native/native-operation.js'
import { nativeRoutes } from '../../src/http/native/native-routes.js'
import { digestOf } from '../../src/lib/secrets/secrets.js'
import { OPERATOR, openOwnedProject } from '../_support/native/owned-project.js'
import { schemaMismatch } from '../_support/schema-mismatch.js'
import { openWorld, type Reply } from '../_support/worlds/world.js'

/** More than this file asks for with one key. */
const LIMIT = 1_500
let mailFails = false
const mailer = {
  async send() {
    if (mailFails) throw new Error('the server refused the sender')
  },
}
const world = await openWorld({
  app: { API_REQUESTS_PER_MINUTE: LIMIT },
  mailer,
  delivery: { operator: OPERATOR },
})
const { alice, charlie } = world
const PREFIX = '/api/punctual/v1'
/** A token without the scopes of any operation but this one, and one that has sent too much. */
const [weak, hasty] = await Promise.all(
  ['members:write', 'checks:read'].map(scope =>
    world.token({ projectId: alice.projectId, role: 'member' }, { scopes: [scope as ScopeName] }),
  ),
)
/** A person in two projects, with a token; and a token of the first, for what keys may not do. */
const person = await world.store.people.createUser({
  email: 'person@example.org',
  passwordHash: null,
  emailProven: true,
  now: world.clock.now(),
})
const second = await world.account('Second', person.id)
await world.store.projects.putMember({
  projectId: alice.projectId,
  userId: person.id,
  role: 'member',
  now: world.clock.now(),
})
const [personal, strong] = await Promise.all([
  world.token({ userId: person.id }),
  world.token({ projectId: alice.projectId, role: 'manager' }),
])
const served = await world.get(`${PREFIX}/openapi.json`)
const document: ApiDocument = served.json
const { schemas } = document.components
const NOBODY = '00000000-0000-4000-8000-000000000000'

interface Asked {
  uuid?: string
  id?: number
  hint?: string
  key?: string
  query?: string
  headers?: Record<string, string>
  body?: unknown
}

/** A check that is failing, with runs of every kind of ping, whose schedule a finding would change. */
const subject = await world.check(alice, { tags: 'a b', schedule: '0 4 * * *', tz: 'Europe/Riga' })
await world.send('PATCH', `${PREFIX}/checks/${subject.uuid}`, {
  key: alice.rw,
  body: { failures_to_alert: 90, tolerated: ['failed', 'missed'], min_duration: 30, max_duration: 60 },
})
await world.ping(subject, '/log', { method: 'POST', body: 'output' })
for (let day = 0; day < 12; day++) {
  await world.ping(subject, '/start?rid=10000000-0000-4000-8000-000000000000')
  world.clock.advance(45)
  await world.ping(subject, '/3?rid=10000000-0000-4000-8000-000000000000')
  world.clock.advance(86_400 - 45)
}
await world.ping(subject, '/start')

const until = new Date(world.clock.now() + 86_400_000).toISOString()
const SILENCE = { scope: { checks: [subject.uuid] }, when: { to: until } }
const created = await world.send('POST', `${PREFIX}/silences`, { key: alice.rw, body: SILENCE })

const policy = (name: string) => ({ name, steps: [{ after: 0, channels: 'check' }] })
const madePolicy = await world.send('POST', `${PREFIX}/policies`, { key: alice.rw, body: policy('On call') })

/** The ID of the incident of a new check that is down. */
async function incident(account = alice): Promise<number> {
  const check = await world.check(account)
  await world.ping(check, '/fail')
  return (await world.get(`${PREFIX}/checks/${check.uuid}`, account.rw)).json.incident
}

const incidents = { open: await incident(), acknowledged: await incident(), his: await incident(charlie) }
await world.send('POST', `${PREFIX}/incidents/${incidents.acknowledged}/acknowledge`, { key: alice.rw })
const recovered = await world.check(alice)
await world.ping(recovered, '/fail')
await world.ping(recovered, '')
const closed = (await world.get(`${PREFIX}/incidents?check=${recovered.uuid}`, alice.rw)).json.items[0].id

for (let sent = 0; sent < LIMIT; sent += 50) {
  await Promise.all(Array.from({ length: 50 }, () => world.get(`${PREFIX}/policies`, hasty!.token)))
}

/** For operations that only tokens may use. */
const owned = await openOwnedProject(world, () => {
  mailFails = true
})

/** What succeeds, for operations that need more than `{}`. */
const BODIES: Record<string, unknown> = {
  ...owned.bodies,
  'post /silences': SILENCE,
  'post /policies': policy('Nights'),
  'post /checks': { name: 'Backup' },
  'post /checks:batch': { operations: [{ op: 'create', check: { name: 'Backup' } }] },
  'post /checks/{uuid}/move': { project: second.projectUuid },
  'put /checks/{uuid}/push-tokens': { tokens: ['of-subject'] },
  'post /checks/{uuid}/snooze': { seconds: 3600 },
  'post /incidents/acknowledge': { incidents: [incidents.open] },
  'post /incidents/{id}/notes': { note: 'seen' },
}

/** How each documented status is brought about; a success needs nothing. */
const CAUSES: Record<string, Asked> = {
  400: { body: 'no JSON' },
  401: { key: 'x'.repeat(32) },
  403: { key: weak!.token },
  404: { uuid: NOBODY, id: 999_999_999, query: `?project=${charlie.projectUuid}` },
  409: { id: closed },
  412: { headers: { 'If-Match': '"other"' } },
  422: { query: '?limit=0', body: { max_duration: 0 } },
  429: { key: hasty!.token },
}

/** Statuses of single operations that are brought about in another way. */
const OTHER_CAUSES: Record<string, () => Promise<Asked>> = {
  ...owned.causes,
  'post /silences 403': async () => {
    const others = (await call('/silences', 'get')).json.items.length
    for (let count = others; count < 200; count++) await call('/silences', 'post')
    return {}
  },
  'patch /silences/{id} 409': async () => {
    const { id } = (await call('/silences', 'get')).json.items.at(-1)
    await call('/silences/{id}', 'delete', { id })
    return { id }
  },
  'post /policies 403': async () => {
    const others = (await call('/policies', 'get')).json.items.length
    for (let count = others; count < 100; count++) {
      await call('/policies', 'post', { body: policy(`Policy ${count}`) })
    }
    return { body: policy('One more') }
  },
  'delete /policies/{id} 200': async () => {
    const [{ id }] = (await call('/policies', 'get')).json.items
    return { id }
  },
  ...Object.fromEntries(
    ['pause', 'copy', 'clear'].map(verb => [
      `post /checks/{uuid}/${verb} ${verb === 'copy' ? 201 : 200}`,
      async () => ({ uuid: (await world.check(alice)).uuid }),
    ]),
  ),
  'post /checks 200': async () => {
    const { status } = await call('/checks', 'post', { body: { name: 'Known', slug: 'known' } })
    assert.equal(status, 201)
    return { body: { slug: 'known', grace: 120, unique: ['slug'] } }
  },
  'post /checks/{uuid}/resume 200': async () => {
    const { uuid } = await world.check(alice)
    await call('/checks/{uuid}/pause', 'post', { uuid })
    return { uuid }
  },
  'post /checks/{uuid}/resume 409': async () => ({}),
  'post /checks/{uuid}/move 200': async () => ({
    uuid: (await world.check(alice)).uuid,
    key: personal.token,
    query: `?project=${alice.projectUuid}`,
  }),
  'put /checks/{uuid}/push-tokens 409': async () => {
    await call('/checks/{uuid}/push-tokens', 'put')
    return { uuid: (await world.check(alice)).uuid }
  },
  'get /checks/{uuid}/pings/{n}/body 503': async () => {
    await world.moveBodiesOutside()
    return {}
  },
  'delete /checks/{uuid} 200': async () => ({ uuid: (await world.check(alice)).uuid }),
  'get /incidents 404': async () => ({ query: `?check=${NOBODY}` }),
  'post /incidents/acknowledge 404': async () => ({ body: { incidents: [999_999_999] } }),
  'post /incidents/acknowledge 409': async () => ({ body: { incidents: [closed] } }),
  'delete /incidents/{id}/acknowledge 200': async () => ({ id: incidents.acknowledged }),
}

/** What only tokens may do, with the check that everything else is about. */
const OF_CHECK = ['/checks/{uuid}/move', '/checks/{uuid}/clear', '/checks/{uuid}/push-tokens']

function requestOf(path: string, method: string, asked: Asked) {
  const { key: allowed, concerns, inPath } = operationAt(path, method)
  const [, noun = ''] = path.split('/')
  const ids = { incidents: incidents.open, policies: madePolicy.json.id, silences: created.json.id }
  const filled = path
    .replace('{uuid}', asked.uuid ?? owned.uuids[noun] ?? subject.uuid)
    .replace('{id}', String(asked.id ?? ids[noun as keyof typeof ids]))
    .replace('{hint}', asked.hint ?? 'ping')
    .replace('{n}', '1')
  const byKey = allowed !== undefined
  const isOfCheck = OF_CHECK.includes(path)
  const query = asked.query ?? (byKey || isOfCheck || concerns === 'caller' || inPath ? '' : owned.inProject)
  const url = PREFIX + filled + query
  const hasBody = ['patch', 'post', 'put'].includes(method)
  const { key = byKey ? alice.rw : isOfCheck ? strong.token : owned.token, headers = {} } = asked
  const body = hasBody ? { body: asked.body ?? BODIES[`${method} ${path}`] ?? {} } : {}
  return { url, key, headers, ...body }
}

function operationAt(path: string, method: string): AnyNativeOperation {
  const { methods } = nativeRoutes.find(route => route.path === path)!
  return methods[method.toUpperCase() as keyof typeof methods]!
}

/** How a documented status is usually brought about. */
async function causeOf(path: string, method: string, status: string): Promise<Asked | undefined> {
  const { key, scope, inPath } = operationAt(path, method)
  if (key !== undefined || OF_CHECK.includes(path) || !['403', '404'].includes(status)) return CAUSES[status]
  if (status === '403') return { key: await owned.weak(scope) }
  const { query: _, ...asked } = CAUSES[status]!
  return inPath || path.startsWith('/me/') || path.includes('{') ? asked : CAUSES[status]
}

async function call(path: string, method: string, asked: Asked = {}): Promise<Reply> {
  const { url, ...request } = requestOf(path, method, asked)
  return await world.send(method.toUpperCase(), url, request)
}

/** A POST whose like is under way. */
async function running(path: string): Promise<Asked> {
  const { url, key, body } = requestOf(path, 'post', {})
  const request = digestOf(`POST ${url} ${JSON.stringify(body)}`)
  const asked = { caller: digestOf(key), key: path, request, now: world.clock.now() }
  await world.store.projects.beginApiRequest(asked)
  return { headers: { 'Idempotency-Key': path } }
}

test('the document is OpenAPI 3.1 and may be read from everywhere, without a key', () => {
  assert.equal(served.status, 200)
  assert.equal(served.headers.get('content-type'), 'application/json')
  assert.equal(served.headers.get('access-control-allow-origin'), '*')
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.servers[0]!.url, 'http://localhost:8000/api/punctual/v1')
})

test('every reference in the document leads to a schema', () => {
  for (const [, name] of served.text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    assert.ok(schemas[name!], `${name} is missing`)
  }
  assert.ok(!served.text.includes('$defs'))
})

test('the limits that are validated are in the document', () => {
  const { max_duration, tolerated, name } = schemas.CheckChanges!.properties!
  const seconds = max_duration!.anyOf!.find(({ type }) => type === 'integer')!
  assert.deepEqual([seconds.minimum, seconds.maximum], [1, 2_592_000])
  assert.deepEqual(tolerated!.items!.enum?.slice(0, 2), ['failed', 'missed'])
  assert.equal(name!.maxLength, 100)
  assert.equal(schemas.CheckChanges!.additionalProperties, false)
})

for (const [path, item] of Object.entries(document.paths)) {
  for (const [method, { responses }] of Object.entries(item)) {
    for (const [status, { content }] of Object.entries(responses)) {
      test(`${method} ${path} can answer ${status}, and as documented`, async () => {
        const other = OTHER_CAUSES[`${method} ${path} ${status}`]
        const busy = method === 'post' && status === '409' && !other
        const asked = other ? await other() : busy ? await running(path) : await causeOf(path, method, status)
        assertFits(await call(path, method, asked), status, content!)
        mailFails = false
      })
    }
    if (method !== 'get' || operationAt(path, method).key !== 'ro') continue
    if (!path.includes('{uuid}')) {
      test(`${method} ${path} answers a read-only key as documented`, async () => {
        assertFits(await call(path, method, { key: alice.ro }), '200', responses[200]!.content!)
      })
      continue
    }
    test(`${method} ${path} answers a read-only key as documented, by the unique key too`, async () => {
      const { unique_key } = (await call('/checks/{uuid}', 'get', { key: alice.ro })).json
      const reply = await call(path, method, { key: alice.ro, uuid: unique_key })
      assertFits(reply, '200', responses[200]!.content!)
      const { schema } = document.paths[path]![method]!.parameters[0]!
      assert.equal(schemaMismatch(unique_key, schema, schemas), null)
    })
  }
}

test('what the document says of a check that has everything fits, and a member that is unknown does not', async () => {
  const { items: runs } = (await call('/checks/{uuid}/runs', 'get')).json
  assert.ok(runs.length > 5)
  const { findings } = (await call('/checks/{uuid}/findings', 'get')).json
  assert.ok(findings.some(({ patch }: { patch: unknown }) => patch !== null))
  const check = (await call('/checks/{uuid}', 'get')).json
  assert.ok(check.failing.count > 1)
  const schema: JsonSchema = { $ref: '#/components/schemas/Check' }
  assert.equal(schemaMismatch(check, schema, schemas), null)
  assert.equal(schemaMismatch({ ...check, more: 1 }, schema, schemas), ': more is not documented')
})

test('the page for people shows every operation and schema', async () => {
  for (const path of ['/docs/own-api', '/docs/own-api/']) {
    const { status, text } = await world.get(path)
    assert.equal(status, 200)
    for (const item of Object.values(document.paths))
      for (const { operationId } of Object.values(item)) assert.ok(text.includes(`id="${operationId}"`))
    for (const name of Object.keys(schemas)) assert.ok(text.includes(`id="schema-${name}"`))
    assert.ok(text.includes('href="/api/punctual/v1/openapi.json"'))
  }
})

function assertFits(reply: Reply, status: string, content: Record<string, { schema: JsonSchema }>): void {
  assert.equal(String(reply.status), status, reply.text)
  const [type, { schema }] = Object.entries(content)[0]!
  assert.equal(reply.headers.get('content-type'), type)
  if (!type.includes('json')) return
  assert.equal(schemaMismatch(reply.json, schema, schemas), null)
}
