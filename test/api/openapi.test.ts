import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiDocument, DocumentedOperation, JsonSchema } from '../../src/core/api-document.js'
import { Refusal } from '../../src/core/errors.js'
import { bounceToken } from '../../src/lib/mail/bounce-token.js'
import { bounceReader } from '../../src/lib/mail/mail-reader.js'
import { schemaMismatch } from '../_support/schema-mismatch.js'
import { openWorld, type Reply } from '../_support/worlds/world.js'

const bodies = {
  read: async () => {
    throw new Refusal('unavailable', 'down')
  },
}
const world = await openWorld({
  app: { METRICS_KEY: 'key', EMAIL_MAIL_FROM_TMPL: '%s@bounces.example.org' },
  store: { checkLimit: 50 },
  bodies,
})
const { alice, charlie } = world
const served = await world.get('/api/v3/openapi.json')
const document: ApiDocument = served.json

const NOBODY = '00000000-0000-4000-8000-000000000000'
const his = await world.check(charlie)

const mismatch = (value: unknown, schema: JsonSchema) =>
  schemaMismatch(value, schema, document.components.schemas)

/** A check with a ping, a flip and a body, and its names. */
async function subject() {
  const check = await world.check(alice, { tags: 'a' })
  await world.ping(check, '/fail', { method: 'POST', body: 'logged' })
  const { unique_key } = (await world.get(`/api/v3/checks/${check.uuid}`, alice.ro)).json
  return { uuid: check.uuid as string, unique_key: unique_key as string, n: '1' }
}

interface Asked {
  names?: Record<string, string>
  key?: string
  query?: string
  headers?: Record<string, string>
  body?: unknown
  /** Called with the answer. */
  end?(): void
}

async function call(path: string, method: string, asked: Asked): Promise<Reply> {
  const names: Record<string, string> = asked.names ?? (await subject())
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => names[name]!)
  const headers = { 'X-Metrics-Key': 'key', ...asked.headers }
  const reply = world.send(method.toUpperCase(), `/api/v3${filled}${asked.query ?? ''}`, {
    key: asked.key ?? alice.rw,
    headers,
    ...(method === 'post' ? { body: asked.body ?? {} } : {}),
  })
  return await reply.finally(() => asked.end?.())
}

const TOO_LARGE = 'x'.repeat(3_000_000)

/** How each documented status of an operation is brought about; the successes need nothing. */
const CAUSES: Record<string, Record<string, () => Promise<Asked>>> = {
  createCheck: {
    200: async () => {
      await world.check(alice, { name: 'known' })
      return { body: { name: 'known', unique: ['name'] } }
    },
    400: async () => ({ body: { timeout: 1 } }),
    403: async () => {
      const full = await world.account()
      for (let n = 0; n < 50; n++) await world.check(full)
      return { key: full.rw }
    },
  },
  updateCheck: { 400: async () => ({ body: { name: null } }) },
  pauseCheck: { 400: async () => ({ body: 'no JSON' }) },
  reportDelivery: { 400: async () => ({ body: TOO_LARGE }) },
  resumeCheck: {
    400: async () => ({ body: 'no JSON' }),
    200: async () => {
      const names = await subject()
      await world.post(`/api/v3/checks/${names.uuid}/pause`, alice.rw)
      return { names }
    },
    409: async () => ({}),
  },
  getPingBody: {
    503: async () => {
      const names = await subject()
      await world.moveBodiesOutside()
      return { names }
    },
  },
  listFlips: { 400: async () => ({ query: '?start=x' }) },
  reportBounce: {
    400: async () => ({ body: TOO_LARGE }),
    503: async () => {
      const token = bounceToken(world.config.SECRET_KEY, `n.${NOBODY}`, world.clock.now())
      const body = `To: ${token}@bounces.example.org\n\n`
      let isOver = false
      const keepBusy = async () => {
        while (!isOver) await bounceReader.read(Buffer.from(body))
      }
      for (let n = 0; n < 4; n++) void keepBusy()
      return { body, end: () => (isOver = true) }
    },
  },
  getMetrics: { 403: async () => ({ headers: { 'X-Metrics-Key': 'wrong' } }) },
}
const COMMON: Record<string, () => Promise<Asked>> = {
  401: async () => ({ key: 'x'.repeat(32) }),
  403: async () => ({ names: { uuid: his.uuid, n: '1' } }),
  404: async () => ({ names: { uuid: NOBODY, unique_key: 'f'.repeat(40), n: '1' } }),
}

