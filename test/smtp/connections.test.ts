import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Connections } from '../../src/smtp/connections.js'

const S = 1_000

/** Connections with a clock, those that were closed, and how many were refused. */
function openConnections(t: TestContext) {
  const seen = { ticks: 0, closed: [] as string[], refused: 0 }
  const connections = new Connections(
    id => seen.closed.push(id),
    () => seen.refused++,
    () => seen.ticks,
  )
  t.after(() => connections.end())
  /** Admits so many sessions from an address, with names that begin with it. */
  const connect = (address: string, count: number) => {
    const sessions = Array.from({ length: count }, (_, n) => ({
      id: `${address} ${n}`,
      remoteAddress: address,
    }))
    return sessions.filter(session => connections.admit(session))
  }
  return { seen, connections, connect }
}

test('the connection that has named no recipient for longest gives way to a new one', t => {
  const { seen, connections, connect } = openConnections(t)
  for (const address of ['a', 'b', 'c', 'd']) connect(address, 50)
  connections.named({ id: 'a 0' })
  seen.ticks = 20 * S
  assert.equal(connect('job', 2).length, 2)
  assert.deepEqual([seen.closed, seen.refused], [['a 1', 'a 2'], 0])
})

test('an address that has all its places makes place among its own connections', t => {
  const { seen, connections, connect } = openConnections(t)
  connect('before', 1)
  connect('a', 50)
  seen.ticks = 20 * S
  assert.equal(connections.admit({ id: 'job', remoteAddress: 'a' }), true)
  assert.deepEqual(seen.closed, ['a 0'])
})

test('where every connection is new or has named a recipient, the next is refused and counts as a missed ping', t => {
  const { seen, connections, connect } = openConnections(t)
  const [first, ...others] = connect('a', 51)
  assert.deepEqual([others.length, seen.closed, seen.refused], [49, [], 1])
  for (const session of others) connections.named(session)
  connections.named(first!)
  seen.ticks = 20 * S
  assert.equal(connect('a', 1).length, 0)
  connections.ended(first!)
  seen.ticks += 3 * S
  assert.equal(connect('a', 1).length, 1)
  assert.deepEqual([seen.closed, seen.refused], [[first!.id], 3], 'a client may be that slow')
})
