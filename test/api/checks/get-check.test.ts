import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
const check = await world.check(alice, { name: 'mine', timeout: 3600, grace: 600 })
const his = await world.check(charlie)
const get = (ref: string, key = alice.rw) => world.get(`/api/v3/checks/${ref}`, key)
const uniqueKey = (await get(check.uuid, alice.ro)).json.unique_key

test('a check is got by its UUID', async () => {
  const { status, json } = await get(check.uuid)
  assert.equal(status, 200)
  assert.deepEqual(json, check)
})

test('a read-only key gets the check without its UUID', async () => {
  const { json, text } = await get(check.uuid, alice.ro)
  assert.ok(!text.includes(check.uuid))
  assert.equal(json.name, 'mine')
  assert.deepEqual(Object.keys(json).slice(-2), ['unique_key', 'timeout'])
})

test('the unique key is the SHA-1 of the first half of the UUID', () => {
  const half = check.uuid.replaceAll('-', '').slice(0, 16)
  assert.equal(uniqueKey, createHash('sha1').update(half).digest('hex'))
})

test('a check is got by its unique key; what is shown depends on the API key', async () => {
  assert.deepEqual((await get(uniqueKey)).json, check)
  const { json } = await get(uniqueKey, alice.ro)
  assert.equal(json.unique_key, uniqueKey)
  assert.ok(!('uuid' in json))
})

test('an unknown check is not found', async () => {
  const { status, json } = await get('00000000-0000-4000-8000-000000000000')
  assert.equal(status, 404)
  assert.deepEqual(json, { error: 'check not found' })
  assert.equal((await get('f'.repeat(40))).status, 404)
})

test('another project’s check is forbidden by UUID and unknown by unique key', async () => {
  const { status, json } = await get(his.uuid)
  assert.equal(status, 403)
  assert.ok(json.error)
  const hisKey = (await get(his.uuid, charlie.ro)).json.unique_key
  assert.equal((await get(hisKey)).status, 404)
})

test('what is no UUID in lower case and no unique key is not found', async () => {
  const refs = [check.uuid.toUpperCase(), check.uuid.replaceAll('-', ''), 'x', 'f'.repeat(39), 'f'.repeat(41)]
  for (const ref of refs) assert.equal((await get(ref)).status, 404, ref)
})

test('the status, the times and the flags follow the pings', async () => {
  const check = await world.check(alice, { timeout: 3600, grace: 600 })
  const shown = async () => {
    const { status, started, last_ping, next_ping, n_pings, last_duration } = (await get(check.uuid)).json
    return { status, started, last_ping, next_ping, n_pings, last_duration }
  }
  const hour = (text: string) => `2026-01-05T${text}+00:00`
  world.clock.advance(0.999)
  await world.ping(check)
  const pinged = { started: false, last_ping: hour('12:00:00'), n_pings: 1, last_duration: undefined }
  assert.deepEqual(await shown(), { ...pinged, status: 'up', next_ping: hour('13:00:00') })
  world.clock.advance(3600)
  assert.deepEqual(await shown(), { ...pinged, status: 'grace', next_ping: hour('13:00:00') })
  world.clock.advance(600)
  assert.deepEqual(await shown(), { ...pinged, status: 'down', next_ping: null })
  await world.ping(check, '/start')
  world.clock.advance(90.5)
  await world.ping(check)
  const { last_duration } = await shown()
  assert.equal(last_duration, 90)
})

test('in version 1 a running check is shown as started, in versions 2 and 3 as what it is', async () => {
  const check = await world.check(alice, { grace: 600 })
  await world.ping(check, '/start')
  const statuses = () =>
    Promise.all(
      [1, 2, 3].map(async v => (await world.get(`/api/v${v}/checks/${check.uuid}`, alice.rw)).json.status),
    )
  assert.deepEqual(await statuses(), ['started', 'new', 'new'])
  await world.ping(check, '/fail')
  await world.ping(check, '/start')
  assert.deepEqual(await statuses(), ['started', 'down', 'down'])
  world.clock.advance(600)
  assert.deepEqual(await statuses(), ['down', 'down', 'down'])
})

test('a run that takes longer than the grace time shows the check as down', async () => {
  const check = await world.check(alice, { grace: 60 })
  await world.ping(check, '/start')
  world.clock.advance(59.999)
  assert.equal((await get(check.uuid)).json.status, 'new')
  world.clock.advance(0.001)
  const { json } = await get(check.uuid)
  assert.equal(json.status, 'down')
  assert.equal(json.started, true)
  assert.equal(json.next_ping, null)
})

test('a cron check is due at the next match in its own time zone', async () => {
  const check = await world.check(alice, { schedule: '0 9 * * *', tz: 'America/New_York' })
  await world.ping(check)
  assert.match((await get(check.uuid)).json.next_ping, /T14:00:00\+00:00$/)
})

test('a last duration of less than a second is shown as 0', async () => {
  const check = await world.check(alice)
  await world.ping(check, '/start')
  world.clock.advance(0.004)
  await world.ping(check)
  assert.equal((await get(check.uuid)).json.last_duration, 0)
})
