import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { recordPings } from '../../_support/record-pings.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const DAY = 86_400_000
const HOUR = 3_600_000

test('a check goes down exactly when its grace time ends, with its delivery, and only once', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  assert.equal(await scene.store.alerts.nextWake(), deadline)
  assert.equal((await scene.store.alerts.declareDown(deadline - 1, 10)).declared, 0)
  const result = await scene.store.alerts.declareDown(deadline, 10)
  assert.deepEqual([result.declared, result.alerts], [1, true])
  assert.equal((await scene.store.alerts.declareDown(deadline + 1, 10)).declared, 0)
  scene.now = deadline
  const [message, ...others] = await scene.claim()
  assert.deepEqual(message!.parts[0]!.flip, {
    createdAt: deadline,
    oldStatus: 'up',
    newStatus: 'down',
    reason: 'missed',
  })
  assert.deepEqual(others, [])
})

test('a check noticed late goes down dated at its deadline', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  scene.now = deadline + 5 * HOUR
  await scene.store.alerts.declareDown(scene.now, 10)
  const [message] = await scene.claim()
  assert.equal(message!.parts[0]!.flip!.createdAt, deadline)
})

test('a run that does not end within the grace time goes down as an overrun', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  await scene.ping('backup', 'start')
  assert.equal(await scene.store.alerts.nextWake(), scene.now + HOUR)
  scene.now += HOUR
  await scene.store.alerts.declareDown(scene.now, 10)
  const [message] = await scene.claim()
  assert.deepEqual([message!.parts[0]!.flip!.oldStatus, message!.parts[0]!.flip!.reason], ['new', 'overrun'])
})

test('a later ping moves the deadline, and the watcher adjusts its wake-up time', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  const first = scene.now + DAY + HOUR
  scene.now += 20 * HOUR
  await scene.ping('backup')
  assert.equal(await scene.store.alerts.nextWake(), first, 'the alarm is a lower bound')
  assert.equal((await scene.store.alerts.declareDown(first, 10)).declared, 0)
  assert.equal(await scene.store.alerts.nextWake(), first + 20 * HOUR)
})

test('the watcher does not look at a check that is down', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  await scene.ping('backup', 'fail')
  await scene.store.alerts.declareDown(scene.now + 99 * DAY, 10)
  assert.equal(await scene.store.alerts.nextWake(), null)
})

test('many checks are declared down in slices', async t => {
  const scene = await StoreHarness.open(t)
  for (let index = 0; index < 25; index++) await scene.ping(`c${index}`)
  const now = scene.now + 2 * DAY
  const slices = []
  for (;;) {
    const { declared, more } = await scene.store.alerts.declareDown(now, 10)
    slices.push(declared)
    if (!more) break
  }
  assert.deepEqual(slices, [10, 10, 5])
})

test('a check with few channels waits for none with more than a transaction should add, nor do these for each other', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const at = Date.UTC(2026, 0, 15, 12)
  const addProject = async (name: string, { checks, channels }: { checks: number; channels: number }) => {
    const { id } = await store.projects.create({ name, ownerId: null, pingKey: name, now: 1 })
    const channel = { projectId: id, kind: 'webhook', settings: {}, members: [], now: 1 }
    for (let n = 0; n < channels; n++) await store.channels.create({ ...channel, name: `Channel ${n}` })
    for (let n = 0; n < checks; n++) {
      const target = { pingKey: name, slug: `c${n}`, create: true }
      await recordPings(store, [arrivedPing(target, at, {})])
    }
    return id
  }
  const alice = await addProject('alice', { checks: 6, channels: 12 })
  const bob = await addProject('bob', { checks: 4, channels: 0 })
  const carol = await addProject('carol', { checks: 6, channels: 12 })
  const seen = new Set<unknown>()
  const slices: number[][] = []
  for (let [more, after] = [true, 0]; more; ) {
    const result = await store.alerts.declareDown(at + 2 * DAY, 5, null, after)
    more = result.more
    after = result.after
    const rows = await raw("SELECT id, project_id FROM checks WHERE status = 'down' ORDER BY project_id")
    slices.push(rows.filter(({ id }) => !seen.has(id)).map(({ project_id: id }) => Number(id)))
    for (const { id } of rows) seen.add(id)
  }
  assert.deepEqual(slices.slice(0, 3), [[alice, bob, bob, bob, bob], [carol], [alice]])
  assert.deepEqual([seen.size, slices.length], [16, 12])
})

