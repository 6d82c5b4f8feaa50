import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MissedPings } from '../../../src/actions/pings/note-missed-pings.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const T = 1_800_000_000_000
const S = 1_000
const M = 60 * S
const HOUR = 60 * M
const DAY = 24 * HOUR

/** What the message would say that is due now. */
async function outageToldOf(scene: StoreHarness) {
  const [message] = await scene.claim()
  const { checkId, flipId } = message!.parts[0]!
  const facts = await scene.store.alerts.facts(checkId!, flipId!)
  return facts!.outage
}

test('pings that failed for a moment hold deadlines for 30 s, and the message says so', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  const missed = { from: deadline - 4 * S, to: deadline - 2 * S }
  const { outages } = await scene.store.instance.beat('me', deadline - S, { missed: [missed] })
  assert.deepEqual(outages, [
    { startedAt: missed.from, endedAt: missed.to, holdUntil: missed.to + 30 * S, partial: false },
  ])
  await scene.store.instance.beat('me', missed.to + 30 * S)
  assert.equal((await scene.store.alerts.declareDown(missed.to + 30 * S - 1, 10)).declared, 0)
  scene.now = missed.to + 30 * S
  assert.equal((await scene.store.alerts.declareDown(scene.now, 10)).declared, 1)
  assert.deepEqual(await outageToldOf(scene), outages[0])
})

test('pings that failed for long hold deadlines even if other processes record theirs', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  await scene.beat(deadline - 45 * S, deadline)
  const missed = [{ from: deadline - 60 * S, to: deadline }]
  await scene.store.instance.beat('another', deadline + S, { missed })
  for (const name of ['me', 'another']) await scene.store.instance.beat(name, deadline + 60 * S)
  assert.equal((await scene.store.alerts.declareDown(deadline + 59 * S, 10)).declared, 0)
  assert.equal((await scene.store.alerts.declareDown(deadline + 60 * S, 10)).declared, 1)
})

test('no check is shown down for a ping that was due after the newest beat', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  const isShownUp = async (at: number) =>
    /hc_check_up\{.*\} 1/.test(await scene.store.checks.showPrometheus(scene.projectId, at))
  await scene.store.instance.beat('me', deadline - S)
  for (const at of [deadline, deadline + 5 * S, deadline + 14 * S]) assert.equal(await isShownUp(at), true)
  assert.equal((await scene.store.instance.state(deadline + S)).heldUntil, null, 'that is no outage')
  await scene.store.instance.beat('me', deadline + 15 * S)
  assert.equal(await isShownUp(deadline + 15 * S), false)
})

test('checks that wait do not take the places of those that are down', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('broken', 'fail')
  scene.now += S
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  const [project] = await scene.store.projects.list()
  const downAt = async (at: number) =>
    (await scene.store.checks.listDown([project!.uuid], at, 1)).map(({ slug }) => slug)
  await scene.store.instance.beat('me', deadline - S)
  assert.deepEqual(await downAt(deadline), ['broken'])
  await scene.store.instance.beat('me', deadline + S)
  assert.deepEqual(await downAt(deadline + S), ['backup'])
})

test('pages hold a deadline as soon as a beat reports failing pings', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  const held = async (at: number) => (await scene.store.instance.state(at)).heldUntil !== null
  await scene.store.instance.beat('me', deadline)
  assert.equal(await held(deadline), false)
  await scene.store.instance.beat('me', deadline + S, { heardUntil: deadline - S })
  assert.equal(await held(deadline + S), true)
})

test('another process stores that a process vanished, and silence is still noticed', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  await scene.store.instance.beat('vanished', deadline - S)
  const beat = (at: number) => scene.store.instance.beat('me', at)
  const declared = async (at: number) =>
    (await scene.store.alerts.declareDown(at, 10, { process: 'me', heardUntil: at })).declared
  assert.deepEqual(await beat(deadline + 14 * S), { outages: [], others: true, doubt: null })
  assert.equal(await declared(deadline + 14 * S), 0)
  const { outages, others } = await beat(deadline + 14 * S + 1)
  const holdUntil = deadline + 44 * S
  assert.deepEqual(outages, [
    { startedAt: deadline - S, endedAt: deadline + 14 * S, holdUntil, partial: true },
  ])
  assert.equal(others, false)
  assert.equal(await declared(holdUntil - 1), 0)
  assert.equal(await declared(holdUntil), 1)
})

