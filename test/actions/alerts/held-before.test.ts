/** What an alert says that a silence held and that waited for its channel after that. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliver } from '../../../src/actions/alerts/deliver.js'
import { checkSettings } from '../../../src/integrations/fields.js'
import { mattermost } from '../../../src/integrations/kinds/mattermost.js'
import { FakeClock } from '../../_support/clock.js'
import { failForADay } from '../../_support/fail-for-a-day.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000

test('an alert that waited for an unreachable channel says what held it before', async t => {
  const { url, requests } = await openRecorder(t)
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  const settings = checkSettings(mattermost, { url })
  const chat = { name: 'Chat', kind: 'mattermost', settings, members: [] }
  await store.channels.create({ projectId, ...chat, now: scene.now })
  await failForADay(scene, 'Chat')
  await scene.ping('tried', 'fail')
  const [tried] = await scene.claim()
  const unreachable = { type: 'notice' as const, title: '', text: '', url: '' }
  await scene.settle(tried!, { type: 'failed', error: 'away', unreachable })
  const times = { kind: 'once', from: scene.now, to: scene.now + 20 * MINUTE } as const
  const asked = { mode: 'hold', scope: { project: true }, channels: null, times, reason: 'Nightly' } as const
  await store.silences.create(projectId, { ...asked, createdBy: 'Alice', now: scene.now })
  await scene.ping('backup', 'fail')
  for (const minutes of [0, 20]) {
    scene.now += minutes * MINUTE
    assert.deepEqual(await scene.claim(), [])
  }
  scene.now += 10 * MINUTE
  const [probe] = await scene.claim('tests')
  const deps = testDelivery(store, new FakeClock(scene.now))
  await deliver(deps, probe!, new AbortController().signal, { check() {} })
  assert.match(requests[0]!.body, /backup.*silence “Nightly” since/s)
})
