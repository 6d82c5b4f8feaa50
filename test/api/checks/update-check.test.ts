import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie } = world
const update = (uuid: string, body: unknown, key = alice.rw) =>
  world.post(`/api/v3/checks/${uuid}`, key, body)
const get = async (uuid: string) => (await world.get(`/api/v3/checks/${uuid}`, alice.rw)).json

test('what is not sent stays as it is', async () => {
  const check = await world.check(alice, {
    name: 'n',
    slug: 's',
    tags: 't',
    desc: 'd',
    timeout: 60,
    grace: 90,
  })
  const { status, json } = await update(check.uuid, { name: 'renamed' })
  assert.equal(status, 200)
  assert.deepEqual(json, { ...check, name: 'renamed' })
  assert.deepEqual(await get(check.uuid), json)
  assert.deepEqual((await update(check.uuid, {})).json, json)
  assert.deepEqual((await update(check.uuid, undefined)).json, json)
})

test('every field can be changed, to the empty value as well', async () => {
  const check = await world.check(alice)
  const values = {
    name: 'n',
    slug: 's',
    tags: 't',
    desc: 'd',
    grace: 60,
    manual_resume: true,
    methods: 'POST',
    start_kw: 'a',
    success_kw: 'b',
    failure_kw: 'c',
    filter_subject: true,
    filter_body: true,
    filter_http_body: true,
    filter_default_fail: true,
    timeout: 61,
  }
  const { json } = await update(check.uuid, values)
  for (const [name, value] of Object.entries(values)) assert.equal(json[name], value, name)
  const { grace, timeout, ...empty } = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'boolean' ? false : '']),
  )
  const cleared = (await update(check.uuid, empty)).json
  for (const [name, value] of Object.entries(empty)) assert.equal(cleared[name], value, name)
})

test('a schedule makes a simple check a cron check, a timeout makes it simple again', async () => {
  const check = await world.check(alice, { timeout: 120 })
  const cron = (await update(check.uuid, { schedule: '5 4 * * *', tz: 'Europe/Riga' })).json
  assert.equal(cron.schedule, '5 4 * * *')
  assert.equal(cron.tz, 'Europe/Riga')
  const simple = (await update(check.uuid, { timeout: 180 })).json
  assert.equal(simple.timeout, 180)
  assert.ok(!('schedule' in simple))
  // The zone that was stored comes back with the next schedule.
  const calendar = (await update(check.uuid, { schedule: '*-*-* 05:00' })).json
  assert.equal(calendar.tz, 'Europe/Riga')
  const both = (await update(check.uuid, { schedule: '0 0 * * *', timeout: 60 })).json
  assert.equal(both.schedule, '0 0 * * *')
})

test('a zone alone changes a cron check’s zone and never the kind', async () => {
  const simple = await world.check(alice)
  assert.ok('timeout' in (await update(simple.uuid, { tz: 'Europe/Riga' })).json)
  const cron = await world.check(alice, { schedule: '0 12 * * *' })
  await world.ping(cron)
  const { json } = await update(cron.uuid, { tz: 'Asia/Tokyo' })
  assert.equal(json.tz, 'Asia/Tokyo')
  assert.match(json.next_ping, /T03:00:00/)
})

test('a shorter period makes the check late or down at once, and wakes the watcher', async () => {
  const check = await world.check(alice, { timeout: 3600, grace: 3600 })
  await world.ping(check)
  world.clock.advance(1800)
  const woken: number[] = []
  const stop = world.changes.on('deadline', ({ at }) => woken.push(at))
  const late = (await update(check.uuid, { timeout: 600 })).json
  assert.equal(late.status, 'grace')
  const down = (await update(check.uuid, { grace: 60 })).json
  stop()
  assert.equal(down.status, 'down')
  assert.equal(down.next_ping, null)
  assert.deepEqual(woken, [world.clock.now() - 1800_000 + 4200_000, world.clock.now() - 1800_000 + 660_000])
  assert.equal(await world.store.alerts.nextWake(), world.clock.now() - 1800_000 + 660_000)
  // Stored, the check is still up: the watcher makes the flip and tells of it.
  await world.store.alerts.declareDown(world.clock.now(), 10)
  const { json } = await world.get(`/api/v3/checks/${check.uuid}/flips/`, alice.rw)
  assert.equal(json[0].up, 0)
})

test('a longer period brings a late check back in time', async () => {
  const check = await world.check(alice, { timeout: 600 })
  await world.ping(check)
  world.clock.advance(700)
  assert.equal((await get(check.uuid)).status, 'grace')
  assert.equal((await update(check.uuid, { timeout: 6000 })).json.status, 'up')
})

test('no update makes a down check up', async () => {
  const check = await world.check(alice)
  await world.ping(check, '/fail')
  assert.equal((await update(check.uuid, { timeout: 6000 })).json.status, 'down')
})

test('an unknown check is not found, another project’s is forbidden, whatever the body holds', async () => {
  const his = await world.check(charlie)
  const nobody = '00000000-0000-4000-8000-000000000000'
  for (const body of [{}, { name: 1 }, { channels: 'x' }]) {
    assert.equal((await update(nobody, body)).status, 404)
    assert.equal((await update(his.uuid, body)).status, 403)
  }
  assert.deepEqual((await world.get(`/api/v3/checks/${his.uuid}`, charlie.rw)).json, his)
})

test('a pause, a rename and a ping at the same time do not overwrite each other', async () => {
  const check = await world.check(alice, { name: 'before' })
  await world.ping(check)
  await Promise.all([
    update(check.uuid, { name: 'after' }),
    update(check.uuid, { desc: 'described' }),
    world.ping(check, '/log'),
    world.post(`/api/v3/checks/${check.uuid}/pause`, alice.rw),
  ])
  const { name, desc, status, n_pings } = await get(check.uuid)
  assert.deepEqual(
    { name, desc, status, n_pings },
    { name: 'after', desc: 'described', status: 'paused', n_pings: 2 },
  )
})

test('named test 16: an update through the API, old or own, does not resume a paused check', async () => {
  const { uuid } = await world.check(alice, { timeout: 60, grace: 60 })
  await world.ping({ uuid })
  await world.post(`/api/v3/checks/${uuid}/pause`, alice.rw)
  const own = (body: object) =>
    world.send('PATCH', `/api/punctual/v1/checks/${uuid}`, { key: alice.rw, body })
  const old = (version: number, body: object) => world.post(`/api/v${version}/checks/${uuid}`, alice.rw, body)
  const changes = [
    () => old(1, { name: 'renamed' }),
    () => old(2, { timeout: 120, grace: 90 }),
    () => old(3, { schedule: '* * * * *', tz: 'Europe/Riga' }),
    () => old(3, { manual_resume: true }),
    () => old(3, { manual_resume: false }),
    () => own({ max_duration: 60, track_runs: 'each', failures_to_alert: 3, early: 60 }),
    () => own({ period: 60 }),
    () => own({ track_runs: 'latest', max_duration: null, failures_to_alert: 1, early: 0 }),
  ]
  for (const change of changes) {
    assert.equal((await change()).status, 200)
    world.clock.advance(3_600)
    await world.store.alerts.declareDown(world.clock.now(), 100)
    const { status, next_ping } = await get(uuid)
    assert.deepEqual([status, next_ping], ['paused', null], String(change))
  }
})
