/** Senders who are unknown wait for each other, and nobody else waits for them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as openRequest } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { PingQueue } from '../../src/actions/pings/record-pings.js'
import { AnonymousPace } from '../../src/http/anonymous-pace.js'
import { networkOf } from '../../src/http/client.js'
import { TooManyRequests } from '../../src/http/errors.js'
import { openWorld } from '../_support/worlds/world.js'
import { wrapStore } from '../_support/wrap-store.js'

/** A pace at a time that stands still, and the time that each request had to wait. */
function paceOf(rate: number | null) {
  const state = { now: 0, waits: [] as number[] }
  const config = { TRUSTED_PROXIES: ['10.0.0.1'] }
  const wait = async (ms: number) => void state.waits.push(Math.round(ms))
  const pace = new AnonymousPace(
    rate,
    request => networkOf(config, request),
    () => state.now,
    wait,
  )
  const request = (address: string, more = {}) =>
    ({
      socket: { remoteAddress: '10.0.0.1' },
      headers: { 'x-forwarded-for': address, ...more },
    }) as unknown as IncomingMessage
  const turns = async (count: number, address = '192.0.2.1', more = {}) => {
    const before = state.waits.length
    let refused = 0
    for (let n = 0; n < count; n++) {
      await pace.turn(request(address, more)).catch(error => {
        assert.ok(error instanceof TooManyRequests)
        refused++
      })
    }
    return { waits: state.waits.slice(before), refused }
  }
  return { pace, state, request, turns }
}

test('twenty requests go at once, the next ones follow at the rate, and those that would wait over two seconds are refused', async () => {
  const { state, turns } = paceOf(50)
  assert.deepEqual(await turns(23), { waits: [20, 40, 60], refused: 0 })
  const { waits, refused } = await turns(100)
  assert.deepEqual([waits.length, waits.at(-4), refused], [100, 2_000, 3])
  const refusals = waits.slice(-3)
  assert.ok(refusals.every(ms => ms >= 2_000 && ms <= 4_000))
  assert.equal(new Set(refusals).size, 3, 'those who are refused together do not come back together')
  // After a second, as many places are free as the rate has in a second.
  state.now += 1_000
  assert.equal((await turns(60)).refused, 10)
  state.now += 10_000
  assert.deepEqual(await turns(20), { waits: [], refused: 0 })
})

test('each network has a pace of its own', async () => {
  const { turns } = paceOf(1)
  assert.equal((await turns(9)).refused, 6)
  assert.deepEqual(await turns(1, '192.0.2.2'), { waits: [], refused: 0 })
  assert.deepEqual(await turns(1, '2001:db8::1'), { waits: [], refused: 0 })
  assert.deepEqual(await turns(1, '2001:db8::2'), { waits: [1_000], refused: 0 })
  assert.deepEqual(await turns(1, '2001:db8:0:1::1'), { waits: [], refused: 0 })
})

test('a request counts once, and not if its sender is known after all', async () => {
  const { pace, request, turns } = paceOf(1)
  const one = request('192.0.2.1')
  await pace.turn(one)
  await pace.turn(one)
  assert.deepEqual((await turns(1)).waits, [1_000])
  pace.forgive(one)
  pace.forgive(one)
  assert.deepEqual((await turns(1)).waits, [1_000])
})

test('a body counts as one more request for each 64 kB, and for all that may be sent if its length is not known', async () => {
  const { state, turns } = paceOf(50)
  const after = async (headers: object) => {
    state.now += 60_000
    await turns(20)
    return (await turns(1, undefined, headers)).waits[0]! / 20
  }
  assert.equal(await after({}), 1)
  assert.equal(await after({ 'content-length': '65535' }), 1)
  assert.equal(await after({ 'content-length': '131072' }), 3)
  assert.equal(await after({ 'transfer-encoding': 'chunked' }), 41)
  assert.equal(await after({ 'content-length': '99999999999' }), 41)
})

test('with a slow rate a large body waits as long as any request may, and is not refused for good', async () => {
  const { turns } = paceOf(1)
  assert.deepEqual(await turns(1, undefined, { 'transfer-encoding': 'chunked' }), {
    waits: [2_000],
    refused: 0,
  })
})

test('without a rate nobody waits', async () => {
  assert.deepEqual(await paceOf(null).turns(5_000), { waits: [], refused: 0 })
})

