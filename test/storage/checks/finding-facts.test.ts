/** What the store gathers for the findings about a check. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { findingsOf } from '../../../src/core/checks/findings/index.js'
import type { ArrivedPing } from '../../../src/core/pings/arrived-ping.js'
import { PolicyHarness } from '../../_support/worlds/policy-harness.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

test('the last 100 runs are read with their durations and ends, oldest first', async t => {
  const harness = await StoreHarness.open(t)
  await harness.ping('backup')
  const [uuid] = await harness.checkUuids()
  const pings: ArrivedPing[] = []
  const add = (action: ArrivedPing['action'], seconds: number) => {
    harness.now += seconds * 1000
    pings.push(harness.arrived('backup', action))
  }
  for (let n = 0; n < 120; n++) {
    add('start', 50)
    add('log', 1)
    add(n % 40 === 39 ? 'fail' : 'success', n)
  }
  await harness.store.pings.record(pings)
  const { runs, openRuns } = await factsOf(harness, uuid!)
  assert.equal(runs.length, 100)
  assert.deepEqual(
    runs.map(({ durationMs }) => durationMs),
    Array.from({ length: 100 }, (_, n) => (n + 21) * 1000),
  )
  assert.deepEqual(
    runs.flatMap(({ succeeded }, n) => (succeeded ? [] : [n + 20])),
    [39, 79, 119],
  )
  assert.equal(runs.at(-1)!.endedAt, harness.now)
  assert.equal(openRuns, 0)
})

test('abandoned and open runs have no end, and open ones are counted', async t => {
  const harness = await StoreHarness.open(t)
  await harness.ping('each')
  const [uuid] = await harness.checkUuids()
  const asked = { changes: { trackRuns: 'each', maxDurationSeconds: 60 } as const, now: harness.now }
  await harness.store.checks.update(harness.projectId, uuid!, asked)
  const start = async () => await harness.ping('each', 'start', { rid: randomUUID() })
  await start()
  harness.now += 2 * 60_000
  await harness.store.alerts.declareDown(harness.now, 100, null)
  await harness.ping('each')
  await start()
  await start()
  const { runs, openRuns } = await factsOf(harness, uuid!)
  assert.deepEqual(
    runs.map(({ startedAt, endedAt, succeeded }) => [startedAt !== null, endedAt !== null, succeeded]),
    [
      [false, true, true],
      [true, false, false],
      [false, true, true],
      [true, false, false],
      [true, false, false],
    ],
  )
  assert.equal(openRuns, 2)
})

test('a channel counts as proven once a message or a test arrived', async t => {
  const harness = await StoreHarness.open(t)
  await harness.ping('backup')
  const [uuid] = await harness.checkUuids()
  const { store } = harness
  const channels = async () => (await factsOf(harness, uuid!)).channels
  assert.deepEqual(await channels(), [])
  const channel = await harness.addChannel('ops')
  assert.deepEqual(await channels(), [{ enabled: true, delivered: false }])
  await harness.ping('backup', 'fail')
  const settle = async (outcome: Parameters<StoreHarness['settle']>[1]) => {
    const [message] = await harness.claim()
    await harness.settle(message!, outcome)
  }
  const retryAt = harness.now + HOUR
  await settle({ type: 'retry', error: 'no', retryAt })
  assert.deepEqual(await channels(), [{ enabled: true, delivered: false }])
  harness.now = retryAt
  await settle('sent')
  assert.deepEqual(await channels(), [{ enabled: true, delivered: true }])
  await harness.ping('backup')
  await settle({ type: 'failed', error: 'no' })
  assert.deepEqual(await channels(), [{ enabled: true, delivered: true }])
  await store.channels.setEnabled(channel.id, false, harness.now)
  assert.deepEqual(await channels(), [{ enabled: false, delivered: true }])
})

test('a channel that was sent the alert of the check counts as proven without its log', async t => {
  const harness = await StoreHarness.open(t)
  await harness.ping('backup')
  const [uuid] = await harness.checkUuids()
  const { store, projectId, now } = harness
  const { id } = await harness.addChannel('ops')
  await harness.ping('backup', 'fail')
  const [message] = await harness.claim()
  await harness.settle(message!, 'sent')
  await store.pings.clearEvents(projectId, uuid!, now)
  const test = { channelId: id, uuid: randomUUID(), status: 'down', startedAt: now, durationMs: 1 } as const
  await store.channels.noteTest({ ...test, error: 'no' })
  assert.deepEqual((await factsOf(harness, uuid!)).channels, [{ enabled: true, delivered: true }])
})

test('a channel with an unconfirmed address does not count as enabled', async t => {
  const harness = await StoreHarness.open(t)
  await harness.ping('backup')
  const [uuid] = await harness.checkUuids()
  const { projectId, now } = harness
  const channel = { projectId, name: '', kind: 'email', settings: {}, members: [], confirmed: false, now }
  await harness.store.channels.create(channel)
  const facts = await factsOf(harness, uuid!)
  assert.deepEqual(facts.channels, [{ enabled: false, delivered: false }])
})

test('the channels of a check are those that its policy alerts, with groups as their members', async t => {
  const { scene, store, chat, phone, check, usePolicy } = await policyFacts(t)
  const channels = async () => {
    const { channels: found, policy } = await factsOf(scene, check)
    return [policy, ...found.map(({ enabled }) => enabled)]
  }
  assert.deepEqual(await channels(), [null, true])
  const id = await usePolicy({ steps: [{ after: 900, channels: [phone.uuid] }], repeat: null })
  assert.deepEqual(await channels(), ['On call', true])
  await store.channels.setEnabled(phone.id, false, scene.now)
  assert.deepEqual(await channels(), ['On call', false], 'its own channel is not alerted')
  const steps = [
    { after: 0, channels: 'check' as const },
    { after: 900, channels: [phone.uuid] },
  ]
  const { projectId, now } = scene
  await store.incidents.updatePolicy(projectId, id, { steps, now })
  assert.deepEqual(await channels(), ['On call', true, false])
  const members = [chat.uuid, phone.uuid]
  const group = { projectId, name: 'All', kind: 'group', settings: {}, members, now }
  const { uuid } = await store.channels.create(group)
  await store.incidents.updatePolicy(projectId, id, { steps: [{ after: 60, channels: [uuid] }], now })
  assert.deepEqual(await channels(), ['On call', true, false])
  await store.incidents.updatePolicy(projectId, id, { steps: [{ after: 0, channels: 'check' }], now })
  assert.equal((await channels())[0], null, 'such a policy does what is done without one')
})

test('a check without channels of its own is alerted through the steps that name some', async t => {
  const { scene, store, phone, check, usePolicy } = await policyFacts(t)
  const { projectId, now } = scene
  await store.checks.update(projectId, check, { changes: {}, channels: '', now })
  const evidence = async () => {
    return findingsOf(await factsOf(scene, check)).flatMap(found =>
      found.code === 'nobody_hears' ? found.evidence : [],
    )
  }
  assert.deepEqual(await evidence(), ['It has no integration, so no alert is sent.'])
  const repeat = { every: 3_600, times: 2 }
  const id = await usePolicy({ steps: [{ after: 0, channels: 'check' }], repeat })
  assert.deepEqual(await evidence(), ['Its policy “On call” reaches no integration, so no alert is sent.'])
  await store.incidents.updatePolicy(projectId, id, { steps: [{ after: 0, channels: [phone.uuid] }], now })
  assert.match((await evidence())[0]!, /^No delivery through the 1 integration of its policy/)
  await scene.ping('backup', 'fail')
  const [message] = await scene.claim()
  await scene.settle(message!, 'sent')
  assert.deepEqual(await evidence(), [])
})

async function policyFacts(t: TestContext) {
  const harness = await PolicyHarness.open(t)
  const { scene, store, chat, phone, check } = harness
  return { scene, store, chat, phone, check, usePolicy: harness.usePolicy.bind(harness) }
}

test('likely zones are those of the people, then of other checks, frequent ones first', async t => {
  const harness = await StoreHarness.open(t)
  const { store, projectId, now } = harness
  const checks: [name: string, schedule: string | null, tz: string][] = [
    ['own', '0 3 * * *', 'Europe/Madrid'],
    ['a', '0 3 * * *', 'Asia/Tokyo'],
    ['b', '0 3 * * *', 'Europe/Riga'],
    ['c', '0 4 * * *', 'Europe/Riga'],
    ['period', null, 'UTC'],
  ]
  const uuids: string[] = []
  for (const [name, schedule, tz] of checks) {
    const changes = { name, ...(schedule && { schedule, tz }) }
    uuids.push((await store.checks.create(projectId, { changes, unique: null, now })).check.uuid)
  }
  const zones = async (uuid: string) => (await factsOf(harness, uuid)).zones
  assert.deepEqual(await zones(uuids[0]!), [])
  for (const uuid of uuids) await store.pings.record([{ ...harness.arrived('x'), target: { uuid } }])
  assert.deepEqual(await zones(uuids[0]!), ['Europe/Riga', 'Asia/Tokyo'])
  const user = await store.people.createUser({
    email: 'bob@example.org',
    passwordHash: null,
    emailProven: true,
    now,
  })
  await store.people.setPreferences(user.id, { timezone: 'America/Lima', theme: 'auto' })
  await store.projects.putMember({ projectId, userId: user.id, role: 'member', now })
  assert.deepEqual(await zones(uuids[0]!), ['America/Lima', 'Europe/Riga', 'Asia/Tokyo'])
  assert.deepEqual(await zones(uuids[4]!), [])
})

test('a schedule in UTC with pings in Riga’s time is found from stored runs', async t => {
  const harness = await StoreHarness.open(t)
  const { store, projectId } = harness
  const changes = { name: 'Nightly', slug: 'nightly', schedule: '0 3 * * *', tz: 'UTC' }
  const { check } = await store.checks.create(projectId, { changes, unique: null, now: harness.now })
  await harness.addChannel('ops')
  const first = Date.UTC(2026, 0, 16, 1, 0, 4)
  for (let day = 0; day < 9; day++) {
    harness.now = first + day * DAY
    await harness.ping('nightly')
  }
  const found = findingsOf(await factsOf(harness, check.uuid))
  assert.deepEqual(
    found.map(({ code }) => code),
    ['time_zone', 'nobody_hears'],
  )
  assert.match(found[0]!.evidence, /^The last 9 runs came 2 hours before the schedule/)
})

async function factsOf({ store, projectId, now }: StoreHarness, uuid: string) {
  return await store.checks.findingFacts(projectId, { uuid }, now)
}
