/** Messages contain the beginning of a check's description, which may be of any length. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deliver } from '../../../src/actions/alerts/deliver.js'
import { checkSettings } from '../../../src/integrations/fields.js'
import { webhook } from '../../../src/integrations/kinds/webhook/webhook.js'
import { FakeClock } from '../../_support/clock.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const LONG = `${'\u00e9'.repeat(49_998)}\u{1f512}${'x'.repeat(500_000)}`

/** Sends the down alert of a check with this description through a web hook with this body. */
async function sent(t: TestContext, desc: string, body: string) {
  const { url, requests } = await openRecorder(t)
  const scene = await StoreHarness.open(t)
  const { store, projectId, now } = scene
  const settings = checkSettings(webhook, { url_down: url, method_down: 'POST', body_down: body })
  await store.channels.create({ projectId, name: 'Hook', kind: 'webhook', settings, members: [], now })
  await scene.ping('backup')
  const [uuid] = await scene.checkUuids()
  await store.checks.update(projectId, uuid!, { changes: { desc }, now })
  await scene.ping('backup', 'fail')
  const asked: string[] = []
  const deps = testDelivery(store, new FakeClock(scene.now))
  const spied = {
    ...deps,
    store: {
      ...store,
      alerts: {
        ...store.alerts,
        channelsOfCheck: (id: number) => {
          asked.push(`${id}`)
          return store.alerts.channelsOfCheck(id)
        },
      },
    },
  }
  for (const message of await scene.claim('tests')) {
    await deliver(spied, message, new AbortController().signal, { check() {} })
  }
  return { text: requests.map(request => request.body).join(), asked: asked.length }
}

test('the JSON of a check in a message has its channels, and the beginning of a long description', async t => {
  const { text } = await sent(t, LONG, '$JSON')
  const { desc, channels } = JSON.parse(text) as { desc: string; channels: string }
  assert.equal(desc, `${'\u00e9'.repeat(49_998)}…`)
  assert.match(channels, /^[\da-f-]{36}$/)
})

test('the JSON of a check in a message has the whole of a shorter description', async t => {
  const { text } = await sent(t, 'x'.repeat(50_000), '$JSON')
  assert.equal((JSON.parse(text) as { desc: string }).desc, 'x'.repeat(50_000))
})

test('the channels of a check are not read for a message that does not contain them', async t => {
  assert.deepEqual(await sent(t, '', '$NAME'), { text: 'backup', asked: 0 })
})
