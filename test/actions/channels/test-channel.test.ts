/** What somebody hears who sends a test through a channel. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { OUR_FAULT } from '../../../src/actions/alerts/deliver.js'
import { testChannel } from '../../../src/actions/channels/test-channel.js'
import { FakeClock } from '../../_support/clock.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

async function open(t: TestContext, kind: string, settings: Record<string, string>) {
  const scene = await StoreHarness.open(t)
  const { store, projectId, now } = scene
  const { uuid } = await store.channels.create({ projectId, name: '', kind, settings, members: [], now })
  const errors: unknown[] = []
  const deps = {
    ...testDelivery(store, new FakeClock(now), { operator: { SHELL_ENABLED: 'true' } }),
    onError: (error: unknown) => errors.push(error),
  }
  const sendTest = async (withinMs?: number) => (await testChannel(deps, uuid, withinMs))[0]!.error
  return { store, uuid, errors, sendTest }
}

/** Takes connections and says nothing. */
async function openSilence(t: TestContext): Promise<number> {
  const server = createServer(socket => t.after(() => socket.destroy()))
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const webhook = (url: string) => ({ method_down: 'POST', url_down: url, body_down: 'down' })

test('a test message to a silent receiver ends at its time limit', async t => {
  const url = `http://127.0.0.1:${await openSilence(t)}/`
  const { store, uuid, errors, sendTest } = await open(t, 'webhook', webhook(url))
  assert.equal(await sendTest(300), 'No answer within 1 s')
  assert.equal((await store.channels.find(uuid))!.lastError, 'No answer within 1 s')
  assert.deepEqual(errors, [])
})

test('a test message to a hanging command ends at its time limit', async t => {
  const { sendTest } = await open(t, 'shell', { cmd_down: 'sleep 30' })
  assert.equal(await sendTest(300), 'No answer within 1 s')
})

for (const [what, url, expected] of [
  ['that is not there', 'http://127.0.0.1:1/', 'Connection failed'],
  ['whose name nobody knows', 'http://receiver.invalid/', 'Could not resolve host'],
  ['that breaks off', 'http://127.0.0.1:PORT/', 'Connection failed'],
  ['that knows no TLS', 'https://127.0.0.1:PORT/', 'TLS handshake failed'],
] as const) {
  test(`a receiver ${what} is reported in plain words`, async t => {
    const server = createServer(socket => socket.on('error', () => {}).end())
    t.after(() => server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { errors, sendTest } = await open(t, 'webhook', webhook(url.replace('PORT', String(port))))
    assert.equal(await sendTest(), expected)
    assert.deepEqual(errors, [])
  })
}

test('a bug is logged with its cause, and the sender of the test sees one sentence', async t => {
  // No form would have let settings so incomplete through.
  const { store, uuid, errors, sendTest } = await open(t, 'zulip', {})
  assert.equal(await sendTest(), OUR_FAULT)
  assert.equal((await store.channels.find(uuid))!.lastError, OUR_FAULT)
  assert.equal(errors.length, 1)
  assert.ok(errors[0] instanceof TypeError)
})

test('the receiver of a test gets no ID with which it could report a failure', async t => {
  const recorder = await openRecorder(t)
  const { store, uuid, sendTest } = await open(t, 'webhook', webhook(recorder.url))
  assert.equal(await sendTest(), '')
  const key = String(recorder.requests[0]!.headers['idempotency-key'])
  assert.match(key, /^[0-9a-f-]{36}$/)
  assert.equal(await store.alerts.notifiedChannel(key, 0), null)
  assert.equal((await store.channels.find(uuid))!.disabled, false)
})
