/** A channel that was sent that a check is flapping is sent how it is once it is steady. Decision 0060. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000
const CHAT = { rules: { grouped: true } }
const AWAY = { type: 'retry' as const, error: 'HTTP 503' }

/** What each message of a check is, as `form status`. */
const said = ({ form, parts }: ClaimedMessage) => `${form} ${parts[0]!.flip!.newStatus}`

/** Sends and settles what may be sent now. */
async function sent(scene: StoreHarness): Promise<string[]> {
  const messages = await scene.claim('me', CHAT)
  for (const message of messages) {
    const { form, alertClass } = message
    const flapping = form === 'flapping' ? 'begun' : form === 'steady' ? 'over' : null
    await scene.settle(message, { type: 'sent', alertClass, flapping })
  }
  return messages.map(said)
}

/** What each minute up to `minutes` from now sends. */
async function minutes(scene: StoreHarness, count: number): Promise<string[]> {
  const all: string[] = []
  for (let minute = 1; minute <= count; minute++) {
    scene.now += MINUTE
    all.push(...(await sent(scene)).map(one => `${minute}: ${one}`))
  }
  return all
}

/** A check has gone down and up five times within ten minutes, of which a chat was sent everything, and goes down. */
async function aboutToFlap(t: TestContext): Promise<StoreHarness> {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('Chat')
  await scene.ping('backup')
  for (const action of ['fail', 'success', 'fail', 'success', 'fail'] as const) {
    await scene.ping('backup', action)
    assert.equal((await sent(scene)).length, 1)
    scene.now += 2 * MINUTE
  }
  return scene
}

test('the status of a check that stops flapping with its sixth change is sent as steady', async t => {
  const scene = await aboutToFlap(t)
  await scene.ping('backup')
  assert.deepEqual(await sent(scene), ['flapping up'])
  assert.deepEqual(await minutes(scene, 60), ['15: steady up'])
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sent(scene), ['alert down'])
})

test('so is that of a check which stops while the receiver of the notice is away', async t => {
  const scene = await aboutToFlap(t)
  for (const action of ['success', 'fail', 'success', 'fail'] as const) {
    await scene.ping('backup', action)
    const [message] = await scene.claim('me', CHAT)
    if (message) await scene.settle(message, { ...AWAY, retryAt: scene.now + 5 * MINUTE })
    scene.now += MINUTE
  }
  scene.now += 5 * MINUTE
  assert.deepEqual(await sent(scene), ['flapping down'])
  assert.deepEqual(await minutes(scene, 60), ['9: steady down'])
  await scene.ping('backup')
  assert.deepEqual(await sent(scene), ['alert up'])
})

test('a receiver that is away when the check is steady is sent that once it is back', async t => {
  const scene = await aboutToFlap(t)
  await scene.ping('backup')
  assert.deepEqual(await sent(scene), ['flapping up'])
  scene.now += 15 * MINUTE
  for (let hour = 0; hour < 30; hour++) {
    const [steady] = await scene.claim('me', CHAT)
    assert.equal(said(steady!), 'steady up')
    await scene.settle(steady!, { ...AWAY, retryAt: scene.now + 60 * MINUTE })
    scene.now += 60 * MINUTE
  }
  assert.deepEqual(await sent(scene), ['steady up'])
  assert.deepEqual(await minutes(scene, 60), [])
})

test('the change of the notice does not count among those that were held back', async t => {
  const scene = await aboutToFlap(t)
  await scene.ping('backup')
  assert.deepEqual(await sent(scene), ['flapping up'])
  for (const action of ['fail', 'success', 'fail'] as const) {
    scene.now += MINUTE
    await scene.ping('backup', action)
    assert.deepEqual(await sent(scene), [])
  }
  scene.now += 15 * MINUTE
  const [steady] = await scene.claim('me', CHAT)
  assert.deepEqual([said(steady!), steady!.parts[0]!.due!.superseded], ['steady down', 2])
})

test('nothing more is sent of a check that is taken off, or paused while it is down', async t => {
  for (const way of ['pause', 'unlink'] as const) {
    const scene = await aboutToFlap(t)
    const [check] = await scene.checkUuids()
    await scene.ping('backup')
    await scene.ping('backup', 'fail')
    assert.deepEqual(await sent(scene), ['flapping down'])
    const { store, projectId, now } = scene
    if (way === 'pause') await store.checks.pause(projectId, check!, now)
    else await store.checks.update(projectId, check!, { changes: {}, channels: '', now })
    assert.deepEqual(await minutes(scene, 60), [], way)
  }
})
