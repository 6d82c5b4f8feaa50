/** The runs of a check in Punctual's own API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld({ store: { pingLogLimit: 20 } })
const { alice, charlie, clock, store } = world
const PREFIX = '/api/punctual/v1/checks'
const runsOf = (uuid: string, query = '', key = alice.rw) => world.get(`${PREFIX}/${uuid}/runs${query}`, key)
const A = '10000000-0000-4000-8000-000000000000'
const B = '20000000-0000-4000-8000-000000000000'

/** A new check with these settings, and a function that pings it some seconds after the ping before. */
async function subject(settings: object = {}) {
  const check = await world.check(alice)
  const changed = await world.send('PATCH', `${PREFIX}/${check.uuid}`, { key: alice.rw, body: settings })
  assert.equal(changed.status, 200)
  const ping = async (seconds: number, suffix: string) => {
    clock.advance(seconds)
    await world.ping(check, suffix)
  }
  return { uuid: check.uuid as string, ping }
}

const instant = () => new Date(clock.now()).toISOString().replace(/\.\d+Z/, '+00:00')

test('named tests 13 and 14: a hung run stands beside the healthy one, and its late finish is its own', async () => {
  const { uuid, ping } = await subject({ track_runs: 'each', max_duration: 120 })
  await ping(1, `/start?rid=${A}`)
  const startA = instant()
  await ping(60, `/start?rid=${B}`)
  const startB = instant()
  await ping(30, `/0?rid=${B}`)
  const endB = instant()
  const open = {
    run_id: A,
    start: startA,
    end: null,
    duration: null,
    outcome: 'open',
    exit_status: null,
    pings: [1],
  }
  const done = {
    run_id: B,
    start: startB,
    end: endB,
    duration: 30,
    outcome: 'success',
    exit_status: 0,
    pings: [2, 3],
  }
  const { status, json } = await runsOf(uuid)
  assert.equal(status, 200)
  assert.deepEqual(json, { items: [done, open], next: null })
  await ping(200, `/7?rid=${A}`)
  const late = { ...open, end: instant(), duration: 290, outcome: 'overrun', exit_status: 7, pings: [1, 4] }
  assert.deepEqual((await runsOf(uuid)).json.items, [done, late])
})

test('a run that ended too soon, and one that the client measured', async () => {
  const { uuid, ping } = await subject({ min_duration: 60, failures_to_alert: 9 })
  await ping(1, '/start')
  await ping(10, '')
  await ping(1, '/start')
  await ping(10, '?duration=90.5')
  const shown = (await runsOf(uuid)).json.items.map(
    (run: { outcome: string; duration: number; pings: number[] }) => [run.outcome, run.duration, run.pings],
  )
  assert.deepEqual(shown, [
    ['success', 90, [3, 4]],
    ['too_short', 10, [1, 2]],
  ])
})

test('of a check with the defaults: the run that took too long, and those that were replaced', async () => {
  const { uuid, ping } = await subject({ grace: 60 })
  await ping(1, '/start')
  await ping(1, '/start')
  clock.advance(60)
  await store.alerts.declareDown(clock.now(), 100, null)
  const outcomes = async () => (await runsOf(uuid)).json.items.map((run: { outcome: string }) => run.outcome)
  assert.deepEqual(await outcomes(), ['overrun', 'superseded'])
  await ping(5, '')
  assert.deepEqual(await outcomes(), ['overrun', 'superseded'])
  await ping(5, '/fail')
  assert.deepEqual(await outcomes(), ['failed', 'overrun', 'superseded'])
})

test('pages follow each other by cursor, each run once, though new ones come in between', async () => {
  const { uuid, ping } = await subject()
  for (let run = 0; run < 5; run++) {
    await ping(1, '/start')
    await ping(1, '/log')
    await ping(1, '')
  }
  const seen: number[][] = []
  let cursor: string | null = null
  do {
    const { status, json } = await runsOf(uuid, cursor === null ? '?limit=2' : `?limit=2&cursor=${cursor}`)
    assert.equal(status, 200)
    seen.push(...json.items.map((run: { pings: number[] }) => run.pings))
    cursor = json.next
    await ping(1, '')
  } while (cursor !== null)
  assert.deepEqual(
    seen,
    [13, 10, 7, 4, 1].map(n => [n, n + 2]),
  )
})

test('runs that the log no longer holds are not listed', async () => {
  const { uuid, ping } = await subject()
  for (let run = 0; run < 25; run++) await ping(1, '')
  assert.equal((await runsOf(uuid)).json.items.length, 20)
})

test('a check without pings has no runs', async () => {
  const { uuid } = await subject()
  assert.deepEqual((await runsOf(uuid)).json, { items: [], next: null })
})

test('a read-only key lists runs, by the unique key too; an outsider does not', async () => {
  const { uuid, ping } = await subject()
  await ping(1, '')
  const { unique_key } = (await world.get(`${PREFIX}/${uuid}`, alice.ro)).json
  const { json, text } = await runsOf(unique_key, '', alice.ro)
  assert.equal(json.items.length, 1)
  assert.ok(!text.includes(uuid))
  assert.equal((await runsOf(uuid, '?limit=0', charlie.rw)).status, 404)
  assert.equal((await runsOf(unique_key, '', charlie.rw)).status, 404)
  assert.equal((await runsOf(uuid, '', 'x'.repeat(32))).status, 401)
})

test('parameters that are wrong or unknown are named', async () => {
  const { uuid } = await subject()
  const wrong = [
    'limit=0',
    'limit=201',
    'limit=x',
    'limit=',
    'limit=1&limit=2',
    'limit=1e1',
    'cursor=0',
    'cursor=-1',
  ]
  for (const query of [...wrong, 'cursor=9999999999', 'cursor=%00', 'page=2', '%ff=1']) {
    const { status, json, headers } = await runsOf(uuid, `?${query}`)
    assert.equal(status, 422, query)
    assert.equal(headers.get('Content-Type'), 'application/problem+json')
    assert.equal(json.errors.length, 1)
    if (/^[a-z]/.test(query)) assert.equal(json.errors[0].parameter, query.split('=')[0])
  }
})