test('checks with many channels go down in turn with those of other projects', async t => {
  const scene = await StoreHarness.open(t)
  for (const name of ['A', 'B', 'C', 'D']) await scene.addChannel(name)
  for (let index = 0; index < 10; index++) await scene.ping(`c${index}`)
  const { store } = scene
  const { id } = await store.projects.create({ name: 'Bob', ownerId: null, pingKey: 'bob', now: 1 })
  const target = { pingKey: 'bob', slug: 'late', create: true }
  await store.pings.record([arrivedPing(target, scene.now + 1, {})])
  const now = scene.now + 2 * DAY
  const slices = []
  for (;;) {
    const { declared, more, unfinished } = await store.alerts.declareDown(now, 10)
    slices.push({ declared, unfinished })
    if (!more) break
  }
  const alice = scene.projectId
  assert.deepEqual(
    slices[0],
    { declared: 3, unfinished: [alice] },
    'two of Alice’s, with four channels each, and Bob’s',
  )
  assert.ok(slices.every(({ unfinished }) => !unfinished.includes(id)))
  assert.equal(
    slices.reduce((sum, { declared }) => sum + declared, 0),
    11,
  )
  assert.deepEqual(slices.at(-1)!.unfinished, [])
})

describe('an outage of Punctual', () => {
  const MIN = 60_000

  /** A check whose deadline is `deadline` from now, and beats until the absence begins. */
  async function absence(t: Parameters<typeof StoreHarness.open>[0], begins: number, length: number) {
    const scene = await StoreHarness.open(t)
    await scene.addChannel('A')
    await scene.ping('backup')
    const deadline = scene.now + DAY + HOUR
    const outage = await scene.absence(deadline + begins, deadline + begins + length)
    return { scene, deadline, outage }
  }

  test('holds the deadlines that fell into it as long as it lasted', async t => {
    const { scene, deadline, outage } = await absence(t, -MIN, 2 * MIN)
    assert.deepEqual(outage, {
      startedAt: deadline - MIN,
      endedAt: deadline + MIN,
      holdUntil: deadline + 3 * MIN,
      partial: false,
    })
    assert.equal((await scene.store.alerts.declareDown(deadline + MIN, 10)).declared, 0)
    assert.equal(await scene.store.alerts.nextWake(), deadline + 3 * MIN)
    await scene.beat(deadline + MIN, deadline + 3 * MIN)
    assert.equal((await scene.store.alerts.declareDown(deadline + 3 * MIN - 1, 10)).declared, 0)
    assert.equal((await scene.store.alerts.declareDown(deadline + 3 * MIN, 10)).declared, 1)
  })

  test('keeps a job up that pings during the hold', async t => {
    const { scene, deadline } = await absence(t, -MIN, 2 * MIN)
    scene.now = deadline + 2 * MIN
    await scene.ping('backup')
    assert.equal((await scene.store.alerts.declareDown(deadline + 3 * MIN, 10)).declared, 0)
    assert.deepEqual(await scene.claim(), [])
  })

  test('also holds deadlines within its hold', async t => {
    const { scene, deadline } = await absence(t, -3 * MIN, 2 * MIN)
    await scene.beat(deadline - MIN, deadline + MIN)
    assert.equal((await scene.store.alerts.declareDown(deadline, 10)).declared, 0)
    assert.equal((await scene.store.alerts.declareDown(deadline + MIN, 10)).declared, 1)
  })

  test('does not hold a deadline before it', async t => {
    const { scene, deadline } = await absence(t, 1, 2 * MIN)
    assert.equal((await scene.store.alerts.declareDown(deadline + 1 + 2 * MIN, 10)).declared, 1)
  })

  test('of an instant holds the deadlines of 30 seconds', async t => {
    const { scene, deadline } = await absence(t, -1_000, 2_000)
    await scene.beat(deadline + 1_000, deadline + 31_000)
    assert.equal((await scene.store.alerts.declareDown(deadline + 30_999, 10)).declared, 0)
    assert.equal((await scene.store.alerts.declareDown(deadline + 31_000, 10)).declared, 1)
  })

  test('that is not over holds the deadlines since its beginning', async t => {
    const scene = await StoreHarness.open(t)
    await scene.ping('backup')
    const deadline = scene.now + DAY + HOUR
    await scene.store.instance.beat('me', deadline - MIN)
    assert.equal((await scene.store.alerts.declareDown(deadline, 10)).declared, 0)
  })

  test('is mentioned in the alert about a ping that was expected during it', async t => {
    const scene = await StoreHarness.open(t)
    await scene.addChannel('A')
    await scene.ping('backup')
    const due = scene.now + DAY
    await scene.absence(due - MIN, due + MIN)
    await scene.beat(due + MIN, due + HOUR)
    scene.now = due + HOUR
    await scene.store.alerts.declareDown(scene.now, 10)
    const [message] = await scene.claim()
    const facts = await scene.store.alerts.facts(message!.parts[0]!.checkId!, message!.parts[0]!.flipId!)
    assert.deepEqual(facts!.outage, {
      startedAt: due - MIN,
      endedAt: due + MIN,
      holdUntil: due + 3 * MIN,
      partial: false,
    })
  })
})

