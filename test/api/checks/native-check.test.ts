/** Punctual's own API: one check, with all its settings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NATIVE_FIELDS } from '../../../src/core/wire/native-fields.js'
import { openWorld, type Reply, type Request } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, clock } = world
const PREFIX = '/api/punctual/v1/checks'
const get = (name: string, key = alice.rw) => world.get(`${PREFIX}/${name}`, key)
const patch = (name: string, body?: unknown, request: Request = { key: alice.rw }) =>
  world.send('PATCH', `${PREFIX}/${name}`, { ...request, body })

/** The settings of docs/runs.md, none at its default. */
const RUNS = {
  start_within: 60,
  max_duration: 14_400,
  min_duration: 5,
  track_runs: 'each',
  failures_to_alert: 3,
  failure_window: 10,
  tolerated: ['failed', 'missed'],
  successes_to_recover: 2,
  success_exit_codes: '0,3,100-110',
  early: 90,
}

function assertProblem(reply: Reply, status: number, detail?: string) {
  assert.equal(reply.status, status, reply.text)
  assert.equal(reply.headers.get('Content-Type'), 'application/problem+json')
  assert.equal(reply.json.status, status)
  assert.equal(reply.json.type, 'about:blank')
  assert.equal(typeof reply.json.title, 'string')
  if (detail !== undefined) assert.equal(reply.json.detail, detail)
}

test('a check is shown with every setting of the table, and its state', async () => {
  const { uuid, badge_url, ping_url } = await world.check(alice, { name: 'n', tags: ' a  b ', timeout: 120 })
  const { status, json, headers } = await get(uuid)
  assert.equal(status, 200)
  assert.equal(headers.get('Content-Type'), 'application/json')
  for (const { key } of NATIVE_FIELDS) assert.ok(key in json, key)
  const { name, tags, kind, period, schedule, tz, grace, tolerated, failing, channels } = json
  assert.deepEqual(
    [name, tags, kind, period, schedule, tz, grace],
    ['n', ['a', 'b'], 'simple', 120, null, null, 3_600],
  )
  assert.deepEqual([tolerated, failing, channels], [['failed'], null, []])
  assert.deepEqual([json.uuid, json.status, json.n_pings, json.started], [uuid, 'new', 0, false])
  assert.deepEqual([json.last_ping, json.next_ping, json.last_duration], [null, null, null])
  assert.deepEqual([json.badge_url, json.ping_url], [badge_url, ping_url])
})

test('the settings of runs, tolerance and early pings are changed, and put back', async () => {
  const { uuid } = await world.check(alice, { schedule: '0 4 * * *', tz: 'Europe/Riga' })
  const before = (await get(uuid)).json
  const changed = await patch(uuid, RUNS)
  assert.equal(changed.status, 200)
  assert.deepEqual(changed.json, { ...before, ...RUNS })
  assert.deepEqual((await get(uuid)).json, changed.json)
  const defaults = Object.fromEntries(Object.keys(RUNS).map(key => [key, before[key]]))
  assert.deepEqual((await patch(uuid, defaults)).json, before)
})

test('every other setting is changed under its name, and what is not sent stays', async () => {
  const { uuid } = await world.check(alice, { slug: 'kept' })
  const asked = {
    name: 'n',
    tags: ['a', 'b'],
    desc: 'd',
    grace: 61,
    methods: 'POST',
    filter_http_body: true,
    failure_kw: 'error',
    filter_default_fail: true,
    manual_resume: true,
    schedule: '*/5 * * * *',
    tz: 'Europe/Riga',
  }
  const { json } = await patch(uuid, asked)
  const { slug, kind, period, ...rest } = json
  assert.deepEqual({ ...rest, ...asked }, rest)
  assert.deepEqual([slug, kind, period], ['kept', 'cron', null])
  const simple = (await patch(uuid, { period: 60 })).json
  assert.deepEqual([simple.kind, simple.period, simple.schedule, simple.tz], ['simple', 60, null, null])
  assert.deepEqual((await patch(uuid)).json, simple)
})

