/** Cron and OnCalendar checks from end to end, across a change to summer time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, clock, store } = world

/** Moves the clock to an instant. */
async function moveTo(iso: string): Promise<void> {
  clock.advance((Date.parse(iso) - clock.now()) / 1000)
}

const shown = async (uuid: string) => (await world.get(`/api/v3/checks/${uuid}`, alice.rw)).json

test('a cron check is late and down at the right seconds, on the night the clocks go forward', async () => {
  // In Riga on 2026-03-29 there is no 03:30: the run moves to 04:00 local time, which is 01:00 UTC.
  const check = await world.check(alice, { schedule: '30 3 * * *', tz: 'Europe/Riga', grace: 600 })
  assert.equal(check.next_ping, null)
  await moveTo('2026-03-28T12:00:00Z')
  await world.send('GET', `/ping/${check.uuid}`)
  assert.equal((await shown(check.uuid)).next_ping, '2026-03-29T01:00:00+00:00')

  await moveTo('2026-03-29T00:59:59Z')
  assert.equal((await shown(check.uuid)).status, 'up')
  await moveTo('2026-03-29T01:00:00Z')
  assert.equal((await shown(check.uuid)).status, 'grace')
  await moveTo('2026-03-29T01:09:59Z')
  assert.equal((await shown(check.uuid)).status, 'grace')
  assert.equal((await store.alerts.declareDown(clock.now(), 10)).declared, 0)
  await moveTo('2026-03-29T01:10:00Z')
  const down = await shown(check.uuid)
  assert.deepEqual([down.status, down.next_ping], ['down', null])
  assert.equal((await store.alerts.declareDown(clock.now(), 10)).declared, 1)
  const flips = (await world.get(`/api/v3/checks/${check.uuid}/flips/`, alice.rw)).json
  assert.deepEqual(flips, [
    { timestamp: '2026-03-29T01:10:00+00:00', up: 0 },
    { timestamp: '2026-03-28T12:00:00+00:00', up: 1 },
  ])
})

test('an OnCalendar check waits for the first of its lines, each in its own zone', async () => {
  const schedule = '12:00 America/New_York\n12:00 Asia/Tokyo'
  const check = await world.check(alice, { schedule, tz: 'UTC', grace: 600 })
  await moveTo('2026-07-01T00:00:00Z')
  await world.send('GET', `/ping/${check.uuid}`)
  assert.equal((await shown(check.uuid)).next_ping, '2026-07-01T03:00:00+00:00')
  await moveTo('2026-07-01T03:00:00Z')
  await world.send('GET', `/ping/${check.uuid}`)
  assert.equal((await shown(check.uuid)).next_ping, '2026-07-01T16:00:00+00:00')
})

test('a change of schedule or zone moves the next ping, and a legacy zone name is rewritten', async () => {
  const check = await world.check(alice, { schedule: '0 12 * * *', tz: 'UTC', grace: 600 })
  await moveTo('2026-08-01T00:00:00Z')
  await world.send('GET', `/ping/${check.uuid}`)
  const next = async (changes: object) => {
    const { json } = await world.send('POST', `/api/v3/checks/${check.uuid}`, {
      key: alice.rw,
      body: changes,
    })
    return [json.tz, json.next_ping]
  }
  assert.deepEqual(await next({ tz: 'Europe/Kiev' }), ['Europe/Kyiv', '2026-08-01T09:00:00+00:00'])
  assert.deepEqual(await next({ schedule: '*:0/30' }), ['Europe/Kyiv', '2026-08-01T00:30:00+00:00'])
  assert.deepEqual(await next({ timeout: 60 }), [undefined, '2026-08-01T00:01:00+00:00'])
})

test('a schedule that has ended leaves its check up for ever', async () => {
  const check = await world.check(alice, { schedule: '2020-01-01', tz: 'UTC', grace: 60 })
  await world.send('GET', `/ping/${check.uuid}`)
  await moveTo('2030-01-01T00:00:00Z')
  const { status, next_ping } = await shown(check.uuid)
  assert.deepEqual([status, next_ping], ['up', null])
})
