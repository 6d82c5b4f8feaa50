/** A mail server that says that an address does not exist may be wrong for a while. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type DeliverDeps, deliver } from '../../../src/actions/alerts/deliver.js'
import { DeliveryError } from '../../../src/integrations/integration.js'
import { testWays } from '../../_support/alert.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const UNKNOWN = new DeliveryError('550 User unknown', { unknownRecipient: true })
const AWAY = new DeliveryError('Connection failed')

/** A check that went down, with an e-mail channel whose mail server fails with `server.error` until that is null. */
async function open(t: TestContext) {
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  await scene.ping('backup')
  const settings = { value: 'alice@example.org', down: 'true', up: 'true', hourly_limit: '30' }
  const added = {
    projectId,
    kind: 'email',
    name: 'A',
    settings,
    members: [],
    confirmed: true,
    now: scene.now,
  }
  const { id, uuid } = await store.channels.create(added)
  const server: { error: DeliveryError | null } = { error: UNKNOWN }
  const outcomes: string[] = []
  const deps: DeliverDeps = {
    ...testDelivery(store, { now: () => scene.now }),
    worker: 'me',
    transports: signal => ({
      ...testWays(null, { signal }),
      async mail() {
        if (server.error) throw server.error
      },
    }),
    onDelivery: ({ outcome }) => void outcomes.push(outcome),
  }
  const pass = async () => {
    for (const message of await scene.claim())
      await deliver(deps, message, new AbortController().signal, { check() {} })
  }
  /** Sends what is due, minute by minute, from now on until `minutes` later. */
  const passMinutes = async (minutes: number) => {
    await pass()
    for (let minute = 0; minute < minutes; minute++) {
      scene.now += MINUTE_MS
      await pass()
    }
  }
  const isDisabled = async () => (await store.channels.find(uuid))!.disabled
  await scene.ping('backup', 'fail')
  return { scene, store, id, server, outcomes, passMinutes, isDisabled }
}

test('an address that does not exist is tried again and disabled after an hour', async t => {
  const { outcomes, passMinutes, isDisabled } = await open(t)
  await passMinutes(59)
  assert.deepEqual(new Set(outcomes), new Set(['retry']))
  assert.equal(await isDisabled(), false)
  await passMinutes(31)
  assert.equal(outcomes.at(-1), 'disable')
  assert.equal(await isDisabled(), true)
})

test('an alert arrives if its address did not exist for a while', async t => {
  const { scene, server, outcomes, passMinutes, isDisabled } = await open(t)
  await passMinutes(20)
  server.error = null
  await passMinutes(20)
  assert.equal(outcomes.at(-1), 'sent')
  server.error = UNKNOWN
  scene.now += 60 * MINUTE_MS
  await scene.ping('backup', 'success')
  await passMinutes(0)
  assert.equal(outcomes.at(-1), 'retry', 'the hour begins anew')
  assert.equal(await isDisabled(), false)
})

test('the hour without an address begins after other failures', async t => {
  const { server, outcomes, passMinutes, isDisabled } = await open(t)
  server.error = AWAY
  await passMinutes(120)
  server.error = UNKNOWN
  await passMinutes(59)
  assert.deepEqual(new Set(outcomes), new Set(['retry']))
  server.error = AWAY
  await passMinutes(31)
  server.error = UNKNOWN
  await passMinutes(59)
  assert.equal(await isDisabled(), false)
  await passMinutes(60)
  assert.equal(await isDisabled(), true)
})

test('the hour without an address begins after the channel was enabled or a test arrived', async t => {
  const { scene, store, id, outcomes, passMinutes, isDisabled } = await open(t)
  await passMinutes(59)
  await store.channels.setEnabled(id, false, scene.now)
  await store.channels.setEnabled(id, true, scene.now)
  await passMinutes(59)
  assert.equal(await isDisabled(), false)
  const noted = { channelId: id, uuid: crypto.randomUUID(), status: 'down', error: '' } as const
  await store.channels.noteTest({ ...noted, startedAt: scene.now, durationMs: 0 })
  outcomes.length = 0
  await passMinutes(59)
  assert.deepEqual(new Set(outcomes), new Set(['retry']))
  await passMinutes(31)
  assert.equal(outcomes.at(-1), 'disable')
})

test('the hour without an address begins anew if nothing was tried for days', async t => {
  const { scene, outcomes, passMinutes, isDisabled } = await open(t)
  await passMinutes(0)
  scene.now += 7 * DAY_MS
  await passMinutes(0)
  assert.deepEqual(outcomes, ['retry', 'retry'])
  assert.equal(await isDisabled(), false)
  await passMinutes(90)
  assert.equal(outcomes.at(-1), 'disable')
  assert.equal(await isDisabled(), true)
})

test('an address that does not exist for minutes stops heartbeats', async t => {
  const { scene, store, passMinutes } = await open(t)
  await passMinutes(10)
  const { channels, failing } = await store.instance.sending(scene.now)
  assert.deepEqual([channels, failing], [1, 1])
})
