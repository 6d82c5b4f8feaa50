/** The checks of a channel are replaced: few links all or none, many in several transactions. Decision 0123. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { assignChannel } from '../../../src/actions/channels/assign-channel.js'
import { Refusal } from '../../../src/core/errors.js'
import { ANY_EVENT } from '../../../src/storage/events/event-log.js'
import type { Store } from '../../../src/storage/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'
import { wrapStore } from '../../_support/wrap-store.js'

const IN_TWOS = { atOnce: 3, slices: { size: 2, took() {} } }
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

/** A channel of the first three of seven checks. */
async function open(t: TestContext) {
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  for (let n = 0; n < 7; n++) await scene.ping(`check-${n}`)
  const { id } = await scene.addChannel('Chat', { url_down: 'https://hook.example/' })
  const uuids = await scene.checkUuids()
  const clock = { now: () => scene.now }
  const assign = (checks: readonly string[], { through = store, known = false } = {}) =>
    assignChannel(through, clock, { id, projectId, checks, known, sizes: IN_TWOS })
  const linked = async () =>
    (await store.channels.assignableChecks(projectId, id))
      .filter(({ assigned }) => assigned)
      .map(({ uuid }) => uuid)
      .sort()
  await store.channels.assign({ id, projectId, checks: uuids.slice(0, 3), now: scene.now })
  return { scene, store, projectId, id, uuids, assign, linked }
}

/** The store, and the calls of the methods that write links; `before` gets their number. */
function watched(store: Store, before: (made: number) => unknown = () => {}) {
  const made: string[] = []
  const through = wrapStore(store, (name, call) => async (...args) => {
    if (/^channels\.(assign|switchForChecks)$/.test(name)) {
      await before(made.length)
      made.push(name === 'channels.assign' ? 'assign' : args[2] ? 'on' : 'off')
    }
    return await call(...args)
  })
  return { through, made }
}

test('a few links change in one transaction', async t => {
  const { store, uuids, assign, linked } = await open(t)
  const { through, made } = watched(store)
  assert.equal(await assign([uuids[1]!, uuids[2]!, uuids[3]!, UNKNOWN], { through }), 3)
  assert.deepEqual(made, ['assign'])
  assert.deepEqual(await linked(), uuids.slice(1, 4).sort())
})

test('of many links those that go are removed first, and each change is recorded once', async t => {
  const { store, projectId, uuids, assign, linked } = await open(t)
  const { through, made } = watched(store)
  const filter = { ...ANY_EVENT, kind: 'check', object: null, actor: null } as const
  const events = async () =>
    (await store.events.log(projectId, filter, { before: null, limit: 100 })).events.length
  const before = await events()
  assert.equal(await assign(uuids.slice(3), { through, known: true }), 4)
  assert.deepEqual(made, ['off', 'on', 'on'])
  assert.deepEqual(await linked(), uuids.slice(3).sort())
  assert.equal((await events()) - before, 7)
})

test('unknown checks are refused before any of many links changes', async t => {
  const { uuids, assign, linked } = await open(t)
  const refused = (error: unknown) =>
    error instanceof Refusal && error.field === 'checks' && error.message.includes(UNKNOWN)
  await assert.rejects(assign([...uuids.slice(3), UNKNOWN], { known: true }), refused)
  assert.deepEqual(await linked(), uuids.slice(0, 3).sort())
})

test('a refusal between transactions says how many links had changed, and the same again changes the others', async t => {
  const { store, uuids, assign, linked } = await open(t)
  const { through } = watched(store, made => {
    if (made === 2) throw new Refusal('forbidden', 'no more')
  })
  await assert.rejects(
    assign(uuids.slice(3), { through }),
    (error: unknown) => error instanceof Refusal && error.message.startsWith('no more (5 of 7 links'),
  )
  assert.deepEqual(await linked(), uuids.slice(3, 5).sort())
  await assign(uuids.slice(3))
  assert.deepEqual(await linked(), uuids.slice(3).sort())
})

test('a channel that is assigned again is sent the alert that waited when it was taken away', async t => {
  const { scene, store, projectId, id, uuids } = await open(t)
  await scene.ping('check-0', 'fail')
  const assign = (checks: readonly string[]) =>
    store.channels.assign({ id, projectId, checks, now: scene.now })
  await assign([])
  assert.equal((await scene.claim()).length, 0)
  await assign(uuids)
  assert.equal((await scene.claim()).length, 1)
})
