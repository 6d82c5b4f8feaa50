/** What a process that ended had claimed, while another transaction has locked a delivery of it. Decision 0102. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LockedRows } from '../../_support/worlds/locked-rows.js'

test('what an ended process had claimed is released but for what is locked, which runs out', async t => {
  const world = await LockedRows.open(t)
  const { alice, store } = world
  await alice.addChannel('A')
  for (const slug of ['free', 'locked']) await alice.ping(slug, 'fail')
  const [free, locked] = await alice.claim('ended')
  const unlock = await world.lock('deliveries', `id = ${locked!.parts[0]!.id}`)
  await store.alerts.releaseClaims(['ended'], alice.now)
  await unlock()
  const claimed = async () => (await alice.claim()).flatMap(({ parts }) => parts.map(({ id }) => id))
  assert.deepEqual(await claimed(), [free!.parts[0]!.id])
  alice.now += 9_999
  await store.alerts.renewClaims({ worker: 'me', ids: [free!.parts[0]!.id], until: alice.now + 10_000 })
  alice.now += 2
  assert.deepEqual(await claimed(), [locked!.parts[0]!.id])
})
