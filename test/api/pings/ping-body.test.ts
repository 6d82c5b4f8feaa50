import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../src/core/errors.js'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld({ store: { pingLogLimit: 3 } })
const { alice, charlie } = world
const check = await world.check(alice)
const body = (n: string, key = alice.rw, uuid = check.uuid) =>
  world.get(`/api/v3/checks/${uuid}/pings/${n}/body`, key)

test('a body comes back byte for byte as text/plain', async () => {
  const bytes = new Uint8Array([0, 255, 10, 195, 40])
  await world.ping(check, '', { method: 'POST', body: bytes })
  const response = await fetch(`${world.root}/api/v3/checks/${check.uuid}/pings/1/body`, {
    headers: { 'X-Api-Key': alice.rw },
  })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain')
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes)
})

test('a large body is cut at the body limit', async () => {
  await world.ping(check, '', { method: 'POST', body: 'x'.repeat(20_000) })
  assert.equal((await body('2')).text, 'x'.repeat(10_000))
})

test('leading zeros of the number do not matter', async () => {
  assert.equal((await body('002')).status, 200)
})

test('a ping without a body, an unknown ping and an unknown check are not found', async () => {
  await world.ping(check)
  assert.deepEqual((await body('3')).json, { error: 'the ping has no body' })
  for (const n of ['0', '4', '99999999999999999999']) assert.equal((await body(n)).status, 404, n)
  assert.equal((await body('x')).status, 404)
  assert.equal((await body('1', alice.rw, '00000000-0000-4000-8000-000000000000')).status, 404)
})

test('a body beyond the log’s limit is not found even while it is stored', async () => {
  await world.ping(check, '', { method: 'POST', body: 'fourth' })
  assert.equal((await body('1')).status, 404)
  assert.equal((await body('4')).text, 'fourth')
})

test('a read-only key is 401, another project’s key 403', async () => {
  assert.equal((await body('4', alice.ro)).status, 401)
  assert.equal((await body('4', 'short')).json.error, 'missing api key')
  assert.equal((await body('4', charlie.rw)).status, 403)
})

test('bodies kept outside the database are read from there; 503 while that is not possible', async () => {
  let stored: Uint8Array | null | Error = null
  const outside = await openWorld({
    bodies: {
      read: async () => {
        if (stored instanceof Error) throw stored
        return stored
      },
    },
  })
  const check = await outside.check(outside.alice)
  await outside.ping(check, '', { method: 'POST', body: 'x' })
  await outside.moveBodiesOutside()
  const get = () => outside.get(`/api/v3/checks/${check.uuid}/pings/1/body`, outside.alice.rw)
  const { pings } = (await outside.get(`/api/v3/checks/${check.uuid}/pings/`, outside.alice.rw)).json
  assert.match(pings[0].body_url, /pings\/1\/body$/)
  assert.equal((await get()).status, 404)
  stored = new Uint8Array(Buffer.from('kept elsewhere'))
  assert.equal((await get()).text, 'kept elsewhere')
  stored = new Refusal('unavailable', 'the store of ping bodies does not answer')
  const { status, json } = await get()
  assert.equal(status, 503)
  assert.equal(json.error, 'the store of ping bodies does not answer')
})
