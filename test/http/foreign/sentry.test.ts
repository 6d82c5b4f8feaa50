/** Sentry Crons: check-ins by HTTP and in envelopes become pings. See docs/coming-from-sentry.md. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { type Account, openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, store, clock } = world
await store.projects.setProtocols(alice.projectId, ['sentry'], clock.now())

const CHECK_IN = 'a460c25ff2554577b920fcfacae4e5eb'
const RUN = 'a460c25f-f255-4577-b920-fcfacae4e5eb'
const CONFIG = {
  schedule: { type: 'crontab', value: '5 * * * *' },
  checkin_margin: 5,
  max_runtime: 10,
  timezone: 'America/Los_Angeles',
}

const cron = (slug: string, query: string, key = alice.pingKey) =>
  world.get(`/api/42/cron/${slug}/${key}/?${query}`)

const cronJson = (slug: string, body: unknown) =>
  world.send('POST', `/api/42/cron/${slug}/${alice.pingKey}/`, {
    headers: { 'Content-Type': 'application/json' },
    body,
  })

function envelope(...checkIns: object[]): string {
  const items = checkIns.map(one => {
    const payload = JSON.stringify(one)
    return `{"type":"check_in","length":${Buffer.byteLength(payload)}}\n${payload}\n`
  })
  return `{"sent_at":"2026-01-01T00:00:00Z"}\n${items.join('')}`
}

const sendEnvelope = (body: unknown, headers: Record<string, string> = {}, key = alice.pingKey) =>
  world.send('POST', `/api/42/envelope/?sentry_version=7&sentry_key=${key}`, { headers, body })

async function named(slug: string, owner: Account = alice) {
  const { json } = await world.get(`/api/punctual/v1/checks?slug=${slug}`, owner.rw)
  return json.items[0]
}

/** The changes of the check with this slug, as events. */
async function changesOf(slug: string) {
  const rows = await world.raw(
    `SELECT type FROM events WHERE object_name = '${slug}' AND type IN ('check.created', 'check.updated') ORDER BY id`,
  )
  return rows.map(({ type }) => type)
}

const pingsOf = async (uuid: string) =>
  (await world.get(`/api/v3/checks/${uuid}/pings/`, alice.rw)).json.pings.map(
    ({ type, rid }: { type: string; rid: string | null }) => [type, rid ?? null],
  )

test('the three check-ins by HTTP start, end and fail a run', async () => {
  const { uuid } = await world.check(alice, { slug: 'nightly' })
  for (const status of ['in_progress', 'ok', 'error']) {
    const answer = await cron('nightly', `status=${status}&check_in_id=${CHECK_IN}`)
    assert.deepEqual([answer.status, answer.text], [202, ''])
  }
  assert.deepEqual(await pingsOf(uuid), [
    ['fail', RUN],
    ['success', RUN],
    ['start', RUN],
  ])
})

test('a check-in without an ID, or with one of zeros, is about the run under way', async () => {
  const { uuid } = await world.check(alice, { slug: 'latest' })
  await cron('latest', 'status=in_progress')
  await cron('latest', `status=ok&check_in_id=${'0'.repeat(32)}&duration=1.5`)
  assert.deepEqual(await pingsOf(uuid), [
    ['success', null],
    ['start', null],
  ])
})

test('a monitor_config makes the check, with every channel of the project', async () => {
  const answer = await cronJson('fresh', { status: 'ok', monitor_config: CONFIG })
  assert.equal(answer.status, 202)
  const check = await named('fresh')
  assert.deepEqual(
    [check.name, check.schedule, check.tz, check.start_within, check.max_duration, check.track_runs],
    ['fresh', '5 * * * *', 'America/Los_Angeles', 300, 600, 'each'],
  )
  assert.deepEqual([check.status, check.n_pings, check.failures_to_alert], ['up', 1, 1])
})

