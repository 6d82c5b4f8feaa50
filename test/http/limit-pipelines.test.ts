/** Requests that a client sends ahead, without waiting for answers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createHttpServer } from '../../src/http/server.js'
import { eventually } from '../_support/eventually.js'

const REQUEST = 'GET /accounts/login/ HTTP/1.1\r\nHost: x\r\n\r\n'

/** A server that answers a request only when it is told to, and a client of it. */
async function open(t: TestContext) {
  const waiting: ServerResponse[] = []
  const requests: IncomingMessage[] = []
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
  server.on('request', request => {
    state.requests++
    requests.push(request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(client, 'connect')
  client.on('data', data => {
    state.text += data
  })
  client.on('error', () => {})
  const closed = new Promise(resolve => client.on('close', resolve))
  t.after(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  const answer = () => {
    for (const response of waiting.splice(0)) response.end('done')
  }
  const statuses = () => [...state.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  return { state, client, closed, answer, statuses, requests }
}

test('ten requests that are sent ahead are answered one after the other', async t => {
  const { state, client, answer, statuses } = await open(t)
  for (let round = 0; round < 3; round++) {
    client.write(REQUEST.repeat(11))
    for (let n = 1; n <= 11; n++) {
      const done = round * 11 + n
      await eventually(() => state.requests === (round + 1) * 11 && state.calls === done)
      answer()
      await eventually(() => statuses().length === done)
    }
  }
  assert.ok(statuses().every(status => status === 200))
})

test('a client that sends more requests ahead is cut off, and the rest is not even parsed', async t => {
  const { state, client, closed, statuses } = await open(t)
  client.write(REQUEST.repeat(1_200))
  await closed
  assert.deepEqual({ ...state, text: '' }, { calls: 1, requests: 12, text: '' })
  assert.deepEqual(statuses(), [503])
  assert.match(state.text, /\r\nRetry-After: 10\r\n/)
})

test('a client that is cut off after a response gets no response to another request', async t => {
  const { state, client, closed, answer, statuses } = await open(t)
  client.write(REQUEST)
  await eventually(() => state.calls === 1)
  answer()
  await eventually(() => statuses().length === 1)
  client.write(REQUEST.repeat(13))
  await closed
  answer()
  assert.deepEqual(statuses(), [200])
  assert.equal(state.calls, 2)
})

test('requests that wait are dropped without an error when their client leaves', async t => {
  const { state, client, requests } = await open(t)
  client.write(REQUEST.repeat(11))
  await eventually(() => state.requests === 11)
  client.destroy()
  await eventually(() => requests.every(request => request.destroyed))
  assert.deepEqual(
    requests.map(({ errored }) => errored !== null),
    [true, ...Array(10).fill(false)],
  )
  assert.equal(state.calls, 1)
})

test('a body that comes after others sent ahead is read', async t => {
  const { state, client, answer, statuses } = await open(t)
  client.write(REQUEST.repeat(9))
  client.write('POST /accounts/login/ HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n')
  client.write(Buffer.alloc(200_000))
  client.write(REQUEST)
  for (let n = 1; n <= 11; n++) {
    await eventually(() => state.calls === n)
    answer()
    await eventually(() => statuses().length === n)
  }
})
