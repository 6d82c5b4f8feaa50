import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
const pause = (uuid: string, key = alice.rw) => world.post(`/api/v3/checks/${uuid}/pause`, key)
const flips = async (uuid: string) => (await world.get(`/api/v3/checks/${uuid}/flips/`, alice.rw)).json.length

test('a check in any state is paused, and nothing is expected of it', async () => {
  for (const pings of [[], [''], ['/fail'], ['/start'], ['', '/start']]) {
    const check = await world.check(alice)
    for (const ping of pings) await world.ping(check, ping)
    const { status, json } = await pause(check.uuid)
    assert.equal(status, 200)
    const shown = [json.status, json.started, json.next_ping, json.n_pings]
    assert.deepEqual(shown, ['paused', false, null, pings.length], pings.join())
    assert.deepEqual((await world.get(`/api/v3/checks/${check.uuid}`, alice.rw)).json, json)
  }
})

test('the last ping is kept', async () => {
  const check = await world.check(alice)
  await world.ping(check)
  assert.equal((await pause(check.uuid)).json.last_ping, '2026-01-05T12:00:00+00:00')
})

test('pausing is no listed flip, and a second pause changes nothing', async () => {
  const check = await world.check(alice)
  await world.ping(check)
  const { json } = await pause(check.uuid)
  assert.equal(await flips(check.uuid), 1)
  assert.deepEqual((await pause(check.uuid)).json, json)
})

test('a paused check never goes down', async () => {
  const check = await world.check(alice, { timeout: 60, grace: 60 })
  await world.ping(check, '/start')
  await pause(check.uuid)
  world.clock.advance(86_400)
  await world.store.alerts.declareDown(world.clock.now(), 100)
  assert.equal((await world.get(`/api/v3/checks/${check.uuid}`, alice.rw)).json.status, 'paused')
})

test('a success, a failure or a start ends the pause', async () => {
  for (const [ping, status] of [
    ['', 'up'],
    ['/fail', 'down'],
    ['/start', 'new'],
    ['/log', 'paused'],
  ]) {
    const check = await world.check(alice)
    await pause(check.uuid)
    await world.ping(check, ping)
    const { json } = await world.get(`/api/v3/checks/${check.uuid}`, alice.rw)
    assert.equal(json.status, status)
    assert.equal(json.started, ping === '/start')
  }
})

test('with manual_resume pings are logged and ignored', async () => {
  const check = await world.check(alice, { manual_resume: true })
  await pause(check.uuid)
  await world.ping(check)
  const { json } = await world.get(`/api/v3/checks/${check.uuid}`, alice.rw)
  assert.deepEqual([json.status, json.n_pings, json.last_ping], ['paused', 1, null])
  const { pings } = (await world.get(`/api/v3/checks/${check.uuid}/pings/`, alice.rw)).json
  assert.equal(pings[0].type, 'ign')
})

test('an unknown check is 404, another project’s 403, a read-only key 401', async () => {
  const his = await world.check(charlie)
  assert.equal((await pause('00000000-0000-4000-8000-000000000000')).status, 404)
  assert.equal((await pause(his.uuid)).status, 403)
  const check = await world.check(alice)
  assert.equal((await pause(check.uuid, alice.ro)).status, 401)
  const { unique_key } = (await world.get(`/api/v3/checks/${check.uuid}`, alice.ro)).json
  assert.equal((await pause(unique_key)).status, 404)
})