test('a monitor_config changes the check, but not its name', async () => {
  await world.check(alice, { slug: 'known', name: 'My job', grace: 120 })
  const monitor_config = {
    schedule: { type: 'interval', value: 2, unit: 'hour' },
    failure_issue_threshold: 3,
    recovery_threshold: 2,
  }
  assert.equal(
    (await sendEnvelope(envelope({ monitor_slug: 'known', status: 'ok', monitor_config }))).status,
    200,
  )
  const check = await named('known')
  assert.deepEqual(
    [check.name, check.kind, check.period, check.grace, check.start_within, check.max_duration],
    ['My job', 'simple', 7200, 120, 60, 1800],
  )
  assert.deepEqual([check.failures_to_alert, check.successes_to_recover], [3, 2])
})

test('the same monitor_config with every check-in changes the check once', async () => {
  for (const status of ['in_progress', 'ok', 'in_progress', 'ok']) {
    await cronJson('steady', { status, monitor_config: CONFIG })
  }
  assert.deepEqual(await changesOf('steady'), ['check.created'])
  await cronJson('steady', { status: 'ok', monitor_config: { ...CONFIG, max_runtime: 11 } })
  assert.deepEqual(await changesOf('steady'), ['check.created', 'check.updated'])
})

test('first check-ins at once make one check', async () => {
  const bodies = ['in_progress', 'ok', 'ok', 'ok'].map(status => ({ status, monitor_config: CONFIG }))
  const answers = await Promise.all(bodies.map(body => cronJson('race', body)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202, 202],
  )
  assert.equal((await named('race')).n_pings, 4)
})

test('the end of a first run may arrive before its beginning, which makes the check', async () => {
  const end = sendEnvelope(envelope({ monitor_slug: 'swift', status: 'ok', check_in_id: RUN }))
  const start = { monitor_slug: 'swift', status: 'in_progress', check_in_id: RUN, monitor_config: CONFIG }
  const answers = [await sendEnvelope(envelope(start)), await end]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  const check = await named('swift')
  assert.deepEqual([check.status, check.started, check.n_pings], ['up', false, 2])
})