test('the last process to stop stores when it stopped', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  for (const name of ['one', 'two']) await store.instance.beat(name, T, { phase: 'starting' })
  await store.instance.beat('one', T + S, { phase: 'stopping' })
  await store.instance.beat('two', T + 2 * S, { phase: 'stopping' })
  assert.deepEqual(await raw('SELECT process, heard_at, stopped FROM beats'), [
    { process: 'two', heard_at: T + 2 * S, stopped: 1 },
  ])
  const { outages } = await store.instance.beat('three', T + 3 * S, { phase: 'starting' })
  assert.deepEqual(
    outages.map(({ startedAt, endedAt }) => [startedAt, endedAt]),
    [[T + 2 * S, T + 3 * S]],
  )
})

test('a process that starts beside a healthy one stores no outage', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  for (let n = 0; n < 10; n++) {
    const from = T + n * 60 * S
    const startedAt = from + n * 500
    await store.instance.beat('healthy', from)
    let { doubt } = await store.instance.beat(`new ${n}`, startedAt, { phase: 'starting' })
    assert.equal(doubt?.from, from, 'silence is not judged yet')
    await store.instance.beat('healthy', from + 5 * S)
    ;({ doubt } = await store.instance.beat(`new ${n}`, from + 5_500, { phase: 'starting', doubt }))
    assert.equal(doubt, null)
    await store.instance.beat(`new ${n}`, from + 6 * S, { phase: 'stopping' })
  }
  assert.deepEqual(await raw('SELECT * FROM outages'), [])
})

test('a process that starts after a kill holds deadlines until the outage is stored', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  const declared = async (at: number) => (await scene.store.alerts.declareDown(at, 10)).declared
  await scene.store.instance.beat('killed', deadline - S)
  const { doubt } = await scene.store.instance.beat('new', deadline + S, { phase: 'starting' })
  assert.equal(await declared(deadline + 6 * S), 0)
  const facts = { phase: 'starting' as const, doubt }
  const { outages, others } = await scene.store.instance.beat('new', deadline + 7 * S, facts)
  assert.deepEqual(outages, [
    { startedAt: deadline - S, endedAt: deadline + S, holdUntil: deadline + 31 * S, partial: false },
  ])
  assert.equal(others, false)
  await scene.store.instance.beat('new', deadline + 31 * S)
  assert.equal(await declared(deadline + 31 * S - 1), 0)
  assert.equal(await declared(deadline + 31 * S), 1)
})

test('outages are deleted a hundred days after their hold', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const miss = (at: number) => store.instance.beat('me', at + S, { missed: [{ from: at, to: at + S }] })
  for (const at of [T, T + 50 * DAY, T + 101 * DAY]) await miss(at)
  assert.deepEqual(await raw('SELECT started_at FROM outages ORDER BY started_at'), [
    { started_at: T + 50 * DAY },
    { started_at: T + 101 * DAY },
  ])
})

test('pings missed by several processes at the same time are one outage', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  await store.instance.beat('another', T + 8 * S)
  await store.instance.beat('one', T + 8 * S, { heardUntil: T + 2 * S })
  await store.instance.beat('two', T + 9 * S, { missed: [{ from: T + S, to: T + 5 * S }] })
  await store.instance.beat('one', T + 10 * S, { missed: [{ from: T + 2 * S, to: T + 8 * S }] })
  assert.deepEqual(await raw('SELECT started_at, ended_at FROM outages'), [
    { started_at: T + S, ended_at: T + 8 * S },
  ])
})

