/** Bodies that are made to cost much: what anyone may send is small, and is looked at before it is parsed. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()
const { alice } = world
const CHECKS = '/api/v3/checks/'
const UNKNOWN = 'x'.repeat(32)
const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const listed = (values: number) => `{"a":[${'1,'.repeat(values - 2)}1], "b": 2}`

/** What is answered to a POST that announces a large body and sends none of it. */
async function answerBeforeBody(path: string, headers = ''): Promise<string> {
  const socket = connect(Number(new URL(world.root).port), '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: test\r\n${headers}Content-Length: 2000000\r\n\r\n`)
  let text = ''
  for await (const piece of socket) {
    text += piece
    if (text.includes('\r\n\r\n')) break
  }
  socket.destroy()
  return text
}

test('a wrong key in the header is refused before the body is read', async () => {
  for (const key of ['', UNKNOWN, alice.ro]) {
    const answer = await answerBeforeBody(CHECKS, `X-Api-Key: ${key}\r\n`)
    assert.match(answer, /^HTTP\/1\.1 401 /, key)
  }
  assert.equal((await world.post(CHECKS, UNKNOWN, '{')).status, 401)
})

test('without a key in the header 64 kB are taken, with one 2.5 MiB', async () => {
  const body = (length: number) => {
    const start = `{"api_key": "${alice.rw}", "desc": "`
    return `${start}${'x'.repeat(length - start.length - 2)}"}`
  }
  assert.equal((await world.send('POST', CHECKS, { body: body(65_536) })).status, 201)
  const { status, json } = await world.send('POST', CHECKS, { body: body(65_537) })
  assert.equal(status, 400)
  assert.equal(
    json.error,
    'the request body is larger than 65536 bytes: send the key in the header X-Api-Key',
  )
  assert.equal((await world.post(CHECKS, alice.rw, body(2_621_440))).status, 201)
  assert.match(await answerBeforeBody(CHECKS), /^HTTP\/1\.1 400 /)
})

test('JSON of 32 levels is taken, of 33 refused, with and without a key', async () => {
  assert.equal((await world.post(CHECKS, alice.rw, nested(32))).status, 201)
  for (const key of [{}, { key: alice.rw }]) {
    const { status, json } = await world.send('POST', CHECKS, { ...key, body: nested(33) })
    assert.equal(status, 400)
    assert.equal(json.error, 'the request body is nested more than 32 levels deep')
  }
  assert.equal((await world.post(CHECKS, alice.rw, '['.repeat(1_000_000))).status, 400)
})

test('JSON of 10,000 values is taken, of more refused', async () => {
  assert.equal((await world.post(CHECKS, alice.rw, listed(10_000))).status, 201)
  const { json } = await world.post(CHECKS, alice.rw, listed(10_001))
  assert.equal(json.error, 'the request body has more than 10000 values')
})

test('brackets and commas in texts do not count', async () => {
  const desc = `${'[{,"\\'.repeat(5_000)}`
  const { status, json } = await world.post(CHECKS, alice.rw, { desc })
  assert.equal(status, 201)
  assert.equal(json.desc, desc)
})

test('the report of a service has 16 kB, and what is larger is refused unread', async () => {
  const path = '/api/v3/notifications/3cba109f-0c06-47ea-8a3c-2f7d6a5f0e11/status'
  assert.equal((await world.send('POST', path, { body: 'x'.repeat(16_384) })).status, 200)
  assert.equal((await world.send('POST', path, { body: 'x'.repeat(16_385) })).status, 400)
  assert.match(await answerBeforeBody(path), /^HTTP\/1\.1 400 /)
})

test('bounces are not taken, nor read, where no e-mail asks for them', async () => {
  assert.match(await answerBeforeBody('/api/v3/bounces/'), /^HTTP\/1\.1 404 /)
  assert.deepEqual((await world.send('POST', '/api/v3/bounces/', { body: 'x' })).json, { error: 'not found' })
})
