/** The loop that notices silence: it declares checks down when their deadlines pass. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Hearing } from '../../src/actions/pings/hearing.js'
import { goingDownJob } from '../../src/jobs/going-down.js'
import { Changes } from '../../src/lib/changes.js'
import { eventually } from '../_support/eventually.js'
import { openFreshStore } from '../_support/worlds/store.js'
import { StoreHarness } from '../_support/worlds/store-harness.js'
import { wrapStore } from '../_support/wrap-store.js'

const DAY_AND_GRACE = 25 * 3_600_000

/** The loop, beside one check that was just pinged. `settled` is what the queue of pings does before silence is judged. */
async function startLoop(
  t: TestContext,
  settled: (scene: StoreHarness) => Promise<unknown> = async () => {},
) {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  return { scene, ...(await startLoopFor(t, scene, settled)) }
}

/** The loop of a process that has just started, after its first look. */
async function startLoopFor(
  t: TestContext,
  scene: StoreHarness,
  settled: (scene: StoreHarness) => Promise<unknown> = async () => {},
) {
  const errors: unknown[] = []
  const failures: Error[] = []
  const unheard: (number | null)[] = []
  const store = wrapStore(scene.store, (name, method) => async (...args) => {
    const failure = name === 'alerts.declareDown' && failures.pop()
    if (failure) throw failure
    return await method(...args)
  })
  const changes = new Changes()
  const loop = goingDownJob({
    store,
    own: {
      process: 'me',
      pings: {
        hearing: Object.assign(new Hearing(NONE_QUEUED, changes, { now: () => scene.now }), {
          heardUntil: (now: number) => now,
        }),
        settled: async () => void (await settled(scene)),
      },
    },
    changes,
    clock: { now: () => scene.now },
    onBug: assert.fail,
    onUnheard: since => unheard.push(since),
    onSetAside: ({ error }) => assert.fail(String(error)),
    onError: error => errors.push(error),
  })
  t.after(() => loop.stop())
  loop.start()
  await eventually(() => loop.looks() > 0)

  /** Lets the time pass, and waits until the loop has looked since. */
  async function pass(ms: number): Promise<string> {
    scene.now += ms
    const looked = loop.looks()
    changes.emit('deadline', { at: scene.now })
    await eventually(() => loop.looks() > looked)
    const viewer = { projectId: scene.projectId, version: 3, access: 'rw', now: scene.now } as const
    const listed = await scene.store.checks.showList(viewer, { slug: null, tags: [] })
    return JSON.parse(Buffer.from(listed).toString()).checks[0].status
  }
  return { errors, failures, unheard, pass, stop: () => loop.stop() }
}

test('a silent check is declared down at its deadline, not a millisecond before', async t => {
  const { pass } = await startLoop(t)
  assert.equal(await pass(DAY_AND_GRACE - 1), 'grace')
  assert.equal(await pass(1), 'down')
})

test('a ping waiting to be recorded at the deadline keeps the check up', async t => {
  const { pass } = await startLoop(t, scene => scene.ping('backup'))
  assert.equal(await pass(DAY_AND_GRACE), 'up')
})

test('a failed pass is reported and repeated', async t => {
  const { pass, errors, failures } = await startLoop(t)
  failures.push(Object.assign(new Error('the database is away'), { code: '57P01' }))
  assert.equal(await pass(DAY_AND_GRACE), 'down')
  assert.deepEqual(errors.map(String), ['Error: the database is away'])
})

test('that silence waits for a process that does not say what it heard is reported once', async t => {
  const { scene, pass, unheard } = await startLoop(t)
  const heardAt = scene.now + DAY_AND_GRACE - 1
  await scene.store.instance.beat('web', heardAt)
  assert.equal(await pass(DAY_AND_GRACE), 'grace')
  await pass(14_000)
  assert.deepEqual(unheard, [])
  for (let times = 0; times < 3; times++) await pass(5_000)
  assert.deepEqual(unheard, [heardAt])
  await scene.store.instance.beat('web', scene.now)
  await pass(1)
  assert.deepEqual(unheard, [heardAt, null])
})

test('named test 10: a daily check is not starved by frequent restarts (uptime-kuma#6866)', async t => {
  const fresh = await openFreshStore()
  t.after(fresh.remove)
  const { id } = await fresh.store.projects.create({ name: '', ownerId: null, pingKey: 'key', now: 1 })
  const begin = new StoreHarness(fresh.store, id).now
  const at = (hours: number) => {
    const scene = new StoreHarness(fresh.store, id)
    scene.now = begin + hours * 3_600_000
    return scene
  }
  await at(0).ping('backup')
  const changes = { slug: 'long', maxDurationSeconds: 90_000, trackRuns: 'each' } as const
  await fresh.store.checks.create(id, { changes, unique: null, now: begin })
  await at(0).ping('long', 'start')
  for (let hour = 1; hour <= 26; hour++) {
    await fresh.reopen()
    const process = await startLoopFor(t, at(hour))
    await process.stop()
    const flips = await fresh.raw(
      "SELECT created_at, reason FROM flips WHERE new_status = 'down' ORDER BY id",
    )
    const seen = flips.map(({ created_at, reason }) => [Number(created_at) - begin, reason])
    const expected = ['missed', 'overrun'].map(reason => [DAY_AND_GRACE, reason])
    assert.deepEqual(seen.sort(), hour < 25 ? [] : expected, `after ${hour} hours`)
  }
})

test('named test 9: after an hour away, checks have time to ping before they are declared down', async t => {
  const fresh = await openFreshStore()
  t.after(fresh.remove)
  const { id } = await fresh.store.projects.create({ name: '', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(fresh.store, id)
  const slugs = Array.from({ length: 20 }, (_, index) => `job-${index}`)
  for (const slug of slugs) {
    const changes = { slug, periodSeconds: 300, graceSeconds: 60 }
    await scene.store.checks.create(id, { changes, unique: null, now: scene.now })
    await scene.ping(slug)
  }
  await scene.beat(scene.now, scene.now + 60_000)
  scene.now += 3_660_000
  await scene.absence(scene.now - 3_600_000, scene.now)
  const process = await startLoopFor(t, scene)
  scene.now += 300_000
  for (const slug of slugs.slice(1)) await scene.ping(slug)
  await process.pass(299_999)
  const down = async () => await fresh.raw("SELECT check_id FROM flips WHERE new_status = 'down'")
  assert.deepEqual(await down(), [])
  for (const slug of slugs.slice(1)) await scene.ping(slug)
  await process.pass(2)
  assert.equal((await down()).length, 1, 'only the one that did not ping')
})

const NONE_QUEUED = { oldestAt: null, apartSince: () => [] }