test('pings that no process recorded are held as such, however many there are', async t => {
  const limit = 8 * S
  const scene = await StoreHarness.open(t, { outageHoldMs: limit })
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  const beat = (name: string, after: number, from?: number) => {
    const missed = from === undefined ? [] : [{ from: deadline + from, to: deadline + after }]
    return scene.store.instance.beat(name, deadline + after, { missed })
  }
  const since = deadline - S
  // The database hangs for 12 seconds.
  for (const name of ['one', 'two']) await beat(name, -S)
  const { outages } = await beat('one', 11 * S, -S + 10)
  assert.deepEqual(
    outages.map(({ startedAt, partial }) => ({ startedAt, partial })),
    [{ startedAt: since + 10, partial: false }],
  )
  const { outages: ofTwo } = await beat('two', 11 * S + 20, -S + 5)
  assert.deepEqual(
    ofTwo.map(({ startedAt, partial }) => ({ startedAt, partial })),
    [{ startedAt: since + 5, partial: true }],
  )
  for (const name of ['one', 'two']) await beat(name, 19 * S)
  assert.equal((await scene.store.alerts.declareDown(deadline + 19 * S, 10)).declared, 0)
  for (const name of ['one', 'two']) await beat(name, 19 * S + 20)
  assert.equal((await scene.store.alerts.declareDown(deadline + 19 * S + 20, 10)).declared, 1)
})

test('a check whose alert waits for a hold is shown as one that waits until its end', async t => {
  const limit = 20 * S
  const scene = await StoreHarness.open(t, { outageHoldMs: limit })
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  const beat = (at: number, missed: { from: number; to: number; partial: boolean }[] = []) =>
    scene.store.instance.beat('me', at, { missed })
  const isShownUp = async (at: number) =>
    /hc_check_up\{.*\} 1/.test(await scene.store.checks.showPrometheus(scene.projectId, at))
  await beat(deadline + 14 * S, [{ from: deadline - S, to: deadline + 14 * S, partial: true }])
  for (let after = 14 * S; after < 31 * S; after += S) {
    const at = deadline + after
    await beat(at)
    const { declared } = await scene.store.alerts.declareDown(at, 10)
    assert.deepEqual([await isShownUp(at + 900), declared], [true, 0], `after ${after / S} s`)
  }
})

test('an hour that a wrong clock made up is held for 30 s when the clock is set back', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('before')
  const deadline = scene.now + DAY + HOUR
  const truth = deadline - 30 * M
  // The clock is an hour ahead for a while: a deadline is held back, a failure waits to be told again.
  assert.ok(await scene.absence(truth, truth + HOUR))
  await scene.store.alerts.declareDown(truth + HOUR, 10)
  scene.now = truth + HOUR + S
  await scene.ping('failed', 'fail')
  await scene.addChannel('B')
  await scene.ping('silent')
  scene.now = truth + 5 * S
  const nextDelivery = async () => (await scene.store.alerts.dueChannels({ now: scene.now, cursor: 0 })).next
  assert.ok((await nextDelivery())! > scene.now)

  await scene.store.instance.beat('me', scene.now)
  const due = (await nextDelivery()) ?? scene.now
  assert.ok(due <= scene.now + 5 * S, 'the message waits no longer than from one beat to the next')
  assert.equal((await scene.store.instance.state(scene.now)).heldUntil, scene.now + 30 * S)
  await scene.store.alerts.declareDown(scene.now, 10)
  assert.equal(
    await scene.store.alerts.nextWake(),
    deadline,
    'the deadline that was held back is the next again',
  )
  await scene.beat(scene.now, deadline)
  await scene.store.alerts.declareDown(deadline, 10)
  const silentUntil = truth + S + DAY + HOUR
  const next = (await scene.store.alerts.nextWake())!
  assert.ok(
    next >= silentUntil && next <= silentUntil + 5 * S,
    'silence counts from when the ping really came',
  )
})

const spans = 'SELECT started_at, ended_at, hold_until FROM outages ORDER BY started_at'
const span = (from: number, to: number, hold: number) => ({
  started_at: from,
  ended_at: to,
  hold_until: hold,
})

test('a kill and a start with a clock ahead leave the true outage once it is corrected', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  await store.instance.beat('killed', T)
  await store.instance.beat('new', T + 2 * HOUR, { phase: 'starting' })
  await store.instance.beat('new', T + 10 * S)
  assert.deepEqual(await raw(spans), [span(T, T + 10 * S, T + 40 * S)])
})

test('a kill beside another process is noted even if the clock was set back before', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  await store.instance.beat('killed', T + HOUR)
  await store.instance.beat('me', T + HOUR + 300)
  const setBack = { setBacks: [HOUR] }
  assert.deepEqual(await store.instance.beat('me', T + S, setBack), {
    outages: [],
    others: true,
    doubt: null,
  })
  await store.instance.beat('me', T + 16 * S)
  assert.deepEqual(await raw(spans), [span(T, T + 15 * S, T + 45 * S)])
})

