/** A check is moved to another project while a message about it is on its way to a channel of the old one. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deliver } from '../../../src/actions/alerts/deliver.js'
import { checkSettings } from '../../../src/integrations/fields.js'
import { mattermost } from '../../../src/integrations/kinds/mattermost.js'
import { FakeClock } from '../../_support/clock.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

/** The texts that a chat is sent about `down` checks of Alice, of which the last was moved after it was claimed. */
async function sentAbout(t: TestContext, down: number): Promise<string[]> {
  const { url, requests } = await openRecorder(t)
  const scene = await StoreHarness.open(t)
  const { store, projectId, now } = scene
  const settings = checkSettings(mattermost, { url })
  await store.channels.create({ projectId, name: 'Chat', kind: 'mattermost', settings, members: [], now })
  const other = await store.projects.create({ name: 'Secret', ownerId: null, pingKey: 'other', now: 1 })
  for (let index = 0; index < down; index++) await scene.ping(`c${index}`, 'fail')
  const claimed = await scene.claim('tests', { rules: { grouped: true } })
  const [uuid] = (await scene.checkUuids()).slice(-1)
  await store.checks.move({ projectId, uuid: uuid!, targetId: other.id, now })
  const deps = testDelivery(store, new FakeClock(now))
  for (const message of claimed) await deliver(deps, message, new AbortController().signal, { check() {} })
  assert.deepEqual(await scene.claim('tests'), [])
  return requests.map(({ body }) => body)
}

test('a message about several checks leaves out one that was moved, and names its own project', async t => {
  const [text, ...more] = await sentAbout(t, 8)
  assert.deepEqual(more, [])
  assert.match(text!, /7 checks of Alice are DOWN/)
  assert.doesNotMatch(text!, /Secret/)
})

test('an alert is not sent about a check that was moved after it was claimed', async t => {
  assert.deepEqual(await sentAbout(t, 1), [])
})
