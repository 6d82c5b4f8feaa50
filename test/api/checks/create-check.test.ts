import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld({ store: { checkLimit: 1000 } })
const { alice, charlie } = world
const create = (body: unknown, key = alice.rw, version = 3) =>
  world.send('POST', `/api/v${version}/checks/`, { key, body })

test('an empty request makes a nameless simple check with the defaults', async () => {
  const { status, json, headers } = await create({})
  assert.equal(status, 201)
  assert.equal(headers.get('content-type'), 'application/json')
  const { uuid, badge_url, ...rest } = json
  assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.match(badge_url, /^http:\/\/localhost:8000\/b\/2\/[0-9a-f-]{36}\.svg$/)
  assert.ok(!badge_url.includes(uuid))
  assert.deepEqual(rest, {
    name: '',
    slug: '',
    tags: '',
    desc: '',
    grace: 3600,
    n_pings: 0,
    status: 'new',
    started: false,
    last_ping: null,
    next_ping: null,
    manual_resume: false,
    methods: '',
    subject: '',
    subject_fail: '',
    start_kw: '',
    success_kw: '',
    failure_kw: '',
    filter_subject: false,
    filter_body: false,
    filter_http_body: false,
    filter_default_fail: false,
    ping_url: `http://localhost:8000/ping/${uuid}`,
    update_url: `http://localhost:8000/api/v3/checks/${uuid}`,
    pause_url: `http://localhost:8000/api/v3/checks/${uuid}/pause`,
    resume_url: `http://localhost:8000/api/v3/checks/${uuid}/resume`,
    channels: '',
    timeout: 86400,
  })
})

test('the keys of a check come in the documented order', async () => {
  const { json } = await create({})
  assert.equal(
    Object.keys(json).join(' '),
    'name slug tags desc grace n_pings status started last_ping next_ping manual_resume methods subject ' +
      'subject_fail start_kw success_kw failure_kw filter_subject filter_body filter_http_body ' +
      'filter_default_fail badge_url uuid ping_url update_url pause_url resume_url channels timeout',
  )
})

test('a body that is empty counts as an empty object', async () => {
  assert.equal((await create(undefined)).status, 201)
})

test('every field that is sent is stored and shown', async () => {
  const fields = {
    name: 'Nightly backup',
    slug: 'nightly-backup_1',
    tags: 'prod db',
    desc: 'Dumps everything',
    timeout: 3600,
    grace: 60,
    manual_resume: true,
    methods: 'POST',
    start_kw: 'BEGIN',
    success_kw: 'DONE,FINISHED',
    failure_kw: 'ERROR',
    filter_subject: true,
    filter_body: true,
    filter_http_body: true,
    filter_default_fail: true,
  }
  const { json } = await create(fields)
  for (const [name, value] of Object.entries(fields)) assert.equal(json[name], value, name)
  const again = await world.get(`/api/v3/checks/${json.uuid}`, alice.rw)
  assert.deepEqual(again.json, json)
})

test('a cron expression makes a cron check, kept exactly as it was sent', async () => {
  const { json } = await create({ schedule: ' 5  4 * * * ', tz: 'Europe/Riga' })
  assert.equal(json.schedule, ' 5  4 * * * ')
  assert.equal(json.tz, 'Europe/Riga')
  assert.ok(!('timeout' in json))
  assert.deepEqual(Object.keys(json).slice(-2), ['schedule', 'tz'])
})

test('an OnCalendar expression makes an OnCalendar check in UTC', async () => {
  const { json } = await create({ schedule: 'Mon..Fri 12:00' })
  assert.equal(json.schedule, 'Mon..Fri 12:00')
  assert.equal(json.tz, 'UTC')
})

test('with a schedule and a timeout the schedule wins and the timeout is not kept', async () => {
  const { json } = await create({ schedule: '* * * * *', timeout: 120 })
  assert.equal(json.schedule, '* * * * *')
  const simple = await world.post(`/api/v3/checks/${json.uuid}`, alice.rw, { timeout: 60 })
  assert.equal(simple.json.timeout, 60)
  const unique = await create({ schedule: '0 0 * * *', name: 'keeps default', timeout: 120 })
  const known = await create({ name: 'keeps default', timeout: 86400, unique: ['name', 'timeout'] })
  assert.equal(known.json.uuid, unique.json.uuid)
})