test('a kill before a start is noted even if the clock is set back during the doubt', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const missed = new MissedPings()
  missed.follow(T + HOUR, 0)
  await store.instance.beat('killed', T + HOUR - 2 * S)
  missed.doubt = (await store.instance.beat('me', T + HOUR, { phase: 'starting' })).doubt
  for (let second = 1; second < 9; second++) {
    const now = T + second * S
    missed.follow(now, second * S)
    const { doubt, setBacks } = missed
    const said = await store.instance.beat('me', now, { phase: 'starting', doubt, setBacks })
    missed.stored([], setBacks)
    missed.doubt = said.doubt
  }
  assert.deepEqual(await raw(spans), [span(T - 2 * S, T, T + 30 * S)])
})

test('of two steps back, the one that another process repaired is not repaired again', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  await store.instance.beat('me', T + 2 * HOUR)
  await store.instance.beat('other', T + HOUR + S, { setBacks: [HOUR] })
  await store.instance.beat('me', T + 2 * S, { setBacks: [HOUR, HOUR] })
  assert.deepEqual(await raw(`SELECT beat_at FROM beats WHERE process = 'other'`), [{ beat_at: T + S }])
})

test('times missed by a clock that was ahead move back with it', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const ahead = T + HOUR
  await store.instance.beat('me', ahead - 2 * S)
  await store.instance.beat('me', ahead, { missed: [{ from: ahead - 9 * S, to: ahead - S }] })
  await store.instance.beat('me', T + S)
  const [row] = await raw(spans)
  assert.ok((row!.started_at as number) <= T - 8 * S && (row!.started_at as number) >= T - 15 * S)
  assert.ok((row!.ended_at as number) <= T + S)
})

test('a process that notices a step back of less than a minute cuts the outage that ends ahead', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  await store.instance.beat('me', T - S)
  await store.instance.beat('me', T + 40 * S, { missed: [{ from: T - S, to: T + 40 * S }] })
  await store.instance.beat('other', T + 4 * S)
  assert.deepEqual(await raw(spans), [span(T - S, T + 40 * S, T + 81 * S)])
  await store.instance.beat('me', T + 5 * S, { setBacks: [40 * S] })
  assert.deepEqual(await raw(spans), [span(T - S, T + 5 * S, T + 35 * S)])
})

test('after a longer step, an outage that ends less than a minute ahead is cut too', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  await store.instance.beat('me', T + 100 * S, { missed: [{ from: T - S, to: T + 100 * S }] })
  await store.instance.beat('me', T + 145 * S)
  await store.instance.beat('me', T + 46 * S, { setBacks: [100 * S] })
  assert.deepEqual(await raw(spans), [span(T - S, T + 46 * S, T + 93 * S)])
})

test('a process that finds no other cuts any outage that ends ahead', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  await store.instance.beat('stopped', T + 40 * S, { missed: [{ from: T - S, to: T + 40 * S }] })
  await store.instance.beat('stopped', T + 43 * S, { phase: 'stopping' })
  await store.instance.beat('me', T + 5 * S, { phase: 'starting' })
  assert.deepEqual(await raw(spans), [span(T - S, T + 5 * S, T + 35 * S)])
})

for (const phase of [undefined, 'starting' as const]) {
  test(`a stored outage that ends after now is cut by a beat (${phase ?? 'running'})`, async t => {
    const { store, raw, remove } = await openFreshStore()
    t.after(remove)
    for (const from of [T - S, T + 10 * M]) {
      await raw(
        `INSERT INTO outages (started_at, ended_at, hold_until, partial)
        VALUES (${from}, ${T + HOUR}, ${T + 2 * HOUR}, 0)`,
      )
    }
    await store.instance.beat('me', T, { phase })
    assert.deepEqual(await raw(spans), [span(T - S, T, T + 30 * S)])
  })
}

test('no outage is stored that ends after now', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  await store.instance.beat('me', T, { missed: [{ from: T - S, to: T + HOUR }] })
  await store.instance.beat('me', T + M, { missed: [{ from: T + HOUR, to: T + HOUR }] })
  assert.deepEqual(await raw(spans), [span(T - S, T, T + 30 * S), span(T + M - 1, T + M, T + M + 30 * S)])
})

