import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
const resume = (uuid: string, key = alice.rw) => world.post(`/api/v3/checks/${uuid}/resume`, key)

test('a paused check becomes new, as if it had never been pinged, but keeps its count', async () => {
  const check = await world.check(alice)
  await world.ping(check, '/start')
  world.clock.advance(5)
  await world.ping(check)
  await world.post(`/api/v3/checks/${check.uuid}/pause`, alice.rw)
  const { status, json } = await resume(check.uuid)
  assert.equal(status, 200)
  const { last_ping, next_ping, n_pings, started, last_duration } = json
  assert.equal(json.status, 'new')
  assert.deepEqual([last_ping, next_ping, n_pings, started, last_duration], [null, null, 2, false, 5])
})

test('a check that is not paused is not resumed: 409 in plain words', async () => {
  for (const ping of [null, '', '/fail']) {
    const check = await world.check(alice)
    if (ping !== null) await world.ping(check, ping)
    const { status, text, headers } = await resume(check.uuid)
    assert.equal(status, 409)
    assert.equal(text, 'check is not paused')
    assert.equal(headers.get('access-control-allow-origin'), '*')
  }
})

test('a resumed check takes pings again where manual_resume kept it paused', async () => {
  const check = await world.check(alice, { manual_resume: true })
  await world.post(`/api/v3/checks/${check.uuid}/pause`, alice.rw)
  await resume(check.uuid)
  await world.ping(check)
  assert.equal((await world.get(`/api/v3/checks/${check.uuid}`, alice.rw)).json.status, 'up')
})

test('an unknown check is 404, another project’s 403, a read-only key 401', async () => {
  const his = await world.check(charlie)
  await world.post(`/api/v3/checks/${his.uuid}/pause`, charlie.rw)
  assert.equal((await resume('00000000-0000-4000-8000-000000000000')).status, 404)
  assert.equal((await resume(his.uuid)).status, 403)
  assert.equal((await resume(his.uuid, charlie.ro)).status, 401)
  assert.equal((await resume(his.uuid, charlie.rw)).status, 200)
})
