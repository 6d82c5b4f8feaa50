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

test('where every place of an address is taken it has spare ones, which end with the recipient', t => {
  const { seen, connections, connect } = openConnections(t)
  const all = connect('a', 101)
  assert.equal(all.length, 100)
  assert.deepEqual(
    [0, 49, 50, 99].map(n => connections.named(all[n]!)),
    [0, 0, 1, 1],
  )
  assert.equal(connections.named(all[50]!), 2)
  seen.ticks = 3 * S
  assert.equal(connect('a', 1).length, 0, 'none is silent for long')
  assert.equal(connect('b', 1).length, 1)
  seen.ticks = 20 * S
  assert.equal(connect('a', 1).length, 1)
  assert.deepEqual(
    [seen.closed, seen.refused],
    [['a 1'], 0],
    'the alerts of others do not wait for one address',
  )
})

test('where every place is taken, the connection refused counts as a missed ping', t => {
  const { seen, connections, connect } = openConnections(t)
  const addresses = ['a', 'b', 'c', 'd']
  for (const address of addresses) for (const one of connect(address, 50)) connections.named(one)
  for (const address of ['e', 'f'])
    for (const one of connect(address, 50)) assert.ok(connections.named(one) > 0)
  assert.deepEqual([connect('job', 1).length, seen.refused], [0, 1])
  seen.ticks = 3 * S
  assert.equal(connect('job', 1).length, 1)
  assert.deepEqual([seen.closed, seen.refused], [['e 0'], 2], 'a client may be that slow')
})

test('the addresses of a network of IPv6 count as one', t => {
  const { connections, connect } = openConnections(t)
  for (const one of connect('2001:db8::1', 50)) connections.named(one)
  const [session] = connect('2001:db8::2', 1)
  assert.equal(connections.named(session!), 1)
})
