import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { accepts } from '../../src/lib/http/encoded.js'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()
const { alice } = world

/** Asks as a client that decodes nothing by itself. */
async function ask(path: string, encoding?: string): Promise<{ response: IncomingMessage; bytes: Buffer }> {
  const headers = {
    'X-Api-Key': alice.ro,
    ...(encoding === undefined ? {} : { 'Accept-Encoding': encoding }),
  }
  const asked = request(world.root + path, { headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { response, bytes: await buffer(response) }
}

for (let n = 0; n < 3; n++) await world.check(alice, { name: `Job ${n}`, desc: 'x'.repeat(500) })

test('an answer of more than 1 kB is compressed for a client that asks for it', async () => {
  const plain = await ask('/api/v3/checks/')
  const { response, bytes } = await ask('/api/v3/checks/', 'gzip, deflate')
  assert.equal(response.headers['content-encoding'], 'gzip')
  assert.equal(response.headers.vary, 'Accept-Encoding')
  assert.equal(response.headers['content-type'], 'application/json')
  assert.ok(bytes.length < plain.bytes.length / 2)
  assert.deepEqual(gunzipSync(bytes), plain.bytes)
})

test('a client that does not ask for it, or refuses it, is answered as ever', async () => {
  for (const encoding of [undefined, 'identity', 'gzip;q=0', 'br']) {
    const { response, bytes } = await ask('/api/v3/checks/', encoding)
    assert.equal(response.headers['content-encoding'], undefined)
    assert.equal(response.headers.vary, undefined)
    assert.equal(Number(response.headers['content-length']), bytes.length)
  }
})

test('a short answer is not compressed', async () => {
  const { response } = await ask('/api/v3/channels/', 'gzip')
  assert.equal(response.headers['content-encoding'], undefined)
})

test('a long list is compressed piece by piece and is whole, also after others hung up', async () => {
  const desc = Array.from({ length: 400 }, (_, n) => n.toString(36).padStart(8, String(n))).join(' ')
  for (let n = 0; n < 60; n++) await world.check(alice, { name: `Long ${n}`, desc })
  const plain = await ask('/api/v3/checks/')
  assert.ok(plain.bytes.length > 131_072)
  for (let n = 0; n < 3; n++) {
    const headers = { 'X-Api-Key': alice.ro, 'Accept-Encoding': 'gzip' }
    const hasty = request(`${world.root}/api/v3/checks/`, { headers }).end()
    const [response] = (await once(hasty, 'response')) as [IncomingMessage]
    response.destroy()
  }
  const { bytes } = await ask('/api/v3/checks/', 'gzip')
  assert.deepEqual(gunzipSync(bytes), plain.bytes)
})

test('the metrics of a project for Prometheus are compressed too', async () => {
  const path = `/projects/${crypto.randomUUID()}/metrics/${alice.ro}`
  const plain = await ask(path)
  const { response, bytes } = await ask(path, 'gzip')
  assert.equal(response.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(bytes), plain.bytes)
})

test('weights and wildcards of Accept-Encoding are obeyed', () => {
  const cases: [string, boolean][] = [
    ['gzip', true],
    ['GZIP', true],
    ['br, gzip;q=0.5', true],
    ['gzip; q=0', false],
    ['*', true],
    ['*;q=0', false],
    ['gzip, *;q=0', true],
    ['x-gzipper', false],
    ['gzip;q=x', false],
    ['', false],
  ]
  for (const [header, expected] of cases) assert.equal(accepts(header, 'gzip'), expected, header)
})
