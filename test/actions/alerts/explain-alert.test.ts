/** What about a check's settings may be why it went down, in the alert. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deliver } from '../../../src/actions/alerts/deliver.js'
import { addChannel } from '../../../src/actions/channels/add-channel.js'
import type { Store } from '../../../src/storage/store.js'
import { FakeClock } from '../../_support/clock.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'
import { wrapStore } from '../../_support/wrap-store.js'

const DAY = 86_400_000
const HOUR = 3_600_000

interface Options {
  slugs?: string[]
  body?: string
  kind?: 'webhook' | 'mattermost'
  /** What the store answers instead. */
  findingFacts?: Store['checks']['findingFacts']
}

/** Checks that ping at 3 o'clock in Riga while they are set to UTC, the first miss of which is due; and a webhook. */
async function open(
  t: TestContext,
  { slugs = ['Backup'], body = '$NAME: $FINDING', kind = 'webhook', findingFacts }: Options = {},
) {
  const { url, requests } = await openRecorder(t)
  const scene = await StoreHarness.open(t)
  const { projectId } = scene
  for (const slug of slugs) {
    const changes = { name: slug, slug, schedule: '0 3 * * *', tz: 'UTC' }
    await scene.store.checks.create(projectId, { changes, unique: null, now: scene.now })
  }
  const first = scene.now + DAY - (scene.now % DAY) + HOUR
  for (let day = 0; day < 6; day++) {
    scene.now = first + day * DAY
    const pings = slugs.map(slug => scene.arrived(slug))
    await scene.store.pings.record(pings)
  }
  const clock = new FakeClock(scene.now)
  const settings: Record<string, string> =
    kind === 'mattermost' ? { url } : { url_down: url, method_down: 'POST', body_down: body }
  await addChannel(scene.store, clock, { projectId, kind, name: '', settings, asker: null, by: null })
  const asked: string[] = []
  const errors: unknown[] = []
  const store = wrapStore(scene.store, (name, method) => {
    if (name !== 'checks.findingFacts') return method
    return (...args) => {
      asked.push(name)
      return ((findingFacts as typeof method | undefined) ?? method)(...args)
    }
  })
  const deps = {
    ...testDelivery(store, clock),
    worker: 'me',
    onError: (error: unknown) => errors.push(error),
  }
  /** Lets time pass, and sends what is due; returns what arrived. */
  const sendAt = async (now: number, claim: Parameters<StoreHarness['claim']>[1] = {}): Promise<string[]> => {
    scene.now = now
    clock.advance((now - clock.now()) / 1000)
    await scene.store.alerts.declareDown(now, 100, null)
    for (const message of await scene.claim('me', claim))
      await deliver(deps, message, new AbortController().signal, { check() {} })
    return requests.splice(0).map(({ body }) => body.toString())
  }
  return { scene, asked, errors, sendAt, missedAt: scene.now + 3 * HOUR }
}

test('an alert about a missing ping says when all came at the hour of another time zone', async t => {
  for (const kind of ['webhook', 'mattermost'] as const) {
    const { sendAt, missedAt, asked } = await open(t, { kind })
    const [body] = await sendAt(missedAt)
    assert.match(body!, /The last 6 runs came 2 hours before the schedule: is it set to UTC/)
    assert.equal(asked.length, 1)
  }
})

test('nothing is gathered for a failure that the job reported, nor for a recovery', async t => {
  const { scene, sendAt, asked } = await open(t)
  await scene.ping('Backup', 'fail')
  assert.deepEqual(await sendAt(scene.now), ['Backup: '])
  await scene.ping('Backup')
  await sendAt(scene.now + 1)
  assert.deepEqual(asked, [])
})

test('nothing is gathered for a webhook that does not say it', async t => {
  const { sendAt, missedAt, asked } = await open(t, { body: '$NAME' })
  assert.deepEqual(await sendAt(missedAt), ['Backup'])
  assert.deepEqual(asked, [])
})

test('nothing is gathered for a message about many checks', async t => {
  const slugs = Array.from({ length: 30 }, (_, n) => `c${n}`)
  const { sendAt, missedAt, asked } = await open(t, { slugs, kind: 'mattermost' })
  const sent = await sendAt(missedAt, { rules: { grouped: true } })
  assert.equal(sent.length, 1)
  assert.match(sent[0]!, /30 checks of Alice are DOWN/)
  assert.deepEqual(asked, [])
})

test('a finding that cannot be gathered is left out, and the alert is sent', async t => {
  const failure = new Error('no such table')
  const { sendAt, missedAt, errors } = await open(t, { findingFacts: () => Promise.reject(failure) })
  assert.deepEqual(await sendAt(missedAt), ['Backup: '])
  assert.deepEqual(errors, [failure])
})

test('an alert does not wait for a finding that takes too long', async t => {
  const { sendAt, missedAt, errors } = await open(t, { findingFacts: () => new Promise(() => {}) })
  assert.deepEqual(await sendAt(missedAt), ['Backup: '])
  assert.deepEqual(errors, [])
})
