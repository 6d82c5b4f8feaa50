import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld({ store: { pingLogLimit: 120 } })
const { alice, charlie } = world
const list = (uuid: string, key = alice.rw, version = 3) =>
  world.get(`/api/v${version}/checks/${uuid}/pings/`, key)
const pings = async (uuid: string) => (await list(uuid)).json.pings
const RID = '9c5a1bd1-6c1e-4d6c-8a4e-0f2b8c3d4e5f'

test('pings are listed newest first with everything that came with them', async () => {
  const check = await world.check(alice)
  await world.ping(check, `/start?rid=${RID}`, {
    headers: { 'User-Agent': 'curl/8', 'X-Forwarded-For': '2001:db8::1', 'X-Forwarded-Proto': 'https' },
  })
  world.clock.advance(12)
  await world.ping(check, `?rid=${RID}`, {
    method: 'POST',
    body: 'done',
    headers: { 'User-Agent': 'curl/8', 'X-Forwarded-For': '192.0.2.7' },
  })
  const { status, text } = await list(check.uuid)
  assert.equal(status, 200)
  assert.equal(
    text,
    '{"pings": [{"type": "success", "date": "2026-01-05T12:00:12+00:00", "n": 2, "scheme": "http", ' +
      '"remote_addr": "192.0.2.7", "method": "POST", "ua": "curl/8", ' +
      `"rid": "${RID}", "body_url": "http://localhost:8000/api/v3/checks/${check.uuid}/pings/2/body", ` +
      '"duration": 12.0}, {"type": "start", "date": "2026-01-05T12:00:00+00:00", "n": 1, "scheme": "https", ' +
      `"remote_addr": "2001:db8::1", "method": "GET", "ua": "curl/8", "rid": "${RID}", "body_url": null}]}`,
  )
})

test('every kind of ping is listed by its name', async () => {
  const check = await world.check(alice, { methods: 'POST' })
  await world.ping(check)
  for (const suffix of ['/log', '/start', '/7', '/fail', ''])
    await world.ping(check, suffix, { method: 'POST' })
  const types = (await pings(check.uuid)).map((ping: { type: string }) => ping.type)
  assert.deepEqual(types, ['success', 'fail', 'fail', 'start', 'log', 'ign'])
})

test('microseconds are written unless they are zero', async () => {
  const check = await world.check(alice)
  world.clock.advance(0.25)
  await world.ping(check)
  assert.match((await pings(check.uuid))[0].date, /\.250\d{3}\+00:00$/)
  world.clock.advance(0.75)
})

