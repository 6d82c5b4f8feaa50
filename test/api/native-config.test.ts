/** Configuration as code over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NATIVE_PREFIX } from '../../src/http/native/native-routes.js'
import { OPERATOR } from '../_support/native/owned-project.js'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld({ delivery: { operator: OPERATOR } })
const SECRET = 'https://hooks.slack.com/services/T1/B1/secret'

const DOCUMENT = {
  project: 'Home',
  defaults: { timezone: 'Europe/Riga', channels: ['ops'] },
  channels: {
    ops: { kind: 'slack', url: SECRET },
    room: { kind: 'webhook', url_down: 'https://user:pa55word@example.org/hook' },
    all: { kind: 'group', members: ['ops', 'room'] },
  },
  policies: { 'on-call': { steps: [{ after: 0 }, { after: '30 min', channels: ['all'] }], default: true } },
  checks: {
    db: { cron: '15 3 * * *', grace: '1 h', tags: ['backup'] },
    upload: { period: '1 d', depends_on: ['db'], policy: 'on-call', channels: ['all'] },
  },
  silences: {
    window: {
      scope: { checks: ['db'] },
      when: { cron: '0 2 * * 0', duration: '2 h', from: '2026-01-01T00:00:00Z' },
      reason: 'Backups',
    },
  },
}

/** With the values of each, more than a request otherwise has. */
const LARGE = 2_000

async function project(name: string) {
  const account = await world.account(name)
  const { token } = await world.token({ projectId: account.projectId, role: 'manager' })
  const post = async (path: string, body: object) =>
    await world.send('POST', NATIVE_PREFIX + path, { key: token, body })
  const exported = async () => await world.get(`${NATIVE_PREFIX}/config`, token)
  return { ...account, token, post, exported }
}

test('an export applied to an empty project gives the same project, with secrets asked for by name', async () => {
  const first = await project('First')
  const made = await first.post('/config:apply', { document: DOCUMENT })
  assert.equal(made.status, 200, made.text)
  assert.ok(!made.text.includes('T1/B1') && !made.text.includes('pa55word'), made.text)
  const { text, json } = await first.exported()
  assert.ok(!text.includes('T1/B1') && !text.includes('pa55word'), text)
  const names = json.variables.map(({ name }: { name: string }) => name)
  assert.deepEqual(names.sort(), ['OPS_URL', 'ROOM_URL_DOWN'])

  const given = { OPS_URL: SECRET, ROOM_URL_DOWN: DOCUMENT.channels.room.url_down }
  const document = JSON.parse(text, (_, value) =>
    typeof value === 'string'
      ? value.replace(/\$\{(\w+)\}/, (_, name: keyof typeof given) => given[name])
      : value,
  ).document
  assert.deepEqual((await first.post('/config:plan', { document })).json.steps, [])
  const second = await project('Second')
  assert.equal((await second.post('/config:apply', { document })).status, 200)
  assert.deepEqual((await second.exported()).json.document, { ...json.document, project: 'Second' })
  assert.deepEqual((await second.post('/config:plan', { document })).json.steps, [])
})

test('an export of very many checks can be planned and applied', async () => {
  const [first, second] = [await project('Large'), await project('Copy')]
  const hook = (name: string) => ({ kind: 'webhook', url_down: `https://${name}.example.org/` })
  const document = {
    project: 'Large',
    channels: { dev: hook('dev'), ops: hook('ops') },
    checks: Object.fromEntries(
      Array.from({ length: LARGE }, (_, n) => [
        `job-${n}`,
        { tags: ['backup', 'nightly', `team-${n % 7}`], channels: ['dev', 'ops'] },
      ]),
    ),
  }
  const planned = await first.post('/config:plan', { document })
  assert.deepEqual([planned.status, planned.json.steps.length], [200, LARGE + 2], planned.text.slice(0, 500))
  assert.equal((await first.post('/config:apply', { document })).status, 200)
  const shown = (await first.exported()).json.document
  assert.deepEqual(shown.checks, document.checks)
  assert.deepEqual((await first.post('/config:plan', { document })).json.steps, [])
  assert.equal((await second.post('/config:apply', { document })).status, 200)
  const copied = (await second.exported()).json.document
  assert.deepEqual([copied.checks, copied.channels], [shown.checks, shown.channels])
})

test('a large file with an Idempotency-Key is applied once, and answered as before', async () => {
  const { token } = await project('Once')
  const checks = Object.fromEntries(
    Array.from({ length: LARGE }, (_, n) => [`job-${n}`, { tags: ['a', 'b', 'c', 'd', 'e'] }]),
  )
  const send = () =>
    world.send('POST', `${NATIVE_PREFIX}/config:apply`, {
      key: token,
      body: { document: { checks } },
      headers: { 'Idempotency-Key': 'once' },
    })
  const [made, again] = [await send(), await send()]
  assert.deepEqual([made.status, made.json.steps.length], [200, LARGE])
  assert.deepEqual([again.status, again.text], [200, made.text])
  assert.equal(again.headers.get('Idempotent-Replayed'), 'true')
})