describe('a deadline is judged when every ping until then is on disk', () => {
  /** A check whose deadline is `deadline`, a moment after which it is `now`. */
  async function atDeadline(t: Parameters<typeof StoreHarness.open>[0]) {
    const scene = await StoreHarness.open(t)
    await scene.ping('backup')
    const deadline = scene.now + DAY + HOUR
    return { scene, deadline, now: deadline + 100 }
  }

  test('by the calling process, whatever its last beat says', async t => {
    const { scene, deadline, now } = await atDeadline(t)
    await scene.store.instance.beat('me', deadline - 5_000)
    const declare = (heardUntil: number) =>
      scene.store.alerts.declareDown(now, 10, { process: 'me', heardUntil })
    assert.equal((await declare(deadline - 1)).declared, 0)
    assert.equal(await scene.store.alerts.nextWake(), deadline, 'it is looked at again')
    assert.equal((await declare(deadline)).declared, 1)
  })

  test('by every other process', async t => {
    const { scene, deadline, now } = await atDeadline(t)
    await scene.store.instance.beat('me', now)
    await scene.store.instance.beat('other', now, { heardUntil: deadline - 1 })
    const declare = () => scene.store.alerts.declareDown(now, 10, { process: 'me', heardUntil: now })
    const waits = await declare()
    assert.deepEqual([waits.declared, waits.heardUntil], [0, deadline - 1])
    await scene.store.instance.beat('other', now, { heardUntil: now })
    assert.equal((await declare()).declared, 1)
  })

  test('not by one that stopped regularly while others accept pings', async t => {
    const { scene, deadline, now } = await atDeadline(t)
    await scene.store.instance.beat('me', deadline - 5_000)
    await scene.store.instance.beat('other', deadline - 5_000)
    await scene.store.instance.beat('other', deadline - 1_000, { phase: 'stopping' })
    assert.equal(
      (await scene.store.alerts.declareDown(now, 10, { process: 'me', heardUntil: now })).declared,
      1,
    )
  })

  test('and its hold ends when every ping until the end of the hold is on disk', async t => {
    const { scene, deadline } = await atDeadline(t)
    await scene.absence(deadline - 2_000, deadline - 1_000)
    const held = deadline + 29_000
    const declare = (heardUntil: number) =>
      scene.store.alerts.declareDown(held + 500, 10, { process: 'me', heardUntil })
    assert.equal((await declare(held - 100)).declared, 0)
    assert.equal((await declare(held)).declared, 1)
  })
})

test('named test 12: two causes in one look are one incident, with one message (sentry#118344)', async t => {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  const changes = {
    slug: 'job',
    periodSeconds: 300,
    graceSeconds: 200,
    trackRuns: 'each',
    maxDurationSeconds: 600,
    failuresToAlert: 2,
    tolerated: 'missed,overrun',
  } as const
  const { check } = await scene.store.checks.create(scene.projectId, {
    changes,
    unique: null,
    channels: '*',
    now: scene.now,
  })
  const from = scene.now
  const rid = (n: number) => ({ rid: `${n}0000000-0000-4000-8000-000000000000` })
  await scene.ping('job', 'start', rid(1))
  scene.now += 100_000
  await scene.ping('job', 'success', rid(2))
  // The overrun of the run and the miss of the occurrence have the same deadline, in 10 minutes.
  scene.now += 3_600_000
  assert.equal((await scene.store.alerts.declareDown(scene.now, 100)).declared, 1)
  const messages = await scene.claim()
  assert.equal(messages.length, 1)
  assert.deepEqual(
    messages[0]!.parts.map(({ flip }) => [flip?.createdAt, flip?.newStatus]),
    [[from + 600_000, 'down']],
  )
  const { check: down } = await scene.store.checks.facts(scene.projectId, check.uuid, scene.now)
  assert.equal(down.status, 'down')
  assert.equal((await scene.store.alerts.declareDown(scene.now + 3_600_000, 100)).declared, 0)
  assert.deepEqual(await scene.claim(), [])
})
