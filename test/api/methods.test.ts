import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()
const { alice } = world
const check = await world.check(alice)
const CHECK = `/api/v3/checks/${check.uuid}`
await world.ping(check, '', { method: 'POST', body: 'logged' })
const { unique_key } = (await world.get(CHECK, alice.ro)).json

const ROUTES: [path: string, methods: string[]][] = [
  ['/api/v3/checks/', ['GET', 'POST']],
  [CHECK, ['GET', 'POST', 'DELETE']],
  [`/api/v3/checks/${unique_key}`, ['GET']],
  [`${CHECK}/pause`, ['POST']],
  [`${CHECK}/resume`, ['POST']],
  [`${CHECK}/pings/`, ['GET']],
  [`${CHECK}/pings/1/body`, ['GET']],
  [`${CHECK}/flips/`, ['GET']],
  [`/api/v3/checks/${unique_key}/flips/`, ['GET']],
  ['/api/v3/channels/', ['GET']],
  ['/api/v3/badges/', ['GET']],
]

/** Sends a method that `fetch` refuses to send. */
function raw(method: string, path: string): Promise<{ status: number; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = request(world.root + path, { method }, answer => {
      answer.resume()
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

for (const [path, methods] of ROUTES) {
  const shown = path.replace(check.uuid, '<uuid>').replace(unique_key, '<unique_key>')

  test(`OPTIONS ${shown} allows ${methods.join(', ')} from everywhere, without a key`, async () => {
    const { status, text, headers } = await world.send('OPTIONS', path)
    assert.equal(status, 204)
    assert.equal(text, '')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-allow-headers'), 'X-Api-Key')
    assert.equal(headers.get('access-control-max-age'), '600')
    const allowed = headers.get('access-control-allow-methods')!.split(', ')
    assert.deepEqual(allowed.sort(), [...methods, 'OPTIONS'].sort())
  })

  test(`${shown} answers 405 to every other method, before it looks at the key`, async () => {
    for (const method of ['HEAD', 'PUT', 'PATCH', 'GET', 'POST', 'DELETE', 'SEARCH']) {
      if (methods.includes(method)) continue
      const { status, headers } = await raw(method, path)
      assert.equal(status, 405, method)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers.allow, methods.join(', '))
    }
  })

  test(`${shown} carries the CORS headers on refusals too`, async () => {
    const { status, headers } = await world.send(methods[0]!, path)
    assert.equal(status, 401)
    assert.equal(headers.get('access-control-allow-origin'), '*')
  })

  test(`${shown} means the same with and without a slash at its end`, async () => {
    const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
    const here = await world.send(methods[0]!, path, { key: alice.rw })
    const there = await world.send(methods[0]!, other, { key: alice.rw })
    assert.notEqual(here.status, 404)
    assert.notEqual(there.status, 404)
    assert.equal((await world.send('OPTIONS', other)).status, 204)
  })
}

for (const path of ROUTES.map(([path]) => path).filter(path => path.endsWith('/'))) {
  if (path === '/api/v3/checks/') continue
  const bare = path.slice(0, -1)
  const shown = bare.replace(check.uuid, '<uuid>').replace(unique_key, '<unique_key>')

  test(`POST ${shown} is redirected to the listing, as Healthchecks does`, async () => {
    const { status, headers } = await world.send('POST', `${bare}?a=b%20c`, { key: alice.rw, body: {} })
    assert.equal(status, 301)
    assert.equal(headers.get('location'), `${path}?a=b%20c`)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    const followed = await fetch(world.root + bare, {
      method: 'POST',
      headers: { 'X-Api-Key': alice.rw },
      body: '{}',
    })
    assert.equal(followed.status, 200)
    assert.equal(await followed.text(), (await world.get(path, alice.rw)).text)
  })
}

test('POST to the list of checks creates one, with its slash and without', async () => {
  for (const path of ['/api/v3/checks', '/api/v3/checks/']) {
    assert.equal((await world.post(path, alice.rw, { name: 'New' })).status, 201)
  }
})

test('a redirect keeps the path that the site lies under', async () => {
  const below = await openWorld({ app: { SITE_ROOT: 'http://localhost:8000/monitor' } })
  const { status, headers } = await below.send('POST', '/api/v3/channels', { body: {} })
  assert.equal(status, 301)
  assert.equal(headers.get('location'), '/monitor/api/v3/channels/')
})

test('every answer carries the headers that keep browsers careful', async () => {
  for (const path of ['/api/v3/checks/', '/api/v3/status/', '/api/v3/nothing', '/nothing', '/b/2/x.svg']) {
    const { headers } = await world.get(path)
    assert.equal(headers.get('x-frame-options'), 'DENY', path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
  }
})

test('an unknown path or version is not found', async () => {
  for (const path of [
    '/api/v3/',
    '/api/v3/nothing',
    '/api/v4/checks/',
    '/api/checks/',
    '/api/v3/checks/x/y',
  ]) {
    const { status, json } = await world.get(path, alice.rw)
    assert.equal(status, 404, path)
    assert.deepEqual(json, { error: 'not found' })
  }
})

test('all three versions serve every path', async () => {
  for (const version of [1, 2, 3]) {
    for (const [path, methods] of ROUTES.filter(([, methods]) => methods[0] === 'GET')) {
      const versioned = path.replace('/v3/', `/v${version}/`)
      const { status } = await world.send(methods[0]!, versioned, { key: alice.rw })
      assert.equal(status, 200, versioned)
    }
  }
})

test('a GET with a body is answered as one without', async () => {
  const answer = await new Promise<number>((resolve, reject) => {
    const headers = { 'X-Api-Key': alice.rw, 'Content-Length': 13 }
    const sent = request(world.root + CHECK, { headers }, reply => {
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end('{"api_key": 1')
  })
  assert.equal(answer, 200)
})
