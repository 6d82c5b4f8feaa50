/** The failed test of a channel, as it is shown. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

test('a failed test is shown until something newer was sent', async t => {
  const { scene, sendTest, shown } = await open(t)
  assert.deepEqual(await shown(), [null, '', 0])
  await sendTest('refused')
  assert.deepEqual(await shown(), [scene.now, 'refused', 1])
  scene.now += 1_000
  await scene.ping('backup', 'fail')
  const [message] = await scene.claim()
  await scene.settle(message!, 'sent')
  assert.deepEqual(await shown(), [scene.now, '', 0])
  scene.now += 1_000
  await sendTest('refused again')
  assert.deepEqual(await shown(), [scene.now, 'refused again', 1])
  await sendTest('')
  assert.deepEqual(await shown(), [scene.now, '', 0])
})

test('a failed test is not shown any more when its channel is confirmed', async t => {
  const { scene, uuid, sendTest, shown } = await open(t)
  await sendTest('refused')
  const settings = {}
  assert.equal(await scene.store.channels.confirm({ uuid, settings, now: scene.now + 1 }), true)
  assert.deepEqual(await shown(), [null, '', 0])
})

async function open(t: TestContext) {
  const scene = await StoreHarness.open(t)
  const { id: channelId, uuid } = await scene.addChannel('A')
  const { channels, projects } = scene.store
  const sendTest = async (error: string) => {
    const sent = { status: 'down', durationMs: 10, startedAt: scene.now } as const
    await channels.noteTest({ ...sent, channelId, uuid: randomUUID(), error })
  }
  /** The last attempt and its error, and how many channels of the project fail. */
  const shown = async () => {
    const { lastNotify, lastError } = (await channels.find(uuid))!
    return [lastNotify, lastError, (await projects.channelHealth(scene.projectId)).failing]
  }
  return { scene, uuid, sendTest, shown }
}