test('a file that is too large is refused with the limit', async () => {
  const { post } = await project('Too large')
  const checks = Object.fromEntries(Array.from({ length: 30_001 }, (_, n) => [`job-${n}`, {}]))
  const many = await post('/config:plan', { document: { checks } })
  assert.deepEqual(
    [many.status, many.json.detail],
    [400, 'an object in the request body has more than 30000 members'],
  )
  const long = await post('/config:plan', { document: { checks: { a: { desc: 'x'.repeat(2_700_000) } } } })
  assert.deepEqual([long.status, long.json.detail], [400, 'the request body is larger than 2621440 bytes'])
})

test('a silence in a file that is over is accepted by a project that never had it', async () => {
  const { post, exported } = await project('Late')
  const once = (from: string, to: string) => ({ scope: { project: true }, when: { from, to } })
  const silences = {
    past: once('2020-01-01T00:00:00Z', '2020-01-01T02:00:00Z'),
    coming: once('2999-01-01T00:00:00Z', '2999-01-01T02:00:00Z'),
  }
  const document = { checks: { db: { period: '1 d' } }, silences }
  const applied = await post('/config:apply', { document })
  assert.equal(applied.status, 200, applied.text)
  assert.deepEqual(Object.keys((await exported()).json.document.silences), ['coming'])
  assert.deepEqual((await post('/config:plan', { document })).json.steps, [])
})

test('a plan shows what changes, masks secrets, and is refused once the project has changed', async () => {
  const { post, rw } = await project('Plan')
  await post('/config:apply', { document: DOCUMENT })
  const { ops } = DOCUMENT.channels
  const document = {
    ...DOCUMENT,
    channels: { ...DOCUMENT.channels, ops: { ...ops, url: `${SECRET}2` } },
    checks: { ...DOCUMENT.checks, db: { ...DOCUMENT.checks.db, grace: '2 h' } },
  }
  const planned = await post('/config:plan', { document })
  assert.deepEqual(planned.json.steps, [
    {
      action: 'change',
      section: 'channels',
      key: 'ops',
      moved_from: null,
      fields: [{ name: 'url', before: null, after: null, secret: true }],
    },
    {
      action: 'change',
      section: 'checks',
      key: 'db',
      moved_from: null,
      fields: [{ name: 'grace', before: 3600, after: 7200, secret: false }],
    },
  ])
  const { fingerprint } = planned.json
  await world.post('/api/v3/checks/', rw, { name: 'another' })
  assert.equal((await post('/config:apply', { document, fingerprint })).status, 409)
  assert.equal((await post('/config:apply', { document })).status, 200)
})

test('what is wrong with a file is named with its place, and nothing is applied', async () => {
  const { post, exported } = await project('Wrong')
  const document = { checks: { good: {}, bad: { grace: 'soon', depends_on: ['none'] } } }
  const { problems } = (await post('/config:plan', { document })).json
  assert.deepEqual(
    problems.map(({ at }: { at: string[] }) => at),
    [['checks', 'bad', 'grace']],
  )
  const refused = await post('/config:apply', { document })
  assert.equal(refused.status, 422)
  assert.equal(refused.json.errors[0].pointer, '/document/checks/bad/grace')
  assert.equal((await exported()).json.document.checks, undefined)
})

test('values nested too deeply and channels that ask a person are refused', async () => {
  const { post } = await project('Deep')
  const deep = JSON.parse(`${'['.repeat(20)}${']'.repeat(20)}`)
  const refused = await post('/config:apply', { document: { checks: { a: { tags: deep } } } })
  assert.deepEqual(
    [refused.status, refused.json.errors],
    [422, [{ detail: 'This is nested too deeply.', pointer: '/document/checks/a/tags' }]],
  )
  const reply = await post('/config:apply', {
    document: { channels: { bot: { kind: 'telegram', chat_id: '1' } } },
  })
  assert.equal(reply.status, 422)
  assert.match(reply.text, /integrations\/add\/telegram/)
})

test('what only the operator of a project may add is refused to a member', async () => {
  const { post, projectId } = await project('Roles')
  const { token } = await world.token({ projectId, role: 'readonly' })
  const reply = await world.send('POST', `${NATIVE_PREFIX}/config:apply`, {
    key: token,
    body: { document: {} },
  })
  assert.equal(reply.status, 403)
  assert.equal((await post('/config:apply', { document: { checks: { a: {} } } })).status, 200)
})

test('editors get a schema that names every field', async () => {
  const { token } = await project('Schema')
  const { json } = await world.get(`${NATIVE_PREFIX}/config/schema`, token)
  const check = json.properties.checks.additionalProperties.properties
  for (const name of ['cron', 'grace', 'depends_on', 'timezone']) assert.ok(check[name], name)
})