test('the channels of a check are set by their UUIDs', async () => {
  const make = ({ projectId }: { projectId: number }) =>
    world.store.channels.create({
      projectId,
      name: 'hook',
      kind: 'webhook',
      settings: {},
      members: [],
      now: clock.now(),
    })
  const [own, his] = [await make(alice), await make(charlie)]
  const { uuid } = await world.check(alice)
  assert.deepEqual((await patch(uuid, { channels: [own.uuid] })).json.channels, [own.uuid])
  const refused = await patch(uuid, { channels: [his.uuid], name: 'other' })
  assertProblem(refused, 422)
  assert.equal(refused.json.errors[0].pointer, '/channels')
  assert.deepEqual((await get(uuid)).json.channels, [own.uuid])
  assert.equal((await get(uuid)).json.name, '')
  assert.deepEqual((await patch(uuid, { channels: [] })).json.channels, [])
})

test('a check that is failing says how far, and is down at the last failure', async () => {
  const check = await world.check(alice)
  await patch(check.uuid, { failures_to_alert: 3 })
  const since = new Date(clock.now()).toISOString().replace(/\.\d+Z/, '+00:00')
  await world.ping(check, '/fail')
  assert.deepEqual((await get(check.uuid)).json.failing, { count: 1, of: 3, since })
  clock.advance(60)
  await world.ping(check, '/fail')
  const { failing, status } = (await get(check.uuid, alice.ro)).json
  assert.deepEqual([failing, status], [{ count: 2, of: 3, since }, 'up'])
  await world.ping(check, '/fail')
  const down = (await get(check.uuid)).json
  assert.deepEqual([down.failing, down.status], [null, 'down'])
})

test('a read-only key reads a check by its unique key and learns no UUID', async () => {
  const { uuid } = await world.check(alice, { name: 'seen' })
  const byUuid = await get(uuid, alice.ro)
  assert.equal(byUuid.status, 200)
  assert.ok(!byUuid.text.includes(uuid))
  const { unique_key } = byUuid.json
  assert.deepEqual((await get(unique_key, alice.ro)).json, byUuid.json)
  for (const hidden of ['uuid', 'ping_url', 'channels']) assert.ok(!(hidden in byUuid.json), hidden)
})

test('a read-only key changes nothing', async () => {
  const { uuid } = await world.check(alice, { name: 'before' })
  assertProblem(await patch(uuid, { name: 'after' }, { key: alice.ro }), 403, 'the API key is read-only')
  assert.equal((await get(uuid)).json.name, 'before')
  assert.equal(world.noted.at(-1)?.security, 'api-key-refused')
})

test('the key may come as a bearer token; X-Api-Key decides where it is sent', async () => {
  const { uuid } = await world.check(alice)
  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
  assert.equal((await patch(uuid, { name: 'b' }, bearer(alice.rw))).json.name, 'b')
  assertProblem(await patch(uuid, {}, bearer(alice.ro)), 403)
  assertProblem(await patch(uuid, {}, { ...bearer(alice.rw), key: 'x'.repeat(32) }), 401, 'wrong api key')
  for (const request of [{}, bearer(''), bearer('x'), { headers: { Authorization: `Basic ${alice.rw}` } }]) {
    const refused = await patch(uuid, { api_key: alice.rw }, request)
    assertProblem(refused, 401, 'missing api key')
    assert.equal(refused.headers.get('WWW-Authenticate'), 'Bearer')
  }
})

test('an outsider neither sees nor changes a check, and is told nothing of the request', async () => {
  const { uuid } = await world.check(alice, { name: 'before' })
  const { unique_key } = (await get(uuid, alice.ro)).json
  for (const key of [charlie.rw, charlie.ro]) {
    assertProblem(await get(uuid, key), 404)
    assertProblem(await get(unique_key, key), 404)
  }
  for (const body of [{ name: 'his' }, { nonsense: 1 }])
    assertProblem(await patch(uuid, body, { key: charlie.rw }), 404)
  assertProblem(await patch('00000000-0000-4000-8000-000000000000', {}), 404)
  assert.equal((await get(uuid)).json.name, 'before')
})