test('body addresses carry the version of the request', async () => {
  const check = await world.check(alice)
  await world.ping(check, '', { method: 'POST', body: 'x' })
  const { json } = await list(check.uuid, alice.rw, 2)
  assert.match(json.pings[0].body_url, /\/api\/v2\/checks\//)
})

/** Plays `[seconds before, suffix]` and returns the durations of the log, oldest first. */
async function durations(events: [number, string][]) {
  const check = await world.check(alice, { grace: 31_536_000 })
  for (const [seconds, suffix] of events) {
    world.clock.advance(seconds)
    await world.ping(check, suffix)
  }
  return (await pings(check.uuid)).map((ping: { duration?: number }) => ping.duration).reverse()
}

const HOUR = 3600
const rid = (run: number) => `?rid=${RID.slice(0, -2)}${10 + run}`
const PLAYS: [name: string, events: [number, string][], durations: (number | undefined)[]][] = [
  [
    'a success and a failure end a run',
    [
      [0, '/start'],
      [5, ''],
      [0, '/start'],
      [7, '/fail'],
    ],
    [undefined, 5, undefined, 7],
  ],
  [
    'a run ends once',
    [
      [0, '/start'],
      [5, ''],
      [5, ''],
    ],
    [undefined, 5, undefined],
  ],
  [
    'the nearest start counts',
    [
      [0, '/start'],
      [5, '/start'],
      [5, ''],
    ],
    [undefined, undefined, 5],
  ],
  [
    'log entries lie between without effect',
    [
      [0, '/start'],
      [1, '/log'],
      [1, ''],
    ],
    [undefined, undefined, 2],
  ],
  [
    'runs are told apart by their run ids',
    [
      [0, `/start${rid(1)}`],
      [1, `/start${rid(2)}`],
      [1, rid(1)],
      [1, rid(2)],
      [1, ''],
    ],
    [undefined, undefined, 2, 2, undefined],
  ],
  [
    'a run of just under 72 hours has a duration',
    [
      [0, '/start'],
      [72 * HOUR - 1, ''],
    ],
    [undefined, 72 * HOUR - 1],
  ],
  [
    'a run of 72 hours has none',
    [
      [0, '/start'],
      [72 * HOUR, ''],
    ],
    [undefined, undefined],
  ],
  [
    'durations have two decimals, ties to even',
    [
      [0, '/start'],
      [0.125, ''],
      [0, '/start'],
      [0.375, ''],
    ],
    [undefined, 0.12, undefined, 0.38],
  ],
]
for (const [name, events, expected] of PLAYS) {
  test(`durations: ${name}`, async () => assert.deepEqual(await durations(events), expected))
}

test('durations are found where more than ten starts lie just before the listing', async () => {
  const check = await world.check(alice, { grace: 31_536_000 })
  for (let run = 0; run < 12; run++) await world.ping(check, `/start${rid(run)}`)
  for (let n = 0; n < 110; n++) await world.ping(check, '/log')
  world.clock.advance(30)
  for (let run = 0; run < 12; run++) await world.ping(check, rid(run))
  const listed = await pings(check.uuid)
  assert.equal(listed.length, 120)
  const found = listed.slice(0, 12).map((ping: { duration?: number }) => ping.duration)
  assert.deepEqual(
    found,
    Array.from({ length: 12 }, () => 30),
  )
})

test('at most PING_LOG_LIMIT pings are listed, and parameters are ignored', async () => {
  const check = await world.check(alice)
  for (let n = 0; n < 130; n++) await world.ping(check, '/log')
  const { json } = await world.get(`/api/v3/checks/${check.uuid}/pings/?limit=1&skip=5`, alice.rw)
  assert.deepEqual([json.pings.length, json.pings[0].n, json.pings.at(-1).n], [120, 130, 11])
})

test('a check without pings lists none', async () => {
  const check = await world.check(alice)
  assert.equal((await list(check.uuid)).text, '{"pings": []}')
})

test('an unknown check is 404, another project’s 403, a read-only key 401, a unique key 404', async () => {
  const his = await world.check(charlie)
  assert.equal((await list('00000000-0000-4000-8000-000000000000')).status, 404)
  assert.equal((await list(his.uuid)).status, 403)
  assert.equal((await list(his.uuid, charlie.ro)).status, 401)
  const { unique_key } = (await world.get(`/api/v3/checks/${his.uuid}`, charlie.ro)).json
  assert.equal((await list(unique_key, charlie.rw)).status, 404)
})

test('a log asked for again is the log as it then is', async () => {
  const check = await world.check(alice)
  const ns = async (version = 3) =>
    (await list(check.uuid, alice.rw, version)).json.pings.map((ping: { n: number }) => ping.n)
  assert.deepEqual(await ns(), [])
  await world.ping(check)
  await world.ping(check, '', { method: 'POST', body: 'done' })
  const [first, again] = [await list(check.uuid), await list(check.uuid)]
  assert.equal(again.text, first.text)
  assert.match((await list(check.uuid, alice.rw, 1)).text, /api\/v1\/checks/)
  await world.ping(check)
  assert.deepEqual(await ns(), [3, 2, 1])
  await world.store.pings.clearEvents(alice.projectId, check.uuid, world.clock.now())
  assert.deepEqual(await ns(), [])
  for (let ping = 0; ping < 3; ping++) await world.ping(check)
  assert.deepEqual(await ns(), [6, 5, 4])
})