test('an envelope of several items is read, compressed or not, and other items are dropped', async () => {
  const { uuid } = await world.check(alice, { slug: 'packed' })
  const body =
    `{"dsn":"https://${alice.pingKey}@localhost/1"}\n{"type":"session"}\n{"n":"\\n"}\n` +
    envelope({ monitor_slug: 'packed', status: 'ok', check_in_id: RUN }).split('\n').slice(1).join('\n')
  for (const [encoding, packed] of [
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
  ] as const) {
    const answer = await sendEnvelope(packed, { 'Content-Encoding': encoding })
    assert.deepEqual([answer.status, answer.json], [200, {}])
  }
  const byDsn = await world.send('POST', '/api/42/envelope/', { body })
  const byHeader = await world.send('POST', '/api/42/envelope/', {
    body,
    headers: { 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${alice.pingKey}, sentry_client=x/1` },
  })
  assert.deepEqual([byDsn.status, byHeader.status, (await pingsOf(uuid)).length], [200, 200, 5])
})

test('an environment other than production has a check of its own', async () => {
  const sent = { monitor_slug: 'shop', status: 'ok', monitor_config: CONFIG }
  await sendEnvelope(envelope({ ...sent, environment: 'production' }, { ...sent, environment: 'Staging EU' }))
  assert.equal((await named('shop')).n_pings, 1)
  assert.equal((await named('shop-staging-eu')).n_pings, 1)
})

test('a project that does not accept the protocol, and an unknown key, are refused alike', async () => {
  await world.check(charlie, { slug: 'secret' })
  const refused = await cron('secret', 'status=ok', charlie.pingKey)
  const unknown = await cron('secret', 'status=ok', 'nobody')
  assert.deepEqual([refused.status, refused.text], [unknown.status, unknown.text])
  assert.equal(refused.status, 403)
  // Alice's key says nothing about Charlie's checks.
  assert.equal((await cron('secret', 'status=ok')).status, 404)
  assert.equal((await named('secret', charlie)).n_pings, 0)
})

test('a slug that two checks have is refused', async () => {
  await world.check(alice, { slug: 'twice' })
  await world.check(alice, { slug: 'twice' })
  assert.equal((await cronJson('twice', { status: 'ok', monitor_config: CONFIG })).status, 409)
})

const LARGE = `{"dsn":"https://${alice.pingKey}@localhost/1"}\n{"type":"event"}\n"${'x'.repeat(65_536)}"\n`

const sendKeyless = (body: Uint8Array) =>
  world.send('POST', '/api/42/envelope/', { body, headers: { 'Content-Encoding': 'gzip' } })

test('a large envelope is read if its key is in the request', async () => {
  assert.equal((await sendEnvelope(gzipSync(LARGE), { 'Content-Encoding': 'gzip' })).status, 200)
})

for (const path of ['/api/42/envelope/?sentry_key=nobody', '/api/42/cron/nightly/nobody/']) {
  test(`with an unknown key the body of ${path} is not read`, async () => {
    const sent = request(world.root + path, { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } })
    const answered = once(sent, 'response')
    // It has no end.
    sent.write('{}')
    const [answer] = await answered
    assert.equal(answer.statusCode, 403)
    sent.destroy()
  })
}

const RUBBISH: [string, number, () => Promise<{ status: number; text: string }>][] = [
  ['no status', 400, () => cron('nightly', '')],
  ['an unknown status', 400, () => cron('nightly', 'status=missed')],
  ['an ID that is none', 400, () => cron('nightly', 'status=ok&check_in_id=1')],
  ['a slug of signs', 400, () => cron('%21%21', 'status=ok')],
  ['a slug that cannot be decoded', 400, () => cron('%ff', 'status=ok')],
  ['a slug with a NUL', 404, () => cron('a%00b', 'status=ok')],
  ['a key with a NUL', 403, () => cron('nightly', 'status=ok', '%00')],
  ['no JSON', 400, () => cronJson('nightly', '{')],
  ['a config that is none', 400, () => cronJson('nightly', { status: 'ok', monitor_config: 7 })],
  [
    'a schedule that never fires',
    400,
    () => configured({ schedule: { type: 'crontab', value: '0 0 31 2 *' } }),
  ],
  ['a schedule that is none', 400, () => configured({ schedule: { type: 'crontab', value: 'often' } })],
  ['an unknown zone', 400, () => configured({ ...CONFIG, timezone: 'Mars/Base' })],
  ['an interval of 0', 400, () => configured({ schedule: { type: 'interval', value: 0, unit: 'day' } })],
  ['an unknown unit', 400, () => configured({ schedule: { type: 'interval', value: 1, unit: 'eon' } })],
  ['an empty envelope', 400, () => sendEnvelope('')],
  ['an envelope of rubbish', 400, () => sendEnvelope(new Uint8Array([0, 255, 10, 1]))],
  ['an item that ends early', 400, () => sendEnvelope('{}\n{"type":"check_in","length":99}\n{}')],
  ['a false encoding', 400, () => sendEnvelope('{}', { 'Content-Encoding': 'gzip' })],
  ['an unknown encoding', 400, () => sendEnvelope('{}', { 'Content-Encoding': 'toString' })],
  ['a bomb', 400, () => sendEnvelope(gzipSync(new Uint8Array(5_000_000)), { 'Content-Encoding': 'gzip' })],
  ['an envelope of empty lines', 400, () => sendEnvelope(`{}${'\n'.repeat(100_000)}`)],
  ['a large envelope without a key in the request', 400, () => sendKeyless(gzipSync(LARGE))],
  ['an envelope without a key', 403, () => sendKeyless(gzipSync('{}\n'))],
  ['a method of neither', 405, () => world.send('PUT', `/api/42/cron/nightly/${alice.pingKey}/`)],
]

const configured = (monitor_config: object) => cronJson('nightly', { status: 'ok', monitor_config })

for (const [what, status, send] of RUBBISH) {
  test(`${what} is refused with ${status}, and nothing is recorded`, async () => {
    const before = (await named('nightly')).n_pings
    const answer = await send()
    assert.equal(answer.status, status, answer.text)
    assert.equal((await named('nightly')).n_pings, before)
  })
}

test('the API that Healthchecks has is where it was', async () => {
  assert.equal((await world.get('/api/v3/checks/', alice.rw)).status, 200)
  assert.equal((await world.get('/api/42/store/')).status, 404)
})
