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

test('tests of one webhook are limited, by all tokens of the project that nobody made together', async () => {
  const tokenOfProject = async () =>
    (await world.token({ projectId: alice.projectId, role: 'manager' })).token
  const [key, another] = [await tokenOfProject(), await tokenOfProject()]
  const path = '/api/punctual/v1/event-webhooks'
  const body = { name: 'Closed', url: 'http://127.0.0.1:1/' }
  const { uuid } = (await world.send('POST', path, { key, body })).json
  const statuses: number[] = []
  for (let sent = 0; sent < 21; sent++) {
    statuses.push((await world.send('POST', `${path}/${uuid}/test`, { key, body: {} })).status)
  }
  assert.deepEqual(statuses, [...Array(20).fill(200), 429])
  assert.equal((await world.send('POST', `${path}/${uuid}/test`, { key: another, body: {} })).status, 429)
})
