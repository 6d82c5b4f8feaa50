import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { PacedStream } from '../../../src/lib/http/paced-stream.js'
import { ReceivePauses } from '../../../src/lib/http/receive-pauses.js'

/** A connection to a server that sends `text` at once and then everything back. */
async function openSocket(t: TestContext, text: string) {
  const server = createServer(peer => {
    peer.on('error', () => {})
    peer.write(text)
    peer.pipe(peer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

const noPauses = () => new ReceivePauses(() => 0)

test('data passes in both directions', async t => {
  const stream = new PacedStream(await openSocket(t, 'hello '), noPauses(), () => true)
  stream.end('back')
  let text = ''
  for await (const chunk of stream) text += chunk
  assert.equal(text, 'hello back')
})

test('data waits while its network pauses', async t => {
  const pauses = new ReceivePauses(() => performance.now())
  pauses.process('127.0.0.1', () => {
    for (const from = performance.now(); performance.now() - from < 20; );
  })
  const from = performance.now()
  const stream = new PacedStream(await openSocket(t, 'late'), pauses, () => true)
  const [chunk] = await once(stream, 'data')
  assert.equal(String(chunk), 'late')
  assert.ok(performance.now() - from > 350)
})

test('a connection over which too much comes is ended', async t => {
  const socket = await openSocket(t, 'x'.repeat(5_000))
  const stream = new PacedStream(socket, noPauses(), bytes => bytes < 1_000)
  stream.resume()
  await once(stream, 'close')
  assert.ok(socket.destroyed)
})
