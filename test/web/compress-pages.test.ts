import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const cookie = [...world.alice.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

async function ask(path: string, encoding?: string, method = 'GET') {
  const headers = { Cookie: cookie, ...(encoding === undefined ? {} : { 'Accept-Encoding': encoding }) }
  const asked = request(world.root + path, { method, headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { response, bytes: await buffer(response) }
}

test('a page is compressed for a browser, and is the same without', async () => {
  const path = `/projects/${world.project.uuid}/settings/`
  const without = (bytes: Buffer) => bytes.toString().replace(/name="csrf" value="[^"]+"/g, '')
  const plain = await ask(path)
  const { response, bytes } = await ask(path, 'gzip, deflate, br, zstd')
  assert.equal(response.headers['content-encoding'], 'gzip')
  assert.ok(bytes.length < plain.bytes.length / 2)
  assert.equal(without(gunzipSync(bytes)), without(plain.bytes))
  for (const { headers } of [response, plain.response]) {
    assert.equal(headers.vary, 'Accept-Encoding')
    assert.match(String(headers['content-security-policy']), /default-src/)
    assert.equal(headers['content-type'], 'text/html; charset=UTF-8')
  }
})

test('headers alone and answers to clients without gzip are not compressed', async () => {
  const path = `/projects/${world.project.uuid}/checks/`
  assert.equal((await ask(path, 'gzip', 'HEAD')).response.headers['content-encoding'], undefined)
  for (const encoding of ['identity', 'gzip;q=0', 'br'])
    assert.equal((await ask(path, encoding)).response.headers['content-encoding'], undefined)
})
