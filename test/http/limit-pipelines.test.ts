/** Requests that a client sends ahead, without waiting for answers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createHttpServer } from '../../src/http/server.js'
import { eventually } from '../_support/eventually.js'

const REQUEST = 'GET /accounts/login/ HTTP/1.1\r\nHost: x\r\n\r\n'

/** A server that answers a request only when it is told to, and a client of it. */
async function open(t: TestContext) {
  const waiting: ServerResponse[] = []
  const state = { calls: 0, requests: 0, text: '' }
  const server = createHttpServer({
    hsts: null,
    prefix: '',
    pings: null as never,
    stamp: () => assert.fail(),
    bodyLimit: null,
    onError: assert.fail,
    app: (_request, response) => {
      state.calls++
      waiting.push(response)
    },
  })
  server.on('request', () => state.requests++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(client, 'connect')
  client.on('data', data => {
    state.text += data
  })
  client.on('error', () => {})
  t.after(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  const answer = () => {
    for (const response of waiting.splice(0)) response.end('done')
  }
  const statuses = () => [...state.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  return { state, client, answer, statuses }
}

test('a few requests that are sent ahead are all answered', async t => {
  const { state, client, answer, statuses } = await open(t)
  for (let round = 1; round <= 3; round++) {
    client.write(REQUEST.repeat(20))
    await eventually(() => state.calls === round * 20)
    answer()
    await eventually(() => statuses().length === round * 20)
  }
  assert.ok(statuses().every(status => status === 200))
})

test('a client that does not wait for answers has twenty requests under way and is read no further', async t => {
  const { state, client, answer, statuses } = await open(t)
  const count = 400_000
  client.write(REQUEST.repeat(count))
  await eventually(() => state.calls >= 20)
  // What was read with them is parsed in the same turn.
  for (let n = 0; n < 50; n++) await new Promise(setImmediate)
  assert.equal(state.calls, 20)
  assert.ok(state.requests < 5_000, `${state.requests} requests were read`)
  assert.ok(client.writableLength > 0)
  for (let round = 2; round <= 4; round++) {
    answer()
    await eventually(() => state.calls >= 20 * round)
    assert.equal(state.calls, 20 * round)
    assert.ok(state.requests < 5_000 * round)
  }
  assert.deepEqual(new Set(statuses()), new Set([200, 503]))
  assert.match(state.text, /503 Service Unavailable\r\n(.+\r\n)*Retry-After: 5\r\n/)
})

test('a body that comes after others sent ahead is read', async t => {
  const { state, client, answer, statuses } = await open(t)
  client.write(REQUEST.repeat(11))
  client.write('POST /accounts/login/ HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n')
  await eventually(() => state.calls === 12)
  client.write(Buffer.alloc(200_000))
  client.write(REQUEST)
  answer()
  await eventually(() => state.calls === 13)
  answer()
  await eventually(() => statuses().length === 13)
})
