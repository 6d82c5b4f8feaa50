import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
const remove = (uuid: string, key = alice.rw) => world.send('DELETE', `/api/v3/checks/${uuid}`, { key })

test('a check is deleted and shown as it was; a second time it is not found', async () => {
  const check = await world.check(alice, { name: 'short-lived' })
  await world.ping(check)
  const { json: before } = await world.get(`/api/v3/checks/${check.uuid}`, alice.rw)
  const { status, json } = await remove(check.uuid)
  assert.equal(status, 200)
  assert.deepEqual(json, before)
  assert.equal((await remove(check.uuid)).status, 404)
  assert.equal((await world.get(`/api/v3/checks/${check.uuid}`, alice.rw)).status, 404)
  assert.equal((await world.send('GET', `/ping/${check.uuid}`)).status, 404)
})

test('a deleted check leaves the list, the badges and the slug', async () => {
  const fresh = await world.account()
  const check = await world.check(fresh, { slug: 'gone', tags: 'old' })
  await remove(check.uuid, fresh.rw)
  assert.equal((await world.get('/api/v3/checks/', fresh.rw)).text, '{"checks": []}')
  const { badges } = (await world.get('/api/v3/badges/', fresh.rw)).json
  assert.deepEqual(Object.keys(badges), ['*'])
  assert.equal((await world.send('GET', `/ping/${fresh.pingKey}/gone`)).status, 404)
})

test('nothing of a deleted check is told any more', async () => {
  const fresh = await world.account()
  const { projectId } = fresh
  const now = world.clock.now()
  await world.store.channels.create({ projectId, name: '', kind: 'webhook', settings: {}, members: [], now })
  const check = await world.check(fresh, { channels: '*' })
  await world.ping(check, '/fail')
  assert.equal((await world.store.alerts.dueChannels({ now, cursor: 0 })).channels.length, 1)
  await remove(check.uuid, fresh.rw)
  assert.deepEqual((await world.store.alerts.dueChannels({ now, cursor: 0 })).channels, [])
})

test('an unknown check is 404, another project’s 403, a read-only key 401, a unique key 405', async () => {
  const his = await world.check(charlie)
  assert.equal((await remove('00000000-0000-4000-8000-000000000000')).status, 404)
  assert.equal((await remove(his.uuid)).status, 403)
  assert.equal((await remove(his.uuid, charlie.ro)).status, 401)
  const { unique_key } = (await world.get(`/api/v3/checks/${his.uuid}`, charlie.ro)).json
  assert.equal((await remove(unique_key, charlie.rw)).status, 405)
})

test('a body is not read: the key comes from the header alone', async () => {
  const check = await world.check(alice)
  const inBody = await world.send('DELETE', `/api/v3/checks/${check.uuid}`, { body: { api_key: alice.rw } })
  assert.equal(inBody.status, 401)
  const broken = await world.send('DELETE', `/api/v3/checks/${check.uuid}`, { key: alice.rw, body: '{' })
  assert.equal(broken.status, 200)
})
