import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScopeName } from '../../../src/core/people/scopes.js'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice } = world

test('a token that may not read the log has no events sent anywhere', async () => {
  const tokenWith = async (...scopes: ScopeName[]) =>
    (await world.token({ projectId: alice.projectId, role: 'manager' }, { scopes })).token
  const [full, half] = [await tokenWith('config:write', 'log:read'), await tokenWith('config:write')]
  const path = '/api/punctual/v1/event-webhooks'
  const send = (method: string, address: string, key: string) =>
    world.send(method, address, { key, body: { name: 'Audit', url: 'https://example.org/events' } })
  const made = await send('POST', path, full)
  assert.equal(made.status, 201, made.text)
  const one = `${path}/${made.json.uuid}`
  for (const [method, address] of [
    ['POST', path],
    ['PATCH', one],
  ] as const) {
    const { status, json } = await send(method, address, half)
    assert.deepEqual([status, json.scope], [403, 'log:read'], method)
  }
  assert.equal((await send('PATCH', one, full)).status, 200)
  assert.equal((await world.send('DELETE', one, { key: half })).status, 200)
})
