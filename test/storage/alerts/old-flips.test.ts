/** Flips older than the log that channels have still to be compared with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendAll } from '../../_support/send-all.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const INCIDENTS = { rules: { keepsOpen: true } }
const DAY = 86_400_000

test('a channel enabled after its checks’ logs were pruned is sent the true status', async t => {
  const scene = await StoreHarness.open(t, { pingLogLimit: 5 })
  const { id } = await scene.addChannel('A')
  for (const slug of ['recovered', 'failed']) await scene.ping(slug)
  scene.now += 1_000
  await scene.ping('recovered', 'fail')
  assert.deepEqual(await sendAll(scene, INCIDENTS), ['recovered down'])
  await scene.store.channels.setEnabled(id, false, scene.now)
  scene.now += 60_000
  await scene.ping('recovered')
  await scene.ping('failed', 'fail')
  for (let ping = 0; ping < 10; ping++) {
    scene.now += 10 * DAY
    await scene.ping('recovered')
    await scene.ping('failed', 'fail')
  }
  for (let at: number | null = 0; at !== null; ) {
    at = (await scene.store.instance.pruneNext(at, scene.now)).after
  }
  await scene.store.channels.setEnabled(id, true, scene.now)
  assert.deepEqual(await sendAll(scene, INCIDENTS), ['failed down', 'recovered up'])
  assert.deepEqual(await sendAll(scene, INCIDENTS), [])
})