const world = await openWorld({
  app: {
    ANONYMOUS_REQUESTS_PER_SECOND: 1,
    TRUSTED_PROXIES: ['127.0.0.1'],
    EMAIL_MAIL_FROM_TMPL: '%s@bounces.example.org',
    PROMETHEUS_ENABLED: true,
  },
})
const { alice, send } = world
const wrong = 'x'.repeat(32)
const json = { 'Content-Type': 'application/json' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

type Asked = { method?: string; path: string; key?: string; headers?: Record<string, string>; body?: unknown }

/** Sends the same requests at once from one address. Returns the answers. */
const fromOne = (address: string, count: number, { method = 'GET', path, key, headers, body }: Asked) => {
  const request = {
    headers: { 'X-Forwarded-For': address, ...headers },
    ...(key === undefined ? {} : { key }),
    ...(body === undefined ? {} : { body }),
  }
  return Promise.all(Array.from({ length: count }, () => send(method, path, request)))
}

const STRANGERS: Readonly<Record<string, Asked>> = {
  'without a key': { path: '/api/v3/checks/' },
  'with a wrong key': { path: '/api/v1/checks/', key: wrong },
  'with a wrong key in the body': { method: 'POST', path: '/api/v3/checks/', body: { api_key: wrong } },
  'with a body that is no JSON': { method: 'POST', path: '/api/v3/checks/', body: '{' },
  'with a large body and a wrong key': {
    method: 'POST',
    path: '/api/v3/checks/',
    key: wrong,
    body: 'x'.repeat(100_000),
  },
  'of a bounce': { method: 'POST', path: '/api/v3/bounces/', body: 'To: nobody' },
  'of the own API with a wrong key': { path: '/api/punctual/v1/checks', key: wrong },
  'of MCP with a wrong token': {
    method: 'POST',
    path: '/mcp',
    headers: { ...json, Authorization: 'Bearer pun_wrong' },
    body: {},
  },
  'of a wall with a wrong key': { path: '/tv/checks/', key: wrong },
  'of metrics with a wrong key': { path: `/projects/${alice.projectUuid}/metrics/${wrong}` },
  'of the document of an API': { path: '/api/v3/openapi.json' },
  'of the sign-in page': { path: '/accounts/login/' },
  'of a page with a wrong session': {
    path: '/accounts/login/',
    headers: { Cookie: `punctual_session=${wrong}` },
  },
  'of a page for people who are signed in': { path: '/' },
  'with a form': { method: 'POST', path: '/accounts/login/', headers: form, body: 'a=1' },
  'of a search': { path: '/docs/search/?q=cron' },
  'of a page that does not exist': { path: '/nothing/' },
  'of Sentry without a key': {
    method: 'POST',
    path: '/api/1/envelope/',
    headers: { 'Content-Encoding': 'gzip' },
    body: gzipSync('\n'.repeat(60_000)),
  },
  'of Sentry with a wrong key': { path: '/api/1/cron/nightly/nobody/?status=ok' },
  'of Cronitor with a wrong key': { path: '/p/nobody/nightly?state=complete' },
  'of Gatus with a wrong key': { method: 'POST', path: '/api/v1/endpoints/nightly/external?success=true' },
  'of Uptime Kuma with a wrong token': { path: '/api/push/nobody?status=up' },
}

test('unknown senders of every kind wait, and are refused when too many do', async t => {
  const kinds = Object.entries(STRANGERS).map(([name, asked], number) => ({ name, asked, number }))
  const answers = await Promise.all(kinds.map(kind => fromOne(`192.0.2.${kind.number}`, 12, kind.asked)))
  for (const { name, number } of kinds) {
    await t.test(`requests ${name}`, () => {
      const refused = answers[number]!.filter(({ status }) => status === 429)
      assert.ok(refused.length > 0 && refused.length < 12, `${refused.length} of 12 were refused`)
      for (const { headers } of refused) assert.equal(headers.get('Retry-After'), '2')
      if (name === 'of the sign-in page') {
        assert.match(refused[0]!.text, /Too many requests from your network: wait a moment and try again\./)
        assert.match(refused[0]!.text, /<h1[^>]*>Please wait<\/h1>/)
      }
      const answered = answers[number]!.filter(({ status }) => status !== 429)
      assert.equal(new Set(answered.map(({ status }) => status)).size, 1)
    })
  }
})

test('known callers, pings, badges and files do not wait for strangers at the same address', async () => {
  const check = await world.check(alice, { name: 'backup' })
  const { token } = await world.token({ projectId: alice.projectId, role: 'member' })
  const address = '198.51.100.1'
  const { badges } = (await world.get('/api/v3/badges/', alice.ro)).json
  const [signIn] = await fromOne('198.51.100.3', 1, { path: '/accounts/login/' })
  const file = /"(\/static\/[^"]+)"/.exec(signIn!.text)![1]!
  const strangers = fromOne(address, 50, { path: '/accounts/login/' })
  const known: Asked[] = [
    { path: '/api/v3/checks/', key: alice.rw },
    { method: 'POST', path: '/api/v3/checks/', key: alice.rw, body: { name: 'backup', unique: ['name'] } },
    {
      method: 'POST',
      path: '/api/v3/checks/',
      body: { api_key: alice.rw, name: 'backup', unique: ['name'], desc: 'x'.repeat(16_000) },
    },
    { path: `/api/punctual/v1/checks`, key: alice.ro },
    {
      path: `/api/punctual/v1/checks?project=${alice.projectUuid}`,
      headers: { Authorization: `Bearer ${token}` },
    },
    { path: '/tv/checks/', key: alice.ro },
    { path: `/ping/${check.uuid}` },
    { path: new URL(badges['*'].svg).pathname },
    { path: '/exec.sh' },
    { path: file },
  ]
  for (const asked of known) {
    const answers = await fromOne(address, 20, asked)
    const failed = answers.filter(({ status }) => status >= 300)
    assert.deepEqual(
      failed.map(({ status }) => status),
      [],
      asked.path,
    )
  }
  assert.ok((await strangers).some(({ status }) => status === 429))
})

