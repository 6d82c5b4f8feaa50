/** A clock that is ahead for a moment begins an outage; what waits for its hold waits no longer than for the one that replaces it. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const S = 1_000
const MINUTE = 60 * S

/** A check whose deadline comes 20 s after the beat at `now`. */
async function openWorld(t: TestContext, names = ['backup'], changes: CheckChanges = {}) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  await scene.addChannel('A')
  for (const name of names) await scene.ping(name)
  for (const uuid of await scene.checkUuids())
    await store.checks.update(project.id, uuid, {
      changes: { periodSeconds: 90, graceSeconds: 30, ...changes },
      now: scene.now,
    })
  const deadline = scene.now + 2 * MINUTE
  scene.now = deadline - 20 * S
  await store.instance.beat('me', scene.now)
  return {
    scene,
    store,
    deadline,
    raw,
    /** Beats and judges at `now`; returns how many go down. */
    async judge(now: number, facts: Parameters<typeof store.instance.beat>[2] = {}) {
      const { cut } = await store.instance.beat('me', now, facts)
      const { declared } = await store.alerts.declareDown(now, 10)
      return { cut, declared }
    },
  }
}

/** The clock is ahead by 50 s for a moment in which the deadline seems to pass; returns the time at which it is right again. */
async function aheadForAMoment({ scene, judge }: Awaited<ReturnType<typeof openWorld>>) {
  const wrong = scene.now + 51 * S
  const missed = [{ from: scene.now, to: wrong }]
  assert.equal((await judge(wrong, { missed })).declared, 0)
  const right = scene.now + 3 * S
  const { cut } = await judge(right, { setBacks: [50 * S] })
  assert.deepEqual(cut, { from: right + 30 * S, until: wrong + 51 * S })
  return { right, cut: cut! }
}

const judged: [string, CheckChanges][] = [
  ['silence', {}],
  ['a missed ping that is only counted', { failuresToAlert: 2, tolerated: 'missed' }],
]

for (const [what, changes] of judged) {
  test(`after a hold was cut, ${what} is judged when the hold that replaced it ends`, async t => {
    const world = await openWorld(t, ['backup'], changes)
    const { store, judge, raw } = world
    const { right, cut } = await aheadForAMoment(world)
    const woken = await store.instance.wakeAfterCut(right, cut)
    assert.deepEqual(woken, { left: null, alerts: false, checks: false, wakeAt: right })
    const passed = async (now: number) => {
      const { declared } = await judge(now)
      return declared + (await raw('SELECT 1 FROM passed_deadlines')).length
    }
    assert.equal(await passed(right + S), 0)
    assert.equal((await store.instance.wakeAfterCut(right + S, cut)).wakeAt, null, 'nothing waits for it')
    for (let at = right + 6 * S; at < right + 30 * S; at += 5 * S) assert.equal(await passed(at), 0)
    assert.equal(await passed(right + 30 * S), 1)
  })
}

test('very many checks are woken in slices', async t => {
  const world = await openWorld(t, ['a', 'b', 'c', 'd', 'e'])
  const { store, raw } = world
  const { right, cut } = await aheadForAMoment(world)
  let slices = 0
  for (let left: typeof cut | null = cut; left !== null; slices++)
    left = (await store.instance.wakeAfterCut(right, left, 2)).left
  assert.equal(slices, 3)
  const rows = await raw('SELECT wake_at FROM checks')
  assert.deepEqual(
    rows.map(row => Number(row.wake_at)),
    Array(5).fill(right),
  )
})

test('what waits for another hold is not woken', async t => {
  const world = await openWorld(t)
  const { scene, store, judge, deadline, raw } = world
  const { right, cut } = await aheadForAMoment(world)
  await store.instance.wakeAfterCut(right, cut)
  scene.now = deadline + 5 * S
  await judge(scene.now, { missed: [{ from: deadline - 40 * S, to: scene.now }] })
  const [check] = await raw('SELECT wake_at FROM checks')
  assert.equal(Number(check!.wake_at), scene.now + 45 * S)
  assert.equal((await store.instance.wakeAfterCut(scene.now, cut)).wakeAt, null)
})

for (const byMs of [50 * S, 10 * MINUTE]) {
  test(`an alert that an outage holds is due when that is cut after ${byMs / S} s`, async t => {
    const { scene, store, raw } = await openWorld(t)
    await scene.ping('backup', 'fail')
    const wrong = scene.now + byMs
    await store.instance.beat('me', wrong, { missed: [{ from: scene.now - S, to: wrong }] })
    // Raised late: it was held by something else before.
    await raw(`UPDATE deliveries SET held_by = 'silence', due_at = ${wrong}`)
    const right = scene.now
    scene.now = wrong + S
    assert.deepEqual(await scene.claim(), [])
    const [held] = await raw('SELECT held_by, due_at FROM deliveries')
    assert.equal(held!.held_by, 'outage')
    assert.ok(Number(held!.due_at) > wrong + 40 * S)
    scene.now = right + 2 * S
    const { cut } = await store.instance.beat('me', scene.now, { setBacks: [byMs] })
    if (cut) assert.equal((await store.instance.wakeAfterCut(scene.now, cut)).alerts, true)
    const [woken] = await raw('SELECT due_at FROM deliveries')
    assert.equal(Number(woken!.due_at), scene.now)
  })
}
