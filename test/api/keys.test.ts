import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()
const { alice } = world
const check = await world.check(alice)

const UNKNOWN = 'x'.repeat(32)
const CHECK = `/api/v3/checks/${check.uuid}`
const READ_ONLY: [method: string, path: string][] = [
  ['GET', '/api/v3/checks/'],
  ['GET', CHECK],
  ['GET', `${CHECK}/flips/`],
  ['GET', '/api/v3/badges/'],
]
const READ_WRITE: [method: string, path: string][] = [
  ['POST', '/api/v3/checks/'],
  ['POST', CHECK],
  ['POST', `${CHECK}/pause`],
  ['POST', `${CHECK}/resume`],
  ['DELETE', CHECK],
  ['GET', `${CHECK}/pings/`],
  ['GET', `${CHECK}/pings/1/body`],
  ['GET', '/api/v3/channels/'],
]

for (const [method, path] of [...READ_ONLY, ...READ_WRITE]) {
  const shown = `${method} ${path.replace(check.uuid, '<uuid>')}`

  test(`${shown} without a key of 32 characters: the key is missing`, async () => {
    for (const key of [undefined, '', alice.rw.slice(1), `${alice.rw}x`]) {
      const { status, json } = await world.send(method, path, key === undefined ? {} : { key })
      assert.equal(status, 401)
      assert.deepEqual(json, { error: 'missing api key' })
    }
  })

  test(`${shown} with an unknown key: the key is wrong`, async () => {
    for (const key of [UNKNOWN, alice.rw.toUpperCase()]) {
      const { status, json } = await world.send(method, path, { key })
      assert.equal(status, 401)
      assert.deepEqual(json, { error: 'wrong api key' })
    }
  })
}

for (const [method, path] of READ_WRITE) {
  test(`${method} ${path.replace(check.uuid, '<uuid>')} with a read-only key: the key is wrong`, async () => {
    const { status, json } = await world.send(method, path, { key: alice.ro })
    assert.equal(status, 401)
    assert.deepEqual(json, { error: 'wrong api key' })
  })
}

test('a read-only key may list checks, get one, list flips and badges', async () => {
  for (const [method, path] of READ_ONLY) {
    assert.equal((await world.send(method, path, { key: alice.ro })).status, 200, path)
  }
})

test('the key of a POST may stand in its JSON body', async () => {
  for (const path of ['/api/v3/checks/', CHECK, `${CHECK}/pause`, `${CHECK}/resume`]) {
    const { status } = await world.send('POST', path, { body: { api_key: alice.rw } })
    assert.ok(status === 200 || status === 201, path)
    assert.equal((await world.send('POST', path, { body: { api_key: alice.ro } })).status, 401)
    assert.equal((await world.send('POST', path, { body: { api_key: 5 } })).json.error, 'missing api key')
  }
})

test('a header that is there decides, even when it is empty or wrong', async () => {
  for (const key of ['', UNKNOWN]) {
    const { status } = await world.send('POST', '/api/v3/checks/', { key, body: { api_key: alice.rw } })
    assert.equal(status, 401)
  }
  const right = await world.send('POST', '/api/v3/checks/', { key: alice.rw, body: { api_key: UNKNOWN } })
  assert.equal(right.status, 201)
})

test('reading requests take no key from a body, a query or an Authorization header', async () => {
  const query = await world.get(`/api/v3/checks/?api_key=${alice.rw}`)
  const bearer = await world.send('GET', CHECK, { headers: { Authorization: `Bearer ${alice.rw}` } })
  assert.equal(query.status, 401)
  assert.equal(bearer.status, 401)
})

test('a broken body is told before a missing key, a missing key before an unknown check', async () => {
  assert.equal((await world.send('POST', '/api/v3/checks/', { body: '{' })).status, 400)
  const unknown = '/api/v3/checks/00000000-0000-4000-8000-000000000000'
  assert.equal((await world.send('POST', unknown, { body: { name: 1 } })).status, 401)
  assert.equal((await world.send('GET', unknown)).status, 401)
})

test('a revoked key stops working within a second', async () => {
  const fresh = await world.account()
  assert.equal((await world.get('/api/v3/checks/', fresh.rw)).status, 200)
  await world.store.projects.revokeApiKeys({ projectId: fresh.projectId, kind: 'rw', now: 1 })
  world.clock.advance(1)
  assert.equal((await world.get('/api/v3/checks/', fresh.rw)).json.error, 'wrong api key')
  assert.equal((await world.get('/api/v3/checks/', fresh.ro)).status, 200)
})
