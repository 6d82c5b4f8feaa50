import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANY } from '../../_support/claim.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const GROUPED = { ...ANY, grouped: true }

test('a channel with many deliveries is not claimed from together with others', async t => {
  const scene = await StoreHarness.open(t)
  const large = await scene.addChannel('Large')
  await scene.store.pings.record(Array.from({ length: 6 }, (_, index) => scene.arrived(`c${index}`, 'fail')))
  const small = await scene.addChannel('Small')
  await scene.ping('late', 'fail')
  const take = async (ids: number[], leavesLarge: boolean) =>
    await scene.store.alerts.takeMessages({
      worker: 'me',
      now: scene.now,
      leaseUntil: scene.now + 10_000,
      inHand: [],
      channels: ids.map(channelId => ({
        channelId,
        rules: GROUPED,
        messages: 5,
        deliveries: 5,
        sending: { down: 0, other: 0 },
        leavesLarge,
      })),
    })
  const quick = await take([large.id, small.id], true)
  assert.deepEqual(quick.large, [large.id])
  assert.deepEqual(new Set(quick.messages.map(({ channel }) => channel.id)), new Set([small.id]))
  const alone = await take([large.id], false)
  assert.deepEqual(alone.large, [])
  assert.ok(alone.messages.length > 0)
})
