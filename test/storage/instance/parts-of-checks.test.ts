/** Outages of a part of the checks, which hold no others. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isInPart, partOfCheck, partOfProject } from '../../../src/storage/instance/parts.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const S = 1_000
const HOUR = 3_600 * S
const DAY = 24 * HOUR

/** The checks with a negative hash. */
const PART = '-2147483648:-1'

/** Checks that go down at `deadline`: those of the part, and the others. */
async function scenery(t: TestContext) {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  for (let n = 1; n <= 12; n++) await scene.ping(`job-${n}`)
  const { store, projectId } = scene
  const ids = await Promise.all(
    (await scene.checkUuids()).map(
      async uuid => (await store.checks.facts(projectId, uuid, scene.now)).check.id,
    ),
  )
  const inPart = new Set(ids.filter(id => isInPart(PART, { id, projectId })))
  assert.ok(inPart.size > 0 && inPart.size < ids.length)
  const deadline = scene.now + DAY + HOUR
  const declare = async (at: number, own: Parameters<typeof store.alerts.declareDown>[2] = null) =>
    (await store.alerts.declareDown(at, 100, own)).declared
  return { scene, store, deadline, declare, part: inPart.size, others: ids.length - inPart.size, inPart }
}

test('an outage of a part of the checks holds these alone, and no other message says it', async t => {
  const { scene, store, deadline, declare, part, others, inPart } = await scenery(t)
  const missed = [{ from: deadline - 4 * S, to: deadline - 2 * S, part: PART }]
  const { outages } = await store.instance.beat('me', deadline - S, { missed })
  assert.equal(outages[0]!.part, PART)
  await store.instance.beat('me', deadline + 28 * S)
  assert.equal(await declare(deadline), others)
  assert.equal(await declare(deadline + 28 * S - 1), 0)
  assert.equal(await declare(deadline + 28 * S), part)
  scene.now = deadline + 28 * S
  const messages = await scene.claim()
  const about = messages.flatMap(({ parts }) => parts)
  assert.equal(about.length, part + others)
  for (const { checkId, flipId } of about) {
    const facts = await store.alerts.facts(checkId!, flipId!)
    assert.deepEqual(facts!.outage?.part, inPart.has(checkId!) ? PART : undefined)
  }
})

test('while pings of a part fail its checks wait, and the others go down', async t => {
  const { store, deadline, declare, part, others } = await scenery(t)
  const own = (at: number, behind = {}) => ({ process: 'me', heardUntil: at, behind })
  await store.instance.beat('me', deadline)
  assert.equal(await declare(deadline, own(deadline, { [PART]: deadline - S })), others)
  const later = deadline + HOUR
  assert.equal(await declare(later, own(later, { [PART]: deadline - S })), 0)
  assert.equal(await declare(later + 2 * S, own(later + 2 * S)), part)
})

test('another process waits for the part whose pings a beat says are refused', async t => {
  const { store, deadline, declare, part, others } = await scenery(t)
  await store.instance.beat('other', deadline + S, { behind: { [PART]: deadline - S } })
  assert.equal(await declare(deadline + S), others)
  await store.instance.beat('other', deadline + 5 * S)
  assert.equal(await declare(deadline + 5 * S), part)
})

test('what a process that was killed missed of a part holds all checks', async t => {
  const { store, deadline, declare } = await scenery(t)
  await store.instance.beat('killed', deadline + S, { behind: { [PART]: deadline - 5 * S } })
  const { doubt } = await store.instance.beat('me', deadline + 2 * S, { phase: 'starting' })
  const now = deadline + 20 * S
  const { outages } = await store.instance.beat('me', now, { phase: 'starting', doubt })
  assert.deepEqual(
    outages.map(({ startedAt, part }) => [startedAt, part]),
    [[deadline - 5 * S, undefined]],
  )
  assert.equal(await declare(now), 0)
})

test('a late ping is judged with the hold of its check', async t => {
  const { scene, store, deadline, inPart } = await scenery(t)
  // Otherwise a late ping alone does not take a check down.
  for (const uuid of await scene.checkUuids()) {
    await store.checks.update(scene.projectId, uuid, { changes: { successesToRecover: 2 }, now: scene.now })
  }
  const missed = [{ from: deadline - 4 * S, to: deadline - 2 * S, part: PART }]
  await store.instance.beat('me', deadline - S, { missed })
  await store.instance.beat('me', deadline + S)
  for (const uuid of await scene.checkUuids()) {
    const { id } = (await store.checks.facts(scene.projectId, uuid, scene.now)).check
    await store.pings.record([arrivedPing({ uuid }, deadline + S)])
    const flips = await store.checks.listFlips(
      scene.projectId,
      { uuid },
      { from: null, until: null },
      { before: null, limit: 9 },
    )
    const wasDown = flips.some(({ newStatus }) => newStatus === 'down')
    assert.equal(wasDown, !inPart.has(id))
  }
})

test('what a process missed of single checks before it vanished is missed of these alone', async t => {
  const { store, deadline, inPart } = await scenery(t)
  const [id] = inPart
  const before = deadline - HOUR
  await store.instance.beat('web', deadline, { behind: { [partOfCheck(id!)]: before } })
  await store.instance.beat('other', deadline)
  const { outages } = await store.instance.beat('other', deadline + 16 * S)
  assert.deepEqual(
    outages.map(({ startedAt, endedAt, part }) => ({ startedAt, endedAt, part })),
    [
      { startedAt: deadline, endedAt: deadline + 15 * S, part: undefined },
      { startedAt: before, endedAt: deadline + 15 * S, part: partOfCheck(id!) },
    ],
  )
})

