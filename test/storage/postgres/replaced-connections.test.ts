/** Which connections are replaced after a database was read-only. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReplacedConnections } from '../../../src/storage/postgres/replaced-connections.js'

test('connections from before a refused write are replaced, once a second at most, and again when a write succeeds', () => {
  let now = 0
  const replaced = new ReplacedConnections<object>(() => now)
  const open = () => {
    const client = {}
    replaced.opened(client)
    return client
  }
  const before = open()
  replaced.wrote()
  assert.equal(replaced.isOld(before), false)
  replaced.refused()
  assert.equal(replaced.isOld(before), true)
  const meanwhile = open()
  replaced.refused()
  // It wrote nothing, or another connection leads elsewhere.
  replaced.wrote()
  assert.equal(replaced.isOld(meanwhile), false)
  now += 1_000
  replaced.wrote()
  assert.equal(replaced.isOld(meanwhile), true)
  const after = open()
  now += 1_000
  replaced.wrote()
  assert.equal(replaced.isOld(after), false)
})
