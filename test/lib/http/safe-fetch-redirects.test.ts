/** Where the guarded client lets itself be led, and what it takes along. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SafeRequest } from '../../../src/lib/http/safe-request.js'
import { fails, get, openFetch } from '../../_support/servers/fetching.js'
import { openRecorder } from '../../_support/servers/recorder.js'

test('a redirect to a private address is refused', async t => {
  const inside = await openRecorder(t, undefined, '127.0.0.2')
  for (const target of [inside.url, `http://2130706434:${inside.port}/`]) {
    const outside = await openRecorder(t, () => ({ status: 302, headers: { location: target } }))
    const fetch = openFetch({ permits: address => address === '127.0.0.1' })
    await fails(fetch(get(outside.url)), 'Connections to private IP addresses are not allowed')
  }
  assert.deepEqual(inside.requests, [])
})

test('three redirects are followed, a fourth is not', async t => {
  const recorder = await openRecorder(t, ({ url }) => {
    const left = Number(url.slice(1))
    return left === 0 ? { body: 'here' } : { status: 307, headers: { location: `/${left - 1}` } }
  })
  assert.equal((await openFetch()(get(`${recorder.url}/3`))).body, 'here')
  await fails(openFetch()(get(`${recorder.url}/4`)), 'Too many redirects')
})

test('a redirect to another scheme is refused, and one without a location is returned', async t => {
  const recorder = await openRecorder(t, ({ url }) => ({
    status: 301,
    ...(url === '/file' ? { headers: { location: 'file:///etc/passwd' } } : {}),
  }))
  await fails(openFetch()(get(`${recorder.url}/file`)), 'Only http and https addresses are allowed')
  assert.equal((await openFetch()(get(recorder.url))).status, 301)
})

test('credentials are kept on redirects within an origin, and dropped for another', async t => {
  const elsewhere = await openRecorder(t)
  const recorder = await openRecorder(t, ({ url }) => {
    if (url === '/away') return { status: 307, headers: { location: elsewhere.url } }
    return url === '/near' ? { status: 307, headers: { location: '/arrived' } } : {}
  })
  const headers = { Authorization: 'Bearer 1', cookie: 'a=1', 'X-Key': 'k', 'X-Plain': 'p' }
  const request = { method: 'POST', headers, secretHeaders: ['x-key'], body: 'b' } as const
  await openFetch()({ ...request, url: `${recorder.url.replace('//', '//u:p@')}/away` })
  await openFetch()({ ...request, url: `${recorder.url}/near` })
  const away = elsewhere.requests[0]!
  assert.equal(away.method, 'POST')
  assert.equal(away.body, 'b')
  assert.equal(away.headers['x-plain'], 'p')
  for (const name of ['authorization', 'cookie', 'x-key']) assert.equal(away.headers[name], undefined)
  const near = recorder.requests.find(({ url }) => url === '/arrived')!
  assert.equal(near.headers.authorization, 'Bearer 1')
  assert.equal(near.headers['x-key'], 'k')
})

test('a secret body is not sent to another origin', async t => {
  const elsewhere = await openRecorder(t)
  const recorder = await openRecorder(t, ({ url }) => {
    if (url === '/302') return { status: 302, headers: { location: elsewhere.url } }
    if (url === '/near') return { status: 307, headers: { location: '/away' } }
    if (url === '/away') return { status: 308, headers: { location: elsewhere.url } }
    return url === '/arrive' ? { status: 308, headers: { location: '/arrived' } } : {}
  })
  const request = { method: 'POST', body: 'code=1', secretBody: true } as const
  const refusal = 'The redirect leads to another server, which must not see the keys'
  await fails(openFetch()({ ...request, url: `${recorder.url}/away` }), refusal)
  await fails(openFetch()({ ...request, url: `${recorder.url}/near` }), refusal)
  assert.equal(elsewhere.requests.length, 0)
  await openFetch()({ ...request, url: `${recorder.url}/302` })
  assert.equal(elsewhere.requests[0]!.body, '')
  await openFetch()({ ...request, url: `${recorder.url}/arrive` })
  const arrived = recorder.requests.find(({ url }) => url === '/arrived')!
  assert.equal(arrived.body, 'code=1')
})

test('the status of a redirect decides whether the method is kept', async t => {
  const recorder = await openRecorder(t, ({ url }) =>
    url === '/end' ? {} : { status: Number(url.slice(1)), headers: { location: '/end' } },
  )
  const after = async (method: SafeRequest['method'], status: number) => {
    const body = method === 'GET' ? {} : { body: 'x', headers: { 'content-type': 'text/plain' } }
    await openFetch()({ method, url: `${recorder.url}/${status}`, ...body })
    const { method: seen, body: sent, headers } = recorder.requests.at(-1)!
    return `${seen} ${sent}${headers['content-type'] ? ' typed' : ''}`
  }
  assert.equal(await after('POST', 301), 'GET ')
  assert.equal(await after('POST', 302), 'GET ')
  assert.equal(await after('PUT', 302), 'PUT x typed')
  assert.equal(await after('PUT', 303), 'GET ')
  assert.equal(await after('POST', 307), 'POST x typed')
  assert.equal(await after('POST', 308), 'POST x typed')
})
