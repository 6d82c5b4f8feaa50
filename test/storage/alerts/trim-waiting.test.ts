import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { NEWEST_KEPT } from '../../../src/core/alerts/delivery/trim.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

/** A project with a channel and a check of it, and what waits. */
async function flappingCheck(t: TestContext) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  await scene.ping('steady')
  await scene.ping('backup')
  const channel = await scene.addChannel('A')
  const flip = async (times: number) => {
    for (let n = 0; n < times; n++) {
      scene.now += 1_000
      await scene.ping('backup', n % 2 === 0 ? 'fail' : 'success')
    }
  }
  const waiting = async () => Number((await raw('SELECT count(*) AS n FROM deliveries'))[0]!.n)
  return { scene, raw, channel, flip, waiting }
}

test('the waiting deliveries of one check stay few, and the message counts those replaced', async t => {
  const { scene, raw, channel, flip, waiting } = await flappingCheck(t)
  const probeAt = scene.now + 3_600_000
  await raw(`UPDATE channels SET unreachable_at = ${scene.now}, probe_at = ${probeAt}`)
  await scene.ping('steady', 'fail')
  for (let round = 0; round < 3; round++) {
    await flip(40)
    assert.deepEqual(await scene.claim(), [])
    // That of the other check, and the newest.
    assert.equal(await waiting(), 1 + 1)
  }
  scene.now = probeAt
  await raw(`UPDATE channels SET unreachable_at = NULL WHERE id = ${channel.id}`)
  const messages = await scene.claim()
  const parts = messages.flatMap(message => message.parts)
  assert.deepEqual(
    parts.map(({ due }) => [due!.change.status, due!.superseded, due!.missedDown]),
    [
      ['down', 0, false],
      ['up', 119, true],
    ],
  )
})

test('tried deliveries are kept when those of one check are trimmed', async t => {
  const { scene, flip, waiting } = await flappingCheck(t)
  await scene.ping('backup', 'fail')
  const [message] = await scene.claim()
  await scene.settle(message!, { type: 'retry', error: 'no answer', retryAt: scene.now + 3_600_000 })
  await scene.ping('backup')
  await flip(40)
  const [last] = await scene.claim()
  const { due, createdAt } = last!.parts[0]!
  assert.deepEqual([due!.superseded, due!.missedDown, createdAt], [41, true, message!.parts[0]!.createdAt])
  assert.equal(await waiting(), 1)
})

test('the deliveries of a channel of an unknown kind are kept, and trimmed too', async t => {
  const { scene, channel, flip, waiting } = await flappingCheck(t)
  await flip(40)
  const { messages, dropped, large } = await scene.store.alerts.takeMessages({
    worker: 'me',
    now: scene.now,
    leaseUntil: scene.now + 10_000,
    inHand: [],
    channels: [
      { channelId: channel.id, rules: null, messages: 5, deliveries: 100, sending: { down: 0, other: 0 } },
    ],
  })
  assert.deepEqual([messages, dropped, large], [[], [], []])
  // The oldest, one that was missed, and the newest.
  assert.equal(await waiting(), 1 + 1 + NEWEST_KEPT)
})
