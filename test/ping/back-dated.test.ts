/** `?at=`: pings that are sent later, with their true times. What they do is in core/checks/health/histories/back-dated.ts. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { arrivedPing } from '../_support/arrived-ping.js'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()
const { alice, clock, store } = world
const API = '/api/punctual/v1'
const DAY = 86_400

/** The UNIX time `seconds` ago. */
const ago = (seconds: number) => String(clock.now() / 1000 - seconds)
const check = async (fields: object = {}): Promise<{ uuid: string }> => await world.check(alice, fields)
const logOf = async (uuid: string) => (await world.get(`${API}/checks/${uuid}/pings`, alice.rw)).json.items

const WRONG = 'invalid at: send a UNIX time in seconds of the last 7 days, not of the future'

test('a time that is none, of the future or too long ago is refused', async () => {
  const { uuid } = await check()
  for (const at of [
    '',
    'now',
    '-5',
    '1e9',
    '0x10',
    '2026-03-05',
    ago(-301),
    ago(7 * DAY + 1),
    '99999999999999',
  ]) {
    const { status, text } = await world.get(`/ping/${uuid}?at=${encodeURIComponent(at)}`)
    assert.deepEqual([status, text], [400, WRONG], at)
  }
  assert.deepEqual(await logOf(uuid), [])
  const unknown = await world.get(`/ping/${randomUUID()}?at=now`)
  assert.deepEqual([unknown.status, unknown.text], [404, 'not found'])
})

test('a time of the last seven days is taken, and a clock that is a little ahead means now', async () => {
  const { uuid } = await check()
  for (const at of [ago(7 * DAY), ago(0.25), ago(-300)]) await world.ping({ uuid }, `?at=${at}`)
  const times = (await logOf(uuid)).map(({ ran_at }: { ran_at: string }) => Date.parse(ran_at) - clock.now())
  assert.deepEqual(times, [0, -250, -7 * DAY * 1000])
})

test('the log shows both times, and versions 1 to 3 of the API the order of arrival', async () => {
  const { uuid } = await check({ timeout: 3600, grace: 3600 })
  const rid = randomUUID()
  await world.ping({ uuid })
  await world.ping({ uuid }, `/start?at=${ago(300)}`)
  clock.advance(60)
  await world.ping({ uuid }, `/start?rid=${rid}&at=${ago(50)}`)
  clock.advance(1)
  await world.ping({ uuid }, `/3?rid=${rid}&at=${ago(41)}`)
  const [end, start] = await logOf(uuid)
  assert.equal(Date.parse(end.at), clock.now())
  assert.equal(Date.parse(end.ran_at), clock.now() - 41_000)
  assert.equal(Date.parse(start.ran_at), clock.now() - 51_000)
  assert.equal(end.duration, 10)
  const { pings } = (await world.get(`/api/v3/checks/${uuid}/pings/`, alice.rw)).json
  assert.deepEqual(
    pings.map(({ n, type, date, duration }: Record<string, unknown>) => [n, type, date, duration]),
    [
      [4, 'fail', end.at, 10],
      [3, 'start', start.at, undefined],
      [2, 'start', pings[2].date, undefined],
      [1, 'success', pings[3].date, undefined],
    ],
  )
  assert.deepEqual(Object.keys(pings[0]).includes('ran_at'), false)
  const run = (await world.get(`${API}/checks/${uuid}/runs`, alice.rw)).json.items[0]
  assert.deepEqual([run.duration, run.outcome, run.exit_status], [10, 'failed', 3])
  assert.equal(Date.parse(run.start), Math.floor(Date.parse(start.ran_at) / 1000) * 1000)
})

