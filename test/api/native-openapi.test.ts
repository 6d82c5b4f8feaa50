/** The OpenAPI document of Punctual's own API: each operation can give each answer that it describes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiDocument, JsonSchema } from '../../src/core/api-document.js'
import { schemaMismatch } from '../_support/schema-mismatch.js'
import { openWorld, type Reply } from '../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
const PREFIX = '/api/punctual/v1'
const served = await world.get(`${PREFIX}/openapi.json`)
const document: ApiDocument = served.json
const { schemas } = document.components
const his = await world.check(charlie)
const NOBODY = '00000000-0000-4000-8000-000000000000'

interface Asked {
  uuid?: string
  id?: number
  key?: string
  query?: string
  body?: unknown
}

/** A check that is failing, with runs of every kind of ping, whose schedule a finding would change. */
const subject = await world.check(alice, { tags: 'a b', schedule: '0 4 * * *', tz: 'Europe/Riga' })
await world.send('PATCH', `${PREFIX}/checks/${subject.uuid}`, {
  key: alice.rw,
  body: { failures_to_alert: 90, tolerated: ['failed', 'missed'], min_duration: 30, max_duration: 60 },
})
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
const closed = (await world.get(`${PREFIX}/incidents?check=${recovered.uuid}`, alice.rw)).json.incidents[0].id

/** What succeeds, for operations that need more than `{}`. */
const BODIES: Record<string, unknown> = {
  'post /silences': SILENCE,
  'post /policies': policy('Nights'),
  'post /checks/{uuid}/snooze': { seconds: 3600 },
  'post /incidents/acknowledge': { incidents: [incidents.open] },
  'post /incidents/{id}/notes': { note: 'seen' },
}

/** How each documented status is brought about; a success needs nothing. */
const CAUSES: Record<string, Asked> = {
  400: { body: 'no JSON' },
  401: { key: 'x'.repeat(32) },
  403: { uuid: his.uuid, id: incidents.his },
  404: { uuid: NOBODY, id: 999_999_999 },
  409: { id: closed },
  422: { query: '?limit=0', body: { max_duration: 0 } },
}

/** Statuses of single operations that are brought about in another way. */
const OTHER_CAUSES: Record<string, () => Promise<Asked>> = {
  'post /silences 403': async () => {
    const others = (await call('/silences', 'get')).json.silences.length
    for (let count = others; count < 200; count++) await call('/silences', 'post')
    return {}
  },
  'patch /silences/{id} 409': async () => {
    const { id } = (await call('/silences', 'get')).json.silences.at(-1)
    await call('/silences/{id}', 'delete', { id })
    return { id }
  },
  'post /policies 403': async () => {
    const others = (await call('/policies', 'get')).json.policies.length
    for (let count = others; count < 100; count++) {
      await call('/policies', 'post', { body: policy(`Policy ${count}`) })
    }
    return { body: policy('One more') }
  },
  'delete /policies/{id} 200': async () => {
    const { id } = (await call('/policies', 'post', { body: policy('Old') })).json
    return { id }
  },
  'get /incidents 403': async () => ({ query: `?check=${his.uuid}` }),
  'get /incidents 404': async () => ({ query: `?check=${NOBODY}` }),
  'post /incidents/acknowledge 403': async () => ({ body: { incidents: [incidents.his] } }),
  'post /incidents/acknowledge 404': async () => ({ body: { incidents: [999_999_999] } }),
  'post /incidents/acknowledge 409': async () => ({ body: { incidents: [closed] } }),
  'delete /incidents/{id}/acknowledge 200': async () => ({ id: incidents.acknowledged }),
}

async function call(path: string, method: string, asked: Asked = {}): Promise<Reply> {
  const ids = { incidents: incidents.open, policies: madePolicy.json.id, silences: created.json.id }
  const id = ids[path.split('/')[1] as keyof typeof ids]
  const filled = path.replace('{uuid}', asked.uuid ?? subject.uuid).replace('{id}', String(asked.id ?? id))
  const url = PREFIX + filled + (asked.query ?? '')
  const hasBody = ['patch', 'post', 'put'].includes(method)
  const body = hasBody ? { body: asked.body ?? BODIES[`${method} ${path}`] ?? {} } : {}
  return await world.send(method.toUpperCase(), url, { key: asked.key ?? alice.rw, ...body })
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
        const asked = other ? await other() : CAUSES[status]
        assertFits(await call(path, method, asked), status, content)
      })
    }
    if (method !== 'get') continue
    if (!path.includes('{uuid}')) {
      test(`${method} ${path} answers a read-only key as documented`, async () => {
        assertFits(await call(path, method, { key: alice.ro }), '200', responses[200]!.content)
      })
      continue
    }
    test(`${method} ${path} answers a read-only key as documented, by the unique key too`, async () => {
      const { unique_key } = (await call('/checks/{uuid}', 'get', { key: alice.ro })).json
      const reply = await call(path, method, { key: alice.ro, uuid: unique_key })
      assertFits(reply, '200', responses[200]!.content)
      const { schema } = document.paths[path]![method]!.parameters[0]!
      assert.equal(schemaMismatch(unique_key, schema, schemas), null)
    })
  }
}

test('what the document says of a check that has everything fits, and a member that is unknown does not', async () => {
  const { runs } = (await call('/checks/{uuid}/runs', 'get')).json
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
  assert.equal(schemaMismatch(reply.json, schema, schemas), null)
}