test('processes whose clocks differ by seconds do not cut each other’s outages', async t => {
  const scene = await StoreHarness.open(t)
  const outage = await scene.absence(scene.now, scene.now + M)
  await scene.store.instance.beat('two', scene.now + M - 5 * S)
  assert.equal((await scene.store.instance.state(scene.now + M)).heldUntil, outage!.holdUntil)
})

test('a process that keeps crashing beside a healthy one delays nothing for long', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  const declared = async (at: number) =>
    (await scene.store.alerts.declareDown(at, 10, { process: 'healthy', heardUntil: at })).declared
  let alertedAfter: number | null = null
  for (let after = -M; after < 15 * M && alertedAfter === null; after += 2 * S) {
    await scene.store.instance.beat('healthy', deadline + after)
    // Killed after eight seconds and replaced at once.
    const life = Math.floor(after / (8 * S))
    await scene.store.instance.beat(`crashing ${life}`, deadline + after)
    if ((await declared(deadline + after)) > 0) alertedAfter = after
  }
  assert.ok(alertedAfter !== null && alertedAfter > 9 * M && alertedAfter < 11 * M, `${alertedAfter}`)
})

test('a process whose clock is behind does not look as if it had ended', async t => {
  const scene = await StoreHarness.open(t)
  for (let n = 0; n < 60; n++) {
    await scene.store.instance.beat('right', scene.now + n * S)
    const { outages } = await scene.store.instance.beat('behind', scene.now + n * S - 20 * S)
    assert.deepEqual(outages, [])
  }
  const { outages, others } = await scene.store.instance.beat('right', scene.now + 60 * S)
  assert.deepEqual([outages, others], [[], true])
})

test('short trouble close together is one row, and holds at most twice the limit', async t => {
  const limit = 15 * S
  const { store, raw, remove } = await openFreshStore({ outageHoldMs: limit })
  t.after(remove)
  for (let n = 0; n < 50; n++) {
    const from = T + n * S
    await store.instance.beat('me', from + 900, { missed: [{ from, to: from + 600, partial: n % 2 === 0 }] })
  }
  const rows = await raw('SELECT partial, heard_ms FROM outages ORDER BY partial')
  assert.deepEqual(rows, [
    { partial: 0, heard_ms: 24 * 1_400 },
    { partial: 1, heard_ms: 0 },
  ])
})

for (const [what, change] of [
  [
    'a change of settings',
    async ({ store, projectId, now }: StoreHarness, uuid: string) => {
      const { check } = await store.checks.update(projectId, uuid, { changes: { name: 'New' }, now })
      return check.status
    },
  ],
  [
    'a change of several checks',
    async ({ store, projectId, now }: StoreHarness, uuid: string) => {
      const projectIds = [projectId]
      const edit = { timing: { graceSeconds: 7_200 } }
      const rows = await store.checks.previewEdit({ projectIds, uuids: [uuid], edit })
      const seen = new Map(rows.map(({ check, seen }) => [check.uuid, seen]))
      await store.checks.edit({ projectIds, seen, edit, userId: 1, now })
      return (await store.checks.pause(projectId, uuid, now)).before.status
    },
  ],
  [
    'a pause',
    async ({ store, projectId, now }: StoreHarness, uuid: string) =>
      (await store.checks.pause(projectId, uuid, now)).before.status,
  ],
] as const) {
  test(`${what} does not judge a deadline before it is known which pings arrived`, async t => {
    const scene = await StoreHarness.open(t)
    await scene.ping('backup')
    const [uuid] = await scene.checkUuids()
    const changes = { maxDurationSeconds: 6 }
    await scene.store.checks.update(scene.projectId, uuid!, { changes, now: scene.now })
    await scene.ping('backup', 'start')
    const deadline = scene.now + 6 * S
    await scene.store.instance.beat('me', deadline - S)
    scene.now = deadline + S / 2
    assert.equal(await change(scene, uuid!), 'up')
    await scene.store.instance.beat('me', deadline + S)
    assert.equal(
      (await scene.store.alerts.declareDown(deadline + S, 10)).declared,
      what === 'a change of settings' ? 1 : 0,
    )
  })
}
