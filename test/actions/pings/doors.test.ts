import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { Doors } from '../../../src/actions/pings/doors.js'

/** A server whose connections are counted. */
async function openDoors(t: import('node:test').TestContext) {
  const doors = new Doors()
  const accepted: Socket[] = []
  const server = createServer(socket => {
    doors.came()
    accepted.push(socket.on('error', () => {}))
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1_000 })
  await once(server, 'listening')
  t.after(() => {
    for (const socket of accepted) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { doors, accepted, port }
}

test('connections that have reached the system are accepted before it is said what was heard', async t => {
  const { doors, accepted, port } = await openDoors(t)
  const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  // They are in the system's queue, without a turn of the event loop.
  const end = performance.now() + 200
  while (performance.now() < end);
  // On a machine that stands still meanwhile, it says that some wait.
  do await doors.settle()
  while (doors.waitingFor() > 0)
  assert.equal(accepted.length, 200)
})

test('where connections come all the time, deadlines wait for ten seconds at most', async () => {
  const doors = new Doors()
  let isOver = false
  const come = () => {
    doors.came()
    if (!isOver) setImmediate(come)
  }
  const begunAt = performance.now()
  come()
  await doors.settle()
  const now = performance.now()
  assert.ok(doors.waitingFor(now) >= 500)
  assert.ok(doors.waitingFor(now) <= now - begunAt + 1, 'since they came')
  assert.equal(doors.waitingFor(now + 60_000), 10_000)
  isOver = true
  await doors.settle()
  assert.equal(doors.waitingFor(now + 60_000), 0)
})