test('a form that is refused because too many wait is not read', async () => {
  const address = '198.51.100.4'
  const strangers = Array.from({ length: 12 }, () => fromOne(address, 1, { path: '/accounts/login/' }))
  await Promise.race(strangers)
  const sent = openRequest(`${world.root}/accounts/login/`, {
    method: 'POST',
    headers: { ...form, 'X-Forwarded-For': address, 'Transfer-Encoding': 'chunked' },
  })
  const answered = once(sent, 'response')
  sent.write('email=alice%40example.org&a=')
  // The form has no end.
  const [answer] = await answered
  assert.equal(answer.statusCode, 429)
  sent.destroy()
  const refused = world.noted.filter(({ address: from }) => from === address)
  assert.ok(refused.some(({ request }) => request === 'POST /accounts/login/'))
  assert.ok(refused.every(({ account }) => account === undefined))
  await Promise.all(strangers)
})

test('keys in bodies do not count once they have proven to be right', async () => {
  const asked = {
    method: 'POST',
    path: '/api/v1/checks/',
    body: { api_key: alice.rw, name: 'import', unique: ['name'] },
  }
  for (let n = 0; n < 20; n++) {
    const [answer] = await fromOne('198.51.100.2', 1, asked)
    assert.ok(answer!.status < 300, `${n}: ${answer!.status} ${answer!.text}`)
  }
})

test('unknown senders of another monitor’s protocol wait whatever fails', async () => {
  const { store, clock } = world
  const unfit = Object.assign(new Error('invalid byte sequence'), { code: '22021' })
  const failing = wrapStore(
    store,
    (name, ask) =>
      (...args) =>
        name === 'projects.findByProtocol' ? Promise.reject(unfit) : ask(...args),
  )
  const pings = new PingQueue(failing, failing.changes, assert.fail, undefined, clock)
  const root = await world.serveOn(failing, pings)
  const headers = { 'X-Forwarded-For': '198.51.100.5' }
  const path = '/p/nobody/nightly?state=complete'
  const answers = await Promise.all(Array.from({ length: 12 }, () => send('GET', path, { root, headers })))
  const failed = answers.filter(({ status }) => status === 500)
  assert.ok(failed.length > 0 && failed.length < 12, `${failed.length} of 12 were answered`)
  assert.equal(answers.filter(({ status }) => status === 429).length, 12 - failed.length)
  assert.equal(world.bugs.splice(0).length, failed.length)
})
