/** How a server stops without cutting off a request. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { drainOf } from '../../src/http/drain.js'
import { eventually } from '../_support/eventually.js'

/** A server that answers `/slow` when it is told to and everything else at once, and a way to connect to it. */
async function openServer(t: TestContext) {
  const slow: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.url === '/slow') slow.push(response)
    else response.end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  const connected = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    let heard = ''
    socket.on('data', piece => {
      heard += piece
    })
    return { socket, heard: () => heard, ended: once(socket, 'close') }
  }
  return { drain: drainOf(server), slow, connected }
}

const ask = (socket: Socket, path = '/') => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)

test('a request over a kept connection is answered while the server stops, as the last one', async t => {
  const { drain, connected } = await openServer(t)
  const { socket, heard, ended } = await connected()
  ask(socket)
  await eventually(() => /keep-alive.*\r\n\r\nok/s.test(heard()))
  drain.begin()
  const stopped = drain.end()
  ask(socket)
  await Promise.all([ended, stopped])
  assert.match(heard(), /ok.*HTTP\/1.1 200.*Connection: close.*ok$/s)
})

test('a request under way when the server stops is answered', async t => {
  const { drain, slow, connected } = await openServer(t)
  const { socket, heard, ended } = await connected()
  ask(socket, '/slow')
  const response = await eventually(() => slow[0])
  drain.begin()
  const stopped = drain.end()
  response.end('done')
  await Promise.all([ended, stopped])
  assert.match(heard(), /done$/)
})

test('connections that say nothing, and requests without an answer, do not keep the server for long', async t => {
  const { drain, slow, connected } = await openServer(t)
  const idle = await connected()
  const { socket } = await connected()
  ask(socket, '/slow')
  await eventually(() => slow[0])
  socket.on('error', () => {})
  drain.begin()
  await Promise.all([drain.end(), idle.ended])
})

test('a connection that waits to be accepted when the server stops is answered', async t => {
  const { drain, connected } = await openServer(t)
  // Its connect event is processed after connections are accepted in this turn of the event loop.
  await connected()
  const waiting = connected()
  await new Promise<void>(resolve => process.nextTick(resolve))
  const stopped = drain.end()
  const { socket, heard, ended } = await waiting
  ask(socket)
  drain.begin()
  await Promise.all([ended, stopped])
  assert.match(heard(), /ok$/)
})