test('the document is OpenAPI 3.1 and may be read from everywhere, without a key', () => {
  assert.equal(served.status, 200)
  assert.equal(served.headers.get('content-type'), 'application/json')
  assert.equal(served.headers.get('access-control-allow-origin'), '*')
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.servers[0]!.url, 'http://localhost:8000/api/v3')
})

test('it describes every path that the specification names, and the few beyond it', () => {
  assert.deepEqual(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => `${method} ${path}`),
    ),
    [
      'get /checks/',
      'post /checks/',
      'get /checks/{uuid}',
      'post /checks/{uuid}',
      'delete /checks/{uuid}',
      'post /checks/{uuid}/pause',
      'post /checks/{uuid}/resume',
      'get /checks/{uuid}/pings/',
      'get /checks/{uuid}/pings/{n}/body',
      'get /checks/{uuid}/flips/',
      'get /channels/',
      'get /badges/',
      'get /status/',
      'get /metrics/',
      'post /bounces/',
      'post /notifications/{uuid}/status',
    ],
  )
})

test('every reference in the document leads to a schema', () => {
  for (const [, name] of served.text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    assert.ok(document.components.schemas[name!], `${name} is missing`)
  }
  assert.ok(!served.text.includes('$defs'))
})

test('the bounds that are validated are in the document', () => {
  const { properties } = document.components.schemas.CheckFields!
  assert.deepEqual([properties!.timeout!.minimum, properties!.timeout!.maximum], [60, 31_536_000])
  assert.deepEqual([properties!.name!.maxLength, properties!.tags!.maxLength], [100, 500])
  assert.equal(properties!.slug!.pattern, '^[a-z0-9_-]*$')
})

for (const [path, item] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (operation.operationId === 'getStatus' && status === '500') continue
      test(`${method} ${path} can answer ${status}, and as documented`, async () => {
        const reply = await call(path, method, await causeOf(operation, status))
        assert.equal(String(reply.status), status, reply.text)
        const [type, { schema }] = Object.entries(response.content!)[0]!
        assert.equal(reply.headers.get('content-type')!.split(';')[0], type)
        if (type === 'application/json') assert.equal(mismatch(reply.json, schema), null)
      })
    }
  }
}

for (const path of ['/checks/{uuid}', '/checks/{uuid}/flips/']) {
  test(`the documented UUID of GET ${path} may be a unique key`, async () => {
    const { schema } = document.paths[path]!.get!.parameters[0]!
    assert.equal(mismatch('f'.repeat(40), schema), null)
    const { unique_key } = await subject()
    assert.equal((await call(path, 'get', { names: { uuid: unique_key } })).status, 200)
  })
}

test('a 403 says what it means for its operation', () => {
  const reason = (path: string, method: string) => document.paths[path]![method]!.responses[403]!.description
  assert.match(reason('/checks/', 'post'), /limit of checks/)
  assert.match(reason('/checks/{uuid}', 'post'), /another project/)
  assert.match(reason('/metrics/', 'get'), /X-Metrics-Key/)
})

async function causeOf(operation: DocumentedOperation, status: string): Promise<Asked> {
  const cause = CAUSES[operation.operationId]?.[status] ?? COMMON[status]
  return cause ? await cause() : {}
}

test('the page for people shows every operation and schema', async () => {
  for (const path of ['/docs/api', '/docs/api/']) {
    const { status, text, headers } = await world.get(path)
    assert.equal(status, 200)
    assert.match(headers.get('content-type')!, /^text\/html/)
    for (const item of Object.values(document.paths)) {
      for (const { operationId, summary } of Object.values(item)) {
        assert.ok(text.includes(`id="${operationId}"`), operationId)
        assert.ok(text.includes(summary))
      }
    }
    for (const name of Object.keys(document.components.schemas))
      assert.ok(text.includes(`id="schema-${name}"`))
    assert.ok(text.includes('href="/api/v3/openapi.json"'))
  }
})