test('a ping that is sent again is recorded once', async () => {
  const { uuid } = await check()
  const rid = randomUUID()
  const sent = async (query: string) => {
    await world.ping({ uuid }, query)
    return (await logOf(uuid)).length
  }
  assert.equal(await sent(`/start?rid=${rid}&at=${ago(60)}`), 1)
  assert.equal(await sent(`/start?rid=${rid}&at=${ago(60)}`), 1)
  assert.equal(await sent(`/0?rid=${rid}&at=${ago(50)}`), 2)
  assert.equal(await sent(`/0?rid=${rid}&at=${ago(50)}`), 2)
  assert.equal(await sent(`/log?rid=${rid}&at=${ago(50)}`), 3, 'another action')
  assert.equal(await sent(`/0?rid=${randomUUID()}&at=${ago(50)}`), 4, 'another run')
  assert.equal(await sent(`/log?rid=${rid}&at=${ago(49)}`), 5, 'another time')
  assert.equal(await sent(`?at=${ago(40)}`), 6, 'without a run ID')
  assert.equal(await sent(`?at=${ago(40)}`), 6)
})

test('a ping whose answer was lost is not recorded again when it is sent later', async () => {
  const { uuid } = await check()
  const rid = randomUUID()
  await world.ping({ uuid }, `/start?rid=${rid}`)
  const begun = clock.now()
  clock.advance(30)
  await world.ping({ uuid }, `/2?rid=${rid}`)
  clock.advance(3600)
  await world.ping({ uuid }, `/start?rid=${rid}&at=${(begun - 1000) / 1000}`)
  await world.ping({ uuid }, `/2?rid=${rid}&at=${(begun + 29_000) / 1000}`)
  assert.equal((await logOf(uuid)).length, 2)
  await world.ping({ uuid }, `/0?rid=${rid}&at=${(begun + 29_000) / 1000}`)
  await world.ping({ uuid }, `/start?at=${(begun - 1000) / 1000}`)
  assert.equal((await logOf(uuid)).length, 4, 'another exit status, and no run ID')
})

test('a success that was judged as too short is known when it is sent again', async () => {
  const { uuid } = await check()
  await store.checks.update(alice.projectId, uuid, { changes: { minDurationSeconds: 60 }, now: clock.now() })
  const query = `?rid=${randomUUID()}&duration=5`
  await world.ping({ uuid }, query)
  await world.ping({ uuid }, `${query}&at=${ago(1)}`)
  assert.deepEqual(
    (await logOf(uuid)).map(({ cause }: { cause: string }) => cause),
    ['too_short'],
  )
})

test('of the same ping twice in a batch, one is recorded', async () => {
  const { uuid } = await check()
  const [now, rid] = [clock.now(), randomUUID()]
  const late = arrivedPing({ uuid }, now, { ranAt: now - 5_000, rid })
  const { outcomes } = await store.pings.record([
    late,
    arrivedPing({ uuid }, now),
    late,
    arrivedPing({ uuid }, now, { rid: randomUUID() }),
  ])
  assert.deepEqual(outcomes, ['ok', 'ok', 'ok', 'ok'])
  assert.equal((await logOf(uuid)).length, 3)
})

test('create=1 makes the check, whose last ping is at its true time', async () => {
  const at = clock.now() - 3_600_000
  const { status, text } = await world.get(`/ping/${alice.pingKey}/spooled?create=1&at=${at / 1000}`)
  assert.deepEqual([status, text], [201, 'Created'])
  const { checks } = (await world.get('/api/v3/checks/?slug=spooled', alice.rw)).json
  assert.deepEqual([checks[0].status, Date.parse(checks[0].last_ping)], ['up', at])
})

test('the recovery and its log say when the job ran; what was missed is not counted again', async () => {
  const { uuid } = await check({ timeout: 3600, grace: 60 })
  await world.ping({ uuid })
  const before = clock.now()
  clock.advance(3 * 3600)
  await store.alerts.declareDown(clock.now(), 100)
  await world.ping({ uuid }, `?at=${(before + 2.5 * 3_600_000) / 1000}`)
  const flips = (await world.get(`/api/v3/checks/${uuid}/flips/`, alice.rw)).json
  assert.deepEqual(
    flips.map(({ up }: { up: number }) => up),
    [1, 0, 1],
  )
  assert.equal(Date.parse(flips[0].timestamp), clock.now())
  const [flip] = await world.raw('SELECT id, check_id FROM flips ORDER BY id DESC LIMIT 1')
  const facts = (await store.alerts.facts(Number(flip!.check_id), Number(flip!.id)))!
  assert.equal(facts.lastPing!.ranAt, before + 2.5 * 3_600_000)
})
