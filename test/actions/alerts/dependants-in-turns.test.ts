/** How the checks that depend on a check are read for its alerts: once for all channels, and one project's after the other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliver } from '../../../src/actions/alerts/deliver.js'
import { checkSettings } from '../../../src/integrations/fields.js'
import { mattermost } from '../../../src/integrations/kinds/mattermost.js'
import { FakeClock } from '../../_support/clock.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const CHANNELS = 4

test('dependants are read once for the alerts of all channels, and for one check of a project at a time', async t => {
  const { url, requests } = await openRecorder(t)
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  const settings = checkSettings(mattermost, { url })
  for (let number = 0; number < CHANNELS; number++) {
    const chat = { name: `Chat ${number}`, kind: 'mattermost', settings, members: [] }
    await store.channels.create({ projectId, ...chat, now: scene.now })
  }
  for (const slug of ['router', 'switch', 'backup']) await scene.ping(slug)
  const [router, another, backup] = await scene.checkUuids()
  const parents = [router!, another!]
  await store.checks.update(projectId, backup!, { changes: {}, parents, now: scene.now })
  await scene.ping('router', 'fail')
  await scene.ping('switch', 'fail')
  const messages = await scene.claim()
  assert.equal(messages.length, 2 * CHANNELS)

  let reading = 0
  let most = 0
  const read: number[] = []
  const dependantsOfCheck: typeof store.alerts.dependantsOfCheck = async (checkId, status) => {
    read.push(checkId)
    most = Math.max(most, ++reading)
    const found = await store.alerts.dependantsOfCheck(checkId, status)
    reading--
    return found
  }
  const counting = { ...store, alerts: { ...store.alerts, dependantsOfCheck } }
  const deps = testDelivery(counting, new FakeClock(scene.now))
  const signal = new AbortController().signal
  await Promise.all(messages.map(message => deliver(deps, message, signal, { check() {} })))
  assert.equal(most, 1)
  assert.deepEqual(read.sort(), [...new Set(messages.map(({ parts }) => parts[0]!.checkId!))].sort())
  assert.equal(requests.length, 2 * CHANNELS)
  for (const { body } of requests) assert.match(body, /backup/)
})
