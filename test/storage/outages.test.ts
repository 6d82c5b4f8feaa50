import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Scene } from '../_support/scene.js'
import { openFreshStore } from '../_support/store.js'

const T = 1_800_000_000_000
const S = 1_000
const M = 60 * S
const HOUR = 60 * M
const DAY = 24 * HOUR

/** What the message would say that is due now. */
async function outageToldOf(scene: Scene) {
  const [delivery] = await scene.claim()
  const facts = await scene.store.alertFacts(delivery!.checkId!, delivery!.flipId!)
  return facts!.outage
}

test('commits that failed for a moment hold nothing back, and a message about a ping expected then says so', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  await scene.beat(deadline - 20 * S, deadline - 5 * S)
  const missed = { from: deadline - 4 * S, to: deadline - 2 * S }
  const outage = await scene.store.beat('me', deadline - S, missed)
  assert.deepEqual(outage, { startedAt: missed.from, endedAt: missed.to, holdUntil: missed.to })
  scene.now = deadline
  assert.equal((await scene.store.declareDown(scene.now, 10)).declared, 1)
  assert.deepEqual(await outageToldOf(scene), outage)
})

test('commits that failed for long hold deadlines back though other processes beat', async t => {
  const scene = await Scene.open(t)
  await scene.ping('backup')
  const deadline = scene.now + DAY + HOUR
  await scene.beat(deadline - 45 * S, deadline)
  await scene.store.beat('another', deadline + S, { from: deadline - 30 * S, to: deadline })
  await scene.beat(deadline + S, deadline + 29 * S)
  assert.equal((await scene.store.declareDown(deadline + 29 * S, 10)).declared, 0)
  assert.equal((await scene.store.declareDown(deadline + 30 * S, 10)).declared, 1)
})

test('what several processes missed at the same time is one outage', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  await store.beat('one', T)
  await store.beat('two', T + 9 * S, { from: T + S, to: T + 5 * S })
  await store.beat('one', T + 10 * S, { from: T + 2 * S, to: T + 8 * S })
  assert.deepEqual(await raw('SELECT started_at, ended_at FROM outages'), [
    { started_at: T + S, ended_at: T + 8 * S },
  ])
})

test('an hour that a wrong clock made up is forgotten when the clock is set back, and holds nothing up', async t => {
  const scene = await Scene.open(t)
  await scene.addChannel('A')
  await scene.ping('before')
  const deadline = scene.now + DAY + HOUR
  const truth = deadline - 30 * M
  await scene.store.beat('me', truth)
  // The clock is an hour ahead for a while: a deadline is held back, a failure waits to be told again.
  assert.ok(await scene.store.beat('me', truth + HOUR))
  await scene.store.declareDown(truth + HOUR, 10)
  scene.now = truth + HOUR + S
  await scene.ping('failed', 'fail')
  await scene.addChannel('B')
  await scene.ping('silent')
  scene.now = truth + 5 * S
  assert.equal((await scene.store.nextDelivery(scene.now))! > scene.now, true)

  await scene.store.beat('me', scene.now)
  const due = await scene.store.nextDelivery(scene.now)
  assert.ok(due! <= scene.now + 5 * S, 'the message waits no longer than from one beat to the next')
  assert.equal((await scene.store.instanceState(scene.now)).heldUntil, null)
  await scene.store.declareDown(scene.now, 10)
  assert.equal(await scene.store.nextWake(), deadline, 'the deadline that was held back is the next again')
  await scene.beat(scene.now, deadline)
  await scene.store.declareDown(deadline, 10)
  const silentUntil = truth + S + DAY + HOUR
  const next = (await scene.store.nextWake())!
  assert.ok(
    next >= silentUntil && next <= silentUntil + 5 * S,
    'silence counts from when the ping really came',
  )
})

test('processes whose clocks differ by seconds leave each other’s outages alone', async t => {
  const scene = await Scene.open(t)
  await scene.store.beat('one', scene.now)
  const outage = await scene.store.beat('one', scene.now + M)
  await scene.store.beat('two', scene.now + M - 5 * S)
  assert.equal((await scene.store.instanceState(scene.now + M)).heldUntil, outage!.holdUntil)
})