test('a time zone without a schedule is kept but not shown', async () => {
  const { json } = await create({ tz: 'Europe/Riga' })
  assert.ok(!('tz' in json))
  const cron = await world.post(`/api/v3/checks/${json.uuid}`, alice.rw, { schedule: '* * * * *' })
  assert.equal(cron.json.tz, 'Europe/Riga')
})

test('a legacy zone name is rewritten to the canonical one', async () => {
  const { json } = await create({ schedule: '* * * * *', tz: 'Europe/Kiev' })
  assert.equal(json.tz, 'Europe/Kyiv')
})

test('subject and subject_fail stand for keywords looked for in the subject', async () => {
  const { json } = await create({ subject: 'OK,DONE', subject_fail: 'ERROR' })
  assert.equal(json.subject, 'OK,DONE')
  assert.equal(json.subject_fail, 'ERROR')
  assert.equal(json.success_kw, 'OK,DONE')
  assert.equal(json.failure_kw, 'ERROR')
  assert.equal(json.filter_subject, true)
})

test('success_kw and filter_subject in the same request win over subject', async () => {
  const { json } = await create({ subject: 'OK', success_kw: 'FINE', filter_subject: false })
  assert.equal(json.success_kw, 'FINE')
  assert.equal(json.filter_subject, false)
  assert.equal(json.subject, '')
})

test('an empty subject turns the subject filter off', async () => {
  const { json } = await create({ subject: 'OK' })
  const { json: after } = await world.post(`/api/v3/checks/${json.uuid}`, alice.rw, { subject: '' })
  assert.equal(after.filter_subject, false)
  assert.equal(after.success_kw, '')
})

test('versions 1 and 2 make a slug of the name unless one is sent, version 3 never does', async () => {
  const name = 'Foo Bär & Co_x'
  for (const version of [1, 2]) {
    assert.equal((await create({ name }, alice.rw, version)).json.slug, 'foo-bar-co_x')
    assert.equal((await create({ name, slug: 'own' }, alice.rw, version)).json.slug, 'own')
  }
  assert.equal((await create({ name })).json.slug, '')
})

test('the addresses in the answer carry the version of the request', async () => {
  const { json } = await create({}, alice.rw, 1)
  assert.equal(json.update_url, `http://localhost:8000/api/v1/checks/${json.uuid}`)
})

test('the answer escapes what is not ASCII and separates with a blank', async () => {
  const { text } = await create({ name: 'Ä 💾\u007f"\\\n' })
  assert.ok(text.startsWith('{"name": "\\u00c4 \\ud83d\\udcbe\\u007f\\"\\\\\\n", "slug": "", '))
})

test('unknown keys, known read-only keys and the key itself are ignored', async () => {
  const body = { uuid: 'x', status: 'down', n_pings: 5, surprise: null, api_key: alice.rw }
  const { status, json } = await create(body)
  assert.equal(status, 201)
  assert.equal(json.n_pings, 0)
})

test('the account’s limit refuses one more check with 403', async () => {
  const small = await openWorld({ store: { checkLimit: 2 } })
  const create = (body: unknown) => small.send('POST', '/api/v3/checks/', { key: small.alice.rw, body })
  await create({ name: 'a' })
  await create({ name: 'b' })
  const refused = await create({ name: 'c' })
  assert.equal(refused.status, 403)
  assert.equal(refused.json.error, 'the account has reached its limit of 2 checks')
  // What is wrong with the request is told first, a matching upsert makes none, and Charlie has his own limit.
  assert.equal((await create({ name: 1 })).status, 400)
  assert.equal((await create({ channels: 'nobody' })).status, 403)
  assert.equal((await create({ name: 'a', unique: ['name'] })).status, 200)
  const own = await small.send('POST', '/api/v3/checks/', { key: small.charlie.rw, body: {} })
  assert.equal(own.status, 201)
})

test('a deleted check makes room under the limit', async () => {
  const small = await openWorld({ store: { checkLimit: 1 } })
  const check = await small.check(small.alice)
  await small.send('DELETE', `/api/v3/checks/${check.uuid}`, { key: small.alice.rw })
  await small.check(small.alice)
})

test('Charlie’s key makes checks in Charlie’s project only', async () => {
  const { json } = await create({ name: 'his' }, charlie.rw)
  const { json: hers } = await world.get('/api/v3/checks/', alice.rw)
  assert.ok(hers.checks.every((check: { uuid: string }) => check.uuid !== json.uuid))
})
