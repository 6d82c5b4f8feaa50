/** Clients that ask for long lists, and leave before their turn comes. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { type Call, Turns } from '../../src/storage/turns.js'
import { eventually } from '../_support/eventually.js'
import { openWorld } from '../_support/worlds/world.js'
import { wrapStore } from '../_support/wrap-store.js'

const world = await openWorld()
const { alice } = world

/** Lists take until `finish` is called. */
const held = { asked: 0, begun: 0, finish: () => {} }
const turns = new Turns({ inAll: 1, perKey: 1 })
const store = wrapStore(world.store, (_, method) => method)
for (const name of ['showList', 'showNativeList'] as const) {
  const { checks } = store as unknown as { checks: Record<string, Call> }
  const list = checks[name]!
  const slow = turns.of('longRead', async function (this: object | undefined, ...args) {
    held.begun++
    await new Promise<void>(resolve => (held.finish = resolve))
    return await list.apply(this, args)
  })
  checks[name] = function (...args) {
    held.asked++
    return slow.apply(this, args)
  }
}
const root = await world.serveOn(store)

const PATHS = { 'the API': '/api/v3/checks/', 'Punctual’s own API': '/api/punctual/v1/checks' }

for (const [what, path] of Object.entries(PATHS)) {
  test(`the database is not asked for what clients that have left wanted from ${what}`, async () => {
    Object.assign(held, { asked: 0, begun: 0 })
    const { hostname, port } = new URL(root)
    const ask = async () => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${alice.rw}\r\n\r\n`)
      return socket
    }
    const sockets = await Promise.all([ask(), ask(), ask()])
    await eventually(() => held.asked === 3)
    for (const socket of sockets) socket.destroy()
    const other = await ask()
    await eventually(() => held.asked === 4)
    held.finish()
    await eventually(() => held.begun === 2)
    held.finish()
    await once(other, 'data')
    other.destroy()
    assert.equal(held.begun, 2)
  })
}
