/** The canary's request, and who can answer it. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { requestCanary } from '../../src/actions/instance/request-canary.js'
import { PingQueue } from '../../src/actions/pings/record-pings.js'
import { createHttpServer } from '../../src/http/server.js'
import { isPublicAddress } from '../../src/lib/http/public-address.js'
import { createSafeFetch } from '../../src/lib/http/safe-fetch.js'
import { canaryAnswer } from '../../src/lib/secrets/canary-path.js'
import { newToken } from '../../src/lib/secrets/secrets.js'
import { pingStore } from '../_support/ping-store.js'

const OWN_KEY = newToken()
const fetch = createSafeFetch({ permits: isPublicAddress, userAgent: 'Punctual tests', totalMs: 60_000 })

const portOf = async (t: TestContext, server: ReturnType<typeof createServer>) => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A process of an installation with this key; a ping that reaches its queue fails the test. */
async function openProcess(t: TestContext, key = OWN_KEY) {
  const store = pingStore(() => assert.fail('a ping was recorded'), assert.fail as never)
  const server = createHttpServer({
    hsts: null,
    prefix: '/site',
    pings: new PingQueue(store, { on: () => () => {}, tell: assert.fail } as never, assert.fail),
    stamp: () => ({ ms: 1, us: 0 }),
    bodyLimit: 10_000,
    onError: assert.fail,
    answerToCanary: path => canaryAnswer([key], path),
    app: (_request, response) => void response.writeHead(404).end(),
  })
  return `${await portOf(t, server)}/site/ping/`
}

const openOther = async (t: TestContext, listener: RequestListener) =>
  `${await portOf(t, createServer(listener))}/ping/`

const request = (endpoint: string, keys: readonly string[] = [OWN_KEY]) =>
  requestCanary(fetch, endpoint, keys)

test('any process with the same key answers, also at a private address', async t => {
  assert.equal(await request(await openProcess(t)), null)
})

test('while a new key takes over, a process that still has the old one can be asked', async t => {
  assert.equal(await request(await openProcess(t), [OWN_KEY, newToken()]), null)
})

test('another installation does not know the path', async t => {
  assert.equal(await request(await openProcess(t, newToken())), 'it was answered 404')
})

test('a proxy that answers 200 to everything is no success', async t => {
  const url = await openOther(t, (_request, response) => void response.end('OK'))
  assert.equal(await request(url), 'the answer was not that of this installation')
})

test('a cache that repeats an older answer is no success', async t => {
  const process = await openProcess(t)
  let kept: string | null = null
  const url = await openOther(t, async (request, response) => {
    kept ??= await (await globalThis.fetch(process + request.url!.slice('/ping/'.length))).text()
    response.end(kept)
  })
  assert.equal(await request(url), null)
  assert.equal(await request(url), 'the answer was not that of this installation')
})

test('a redirect to the right place is followed', async t => {
  const process = await openProcess(t)
  const url = await openOther(t, (request, response) => {
    response.writeHead(302, { Location: process + request.url!.slice('/ping/'.length) }).end()
  })
  const following = createSafeFetch({ permits: () => true, userAgent: 'Punctual tests', totalMs: 60_000 })
  assert.equal(await requestCanary(following, url, [OWN_KEY]), null)
})

test('where nothing listens, or nothing answers in time, the reason is said', async t => {
  const silent = await openOther(t, () => {})
  const hasty = createSafeFetch({ permits: isPublicAddress, userAgent: 'Punctual tests', totalMs: 50 })
  assert.equal(await requestCanary(hasty, silent, [OWN_KEY]), 'Connection timed out')
  assert.equal(await request('http://127.0.0.1:1/ping/'), 'Connection failed')
})

test('the answer says no-cache, and a path that is not signed is not found', async t => {
  const process = await openProcess(t)
  assert.equal((await globalThis.fetch(`${process}canary/${newToken()}.${'A'.repeat(22)}`)).status, 404)
  const seen: string[] = []
  const url = await openOther(t, async (request, response) => {
    const answer = await globalThis.fetch(process + request.url!.slice('/ping/'.length))
    seen.push(answer.headers.get('cache-control')!)
    response.end(await answer.text())
  })
  assert.equal(await request(url), null)
  assert.match(seen[0]!, /no-cache/)
})