test('everything that is wrong is named by field, and nothing is changed', async () => {
  const { uuid } = await world.check(alice, { name: 'before' })
  const before = (await get(uuid)).json
  const reply = await patch(uuid, {
    name: 'after',
    max_duration: 0,
    min_duration: 1.5,
    start_within: '60',
    failures_to_alert: null,
    track_runs: 'all',
    tolerated: ['late'],
    tags: ['two words'],
    success_exit_codes: '256',
    early: 86_401,
    status: 'up',
    uuid,
    'a/b~c': 1,
  })
  assertProblem(reply, 422)
  const pointers = reply.json.errors.map(({ pointer }: { pointer: string }) => pointer)
  assert.deepEqual(
    pointers.sort(),
    [
      ...[
        '/max_duration',
        '/min_duration',
        '/start_within',
        '/failures_to_alert',
        '/track_runs',
        '/tolerated/0',
      ],
      ...['/tags/0', '/success_exit_codes', '/early', '/status', '/uuid', '/a~1b~0c'],
    ].sort(),
  )
  assert.deepEqual((await get(uuid)).json, before)
})

test('rules that cannot be meant are refused as in the form, with what is stored in mind', async () => {
  const { uuid } = await world.check(alice)
  await patch(uuid, { max_duration: 60, tolerated: [] })
  const before = (await get(uuid)).json
  const wrong: [object, string, string][] = [
    [{ failures_to_alert: 3 }, '/failures_to_alert', 'Choose which failures to count, or enter 1.'],
    [{ min_duration: 60 }, '/min_duration', 'The shortest run must be shorter than the longest, 1 minute.'],
  ]
  for (const [body, pointer, detail] of wrong) {
    const reply = await patch(uuid, { name: 'after', ...body })
    assertProblem(reply, 422)
    assert.deepEqual(reply.json.errors, [{ detail, pointer }])
  }
  assert.deepEqual((await get(uuid)).json, before)
  assert.equal((await patch(uuid, { failures_to_alert: 3, tolerated: ['missed'] })).status, 200)
})

test('rules from before that cannot be meant do not stand in the way of another change', async () => {
  const { uuid } = await world.check(alice)
  await world.raw(`UPDATE checks SET failures_to_alert = 3, tolerated = '' WHERE uuid = '${uuid}'`)
  assert.equal((await patch(uuid, { name: 'after' })).status, 200)
  assertProblem(await patch(uuid, { failures_to_alert: 4 }), 422)
})

test('a period and a schedule in one request are refused', async () => {
  const { uuid } = await world.check(alice)
  const reply = await patch(uuid, { period: 60, schedule: '* * * * *' })
  assertProblem(reply, 422)
  assert.equal(reply.json.errors[0].pointer, '/period')
})

test('rubbish is answered with a problem, never with a failure of the server', async () => {
  const { uuid } = await world.check(alice)
  const unreadable = ['{', '[]', 'null', '1', '"x"', '\u00ff', '['.repeat(100), new Uint8Array([0xff, 0xfe])]
  for (const body of unreadable) assertProblem(await patch(uuid, body), 400)
  const wrong = [
    '{"\\ud800": 1}',
    '{"__proto__": {}}',
    '{"constructor": 1}',
    '{"name": "\\u0000"}',
    '{"tags": "a"}',
  ]
  wrong.push(
    `{"tags": [${Array(501).fill('"a"')}]}`,
    '{"channels": [""]}',
    '{"channels": "*"}',
    '{"timeout": 60}',
  )
  for (const body of wrong) assertProblem(await patch(uuid, body), 422)
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`x${i}`, i]))
  assert.ok((await patch(uuid, many)).text.length < 10_000)
})

test('unknown paths and methods are answered with a problem', async () => {
  const { uuid } = await world.check(alice)
  for (const path of ['', '/', '/nothing', `/checks/${uuid.toUpperCase()}`, `/checks/${uuid}/nothing`]) {
    assertProblem(await world.get(`/api/punctual/v1${path}`, alice.rw), 404)
  }
  for (const method of ['POST', 'PUT', 'OPTIONS']) {
    const reply = await world.send(method, `${PREFIX}/${uuid}`, { key: alice.rw })
    assertProblem(reply, 405)
    assert.equal(reply.headers.get('Allow'), 'GET, PATCH, DELETE')
  }
})