/** What so many single checks of a project missed before `deadline`. */
function missedOf(projectId: number, count: number, deadline: number) {
  return Array.from({ length: count }, (_, n) => ({
    ...{ from: deadline - 4 * S + n, to: deadline - 2 * S + n, projectId },
    part: partOfCheck(1_000_000 * projectId + n),
  }))
}

test('what many checks of two projects missed is missed of these projects, and holds no others', async t => {
  const { scene, store, deadline, declare, part, others } = await scenery(t)
  const another = await store.projects.create({ name: 'Bob', ownerId: null, pingKey: 'bob', now: 1 })
  const bob = new StoreHarness(store, another.id, deadline - DAY - HOUR, 'bob')
  await bob.ping('job')
  const busy = another.id + 1
  const missed = [...missedOf(scene.projectId, 100, deadline), ...missedOf(busy, 100, deadline)]
  const { outages } = await store.instance.beat('me', deadline - S, { missed })
  assert.deepEqual(
    outages.map(({ startedAt, endedAt, part }) => [startedAt, endedAt, part]),
    [scene.projectId, busy].map(id => [deadline - 4 * S, deadline - 2 * S + 99, partOfProject(id)]),
  )
  const { holdUntil } = outages[0]!
  await store.instance.beat('me', holdUntil)
  assert.equal(await declare(deadline), 1, 'the check of the project that missed nothing')
  assert.equal(await declare(holdUntil - 1), 0)
  assert.equal(await declare(holdUntil), part + others)
})

test('a hundred single checks that miss pings each second do not end the hold of another', async t => {
  const { scene, store, deadline, declare, part, others, inPart } = await scenery(t)
  const [id] = inPart
  const at = deadline - 27 * S
  await store.instance.beat('me', at, { missed: [{ from: at - 2 * S, to: at, part: partOfCheck(id!) }] })
  for (let second = 1; second <= 27; second++) {
    const missed = missedOf(scene.projectId + second, 100, at + second * S)
    await store.instance.beat('me', at + second * S, { missed })
  }
  assert.equal(await declare(deadline), part + others - 1)
})

test('what checks of very many projects missed is stored at once, as long as these are not too many', async t => {
  const { scene, store, deadline, declare, part, others } = await scenery(t)
  const beside = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => missedOf(scene.projectId + from + n, 1, deadline)).flat()
  const { outages } = await store.instance.beat('me', deadline - S, { missed: beside(1, 1_001) })
  assert.equal(outages.length, 1_000)
  const again = await store.instance.beat('me', deadline - S, { missed: beside(501, 1_001) })
  assert.equal(again.outages.length, 500)
  assert.equal((await store.instance.state(deadline)).outages, 1_000, 'the same are joined')
  await store.instance.beat('me', deadline)
  assert.equal(await declare(deadline), part + others)
  const missed = beside(1, 1_002)
  const all = await store.instance.beat('me', deadline + S, { missed })
  assert.deepEqual(
    all.outages.map(({ startedAt, part }) => [startedAt, part]),
    [[deadline - 4 * S, undefined]],
  )
})

test('what a process missed of a project before it vanished is missed of this project', async t => {
  const { scene, store, deadline, declare } = await scenery(t)
  const part = partOfProject(scene.projectId)
  const before = deadline - HOUR
  await store.instance.beat('web', deadline - 20 * S, { behind: { [part]: before } })
  await store.instance.beat('other', deadline - 20 * S)
  const { outages } = await store.instance.beat('other', deadline - 4 * S)
  assert.deepEqual(
    outages.map(({ startedAt, endedAt, part }) => ({ startedAt, endedAt, part })),
    [
      { startedAt: deadline - 20 * S, endedAt: deadline - 5 * S, part: undefined },
      { startedAt: before, endedAt: deadline - 5 * S, part },
    ],
  )
  await store.instance.beat('other', deadline)
  assert.equal(await declare(deadline), 0)
})

test('a check that leaves a project waits for what the project missed', async t => {
  const { scene, store, deadline, declare } = await scenery(t)
  const target = await store.projects.create({ name: 'Bob', ownerId: null, pingKey: 'bob', now: 1 })
  const part = partOfProject(scene.projectId)
  const [first, second, third] = await scene.checkUuids()
  const move = async (uuid: string, now: number) =>
    await store.checks.move({ projectId: scene.projectId, uuid, targetId: target.id, now })
  const missed = [{ from: deadline - 40 * S, to: deadline - 38 * S, part }]
  await store.instance.beat('me', deadline - 38 * S, { missed })
  await move(first!, deadline - 30 * S)
  await store.instance.beat('me', deadline - S, { behind: { [part]: deadline - 3 * S } })
  await move(second!, deadline - S)
  await store.instance.beat('me', deadline, { missed: [{ from: deadline - 3 * S, to: deadline, part }] })
  await move(third!, deadline)
  await store.instance.beat('me', deadline + 2 * S)
  assert.equal(await declare(deadline + 2 * S), 1, 'the one that left before')
  assert.equal(await declare(deadline + 28 * S), 0)
  await store.instance.beat('me', deadline + 29 * S)
  assert.equal(await declare(deadline + 29 * S), 1, 'the one that left while pings were refused')
  await store.instance.beat('me', deadline + 30 * S)
  assert.equal(await declare(deadline + 30 * S), 10)
})
