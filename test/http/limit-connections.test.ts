import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { PingQueue } from '../../src/actions/pings/record-pings.js'
import { limitConnections, openFilesAllowed } from '../../src/http/limit-connections.js'
import { Changes } from '../../src/lib/changes.js'
import { pingStore } from '../_support/ping-store.js'

test('a connection beyond what the files allow is closed and holds later deadlines until pings are recorded', async t => {
  const outcomes = ['ok' as const]
  const record = async () => ({ outcomes, errors: [], wakeAt: null, alerts: false })
  const queue = new PingQueue(pingStore(record), new Changes(), assert.fail, undefined, {
    now: () => 5_000,
  })
  const server = createServer()
  limitConnections(server, 4, () => queue.hearing.turnedAway())
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sockets = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  assert.equal(queue.hearing.heardUntil(6_000), 6_000)
  const fourth = connect(port, '127.0.0.1').resume()
  await once(fourth, 'close')
  assert.equal(queue.hearing.heardUntil(7_000), 5_000)
})

test('what a process may open is read from the system', () => {
  assert.ok(openFilesAllowed() > 50)
})
