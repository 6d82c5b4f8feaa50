/** What incidents record of holds and drops, and how that is explained. T5 of the rules: decision 0115. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { explanationLines } from '../../../src/core/incidents/explanation.js'
import { sendAll } from '../../_support/send-all.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000

async function openScene(t: TestContext) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  const start = scene.now
  /** A silence of the project for some minutes. */
  const silence = async (reason: string, minutes: number) => {
    const to = scene.now + minutes * MINUTE
    await raw(`INSERT INTO silences (project_id, mode, scope, from_at, to_at, reason, created_at, over_at)
      VALUES (${project.id}, 'hold', '{"project":true}', ${scene.now - 1}, ${to}, '${reason}', ${scene.now}, ${to})`)
  }
  const events = async () =>
    (await raw('SELECT * FROM incident_events ORDER BY id')).map(({ kind, reason, text, until_at }) => [
      kind,
      reason,
      text,
      until_at === null ? null : (Number(until_at) - start) / MINUTE,
    ])
  return { scene, raw, store, silence, events, start }
}

test('a hold is recorded once, and again when other holds join it', async t => {
  const { scene, raw, silence, events } = await openScene(t)
  await scene.addChannel('A')
  await silence('backup', 60)
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sendAll(scene), [])
  const first = ['held', 'silence', 'silence “backup”', 60]
  assert.deepEqual(await events(), [first])
  scene.now += 20 * MINUTE
  assert.deepEqual(await sendAll(scene), [])
  assert.deepEqual(await events(), [first])
  await silence('holiday', 120)
  scene.now += 20 * MINUTE
  assert.deepEqual(await sendAll(scene), [])
  const both = ['held', 'silence', 'silence “backup”, silence “holiday”', 140]
  assert.deepEqual(await events(), [first, both])
  scene.now += 120 * MINUTE
  assert.deepEqual(await sendAll(scene), ['backup down'])
  assert.equal((await events()).length, 2)
  const [message] = await raw('SELECT check_status FROM notifications WHERE incident_id IS NOT NULL')
  assert.equal(message!.check_status, 'down')
})

test('an incident that begins and ends in a silence says that it was held, and dropped', async t => {
  const { scene, silence, events, store } = await openScene(t)
  await scene.addChannel('A')
  await silence('', 60)
  await scene.ping('backup', 'fail')
  await sendAll(scene)
  scene.now += MINUTE
  await scene.ping('backup')
  assert.deepEqual(await sendAll(scene), [])
  assert.deepEqual(await events(), [['held', 'silence', 'silence', 60]])
  const { incidents } = await store.incidents.list(
    scene.projectId,
    {},
    { after: null, limit: 5, now: scene.now },
  )
  const { entries } = await store.incidents.timeline(scene.projectId, incidents[0]!.id, scene.now)
  assert.deepEqual(entries.map(entry => (entry.type === 'dropped' ? entry.reason : entry.type)).sort(), [
    'closed',
    'held',
    'held',
    'opened',
    'superseded',
  ])
})

test('a repeat of an acknowledged incident is dropped, and the incident says why', async t => {
  const { scene, raw, events, store } = await openScene(t)
  const { id: channelId } = await scene.addChannel('A')
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sendAll(scene), ['backup down'])
  const [row] = await raw('SELECT id, check_id, flip_id FROM incidents')
  const { id, check_id, flip_id } = row!
  const person = { by: 'Alice', now: scene.now, note: '', until: null }
  await store.incidents.acknowledge(scene.projectId, [Number(id)], person)
  await raw(`INSERT INTO deliveries (uuid, channel_id, check_id, flip_id, incident_id, again, due_at, created_at)
    VALUES ('r', ${channelId}, ${check_id}, ${flip_id}, ${id}, 'repeat', ${scene.now}, ${scene.now})`)
  const { held, dropped } = await store.alerts.takeMessages({
    worker: 'me',
    now: scene.now,
    leaseUntil: scene.now + 1_000,
    inHand: [],
    channels: [
      {
        channelId,
        rules: { down: true, up: true, grouped: true, keepsOpen: false, hourly: 0, receiver: null },
        messages: 1,
        deliveries: 10,
        sending: { down: 0, other: 0 },
        leavesLarge: false,
      },
    ],
  })
  assert.deepEqual(held, {})
  assert.deepEqual(
    dropped.map(({ reason, error }) => [reason, error]),
    [['acknowledged', '']],
  )
  const [, drop] = await events()
  assert.deepEqual(drop, ['dropped', 'acknowledged', 'repeat', null])
})

test('a hold is counted by its reason when it begins, not when it is looked at again', async t => {
  const { scene, store, silence } = await openScene(t)
  const { id: channelId } = await scene.addChannel('A')
  await silence('', 60)
  await scene.ping('backup', 'fail')
  const take = async () => {
    const rules = { down: true, up: true, grouped: true, keepsOpen: false, hourly: 0, receiver: null }
    const from = {
      channelId,
      rules,
      messages: 1,
      deliveries: 10,
      sending: { down: 0, other: 0 },
      leavesLarge: false,
    }
    const { held, putOff } = await store.alerts.takeMessages({
      worker: 'me',
      now: scene.now,
      leaseUntil: scene.now + 1_000,
      inHand: [],
      channels: [from],
    })
    return { held, putOff }
  }
  assert.deepEqual(await take(), { held: { silence: 1 }, putOff: 1 })
  assert.deepEqual(await take(), { held: {}, putOff: 0 })
  scene.now += 20 * MINUTE
  assert.deepEqual(await take(), { held: {}, putOff: 1 })
})

test('what each channel was sent, and what waits and why, is explained', async t => {
  const { scene, silence, store, start } = await openScene(t)
  await scene.ping('backup')
  const [uuid] = await scene.checkUuids()
  const minutes = (at: number) => `minute ${(at - start) / MINUTE}`
  const lines = async () =>
    explanationLines(await store.incidents.explain(scene.projectId, { uuid: uuid! }, scene.now), minutes)
  assert.deepEqual(await lines(), [
    'backup is up. It has had no incidents.',
    'It has no channels, so nothing is sent.',
  ])
  const { id } = await scene.addChannel('Chat')
  await scene.ping('backup', 'fail')
  await sendAll(scene)
  await scene.addChannel('Late')
  await store.channels.setEnabled(id, false, scene.now)
  assert.deepEqual(await lines(), [
    'backup is down. Incident 1: down since minute 0 (failed).',
    '',
    'Chat (webhook)',
    '  It is disabled.',
    '  It was sent that the check is down, minute 0.',
    '  Last message: down, minute 0: sent.',
    '  Nothing waits.',
    '',
    'Late (webhook)',
    '  It has no down alert that is not over.',
    '  Nothing waits.',
  ])
  await store.channels.setEnabled(id, true, scene.now)
  scene.now += 30 * MINUTE
  await scene.ping('backup')
  await sendAll(scene)
  scene.now += 30 * MINUTE
  await silence('window', 60)
  await scene.ping('backup', 'fail')
  await sendAll(scene)
  const shown = await lines()
  assert.equal(shown[0], 'backup is down. Incident 2: down since minute 60 (failed).')
  assert.deepEqual(shown.slice(2, 7), [
    'Chat (webhook)',
    '  It has no down alert that is not over.',
    '  Waits: down since minute 60, held: silence; looked at next minute 75.',
    '  Down alerts are held now: silence “window” until minute 120.',
    '',
  ])
})

test('an incident is explained only to its own project', async t => {
  const { scene, store } = await openScene(t)
  await scene.ping('backup', 'fail')
  const [uuid] = await scene.checkUuids()
  const other = await store.projects.create({ name: 'Bob', ownerId: null, pingKey: null, now: 1 })
  await assert.rejects(store.incidents.explain(other.id, { uuid: uuid! }, scene.now), { code: 'forbidden' })
})

test('a limit that delays an alert is recorded once, with its end', async t => {
  const { scene, events } = await openScene(t)
  await scene.addChannel('A')
  const rules = { receiver: { key: 'A', perMinute: 1 } }
  for (const check of ['one', 'two', 'three']) await scene.ping(check, 'fail')
  await sendAll(scene, { rules })
  const delayed = await events()
  assert.equal(delayed.length, 2)
  assert.deepEqual(delayed[0]!.slice(0, 3), ['held', 'receiver', ''])
  assert.ok(Number(delayed[0]![3]) > 0)
  scene.now += 10 * MINUTE
  await sendAll(scene, { rules })
  assert.equal((await events()).length, 2, 'one of them is delayed again')
})

test('a flapping check is recorded as held once, however often it changes', async t => {
  const { scene, events } = await openScene(t)
  await scene.addChannel('A')
  await scene.ping('door')
  for (let n = 0; n < 14; n++) {
    scene.now += MINUTE
    await scene.ping('door', n % 2 === 0 ? 'fail' : 'success')
    for (const message of await scene.claim('me', { rules: { grouped: true } })) {
      const flapping = message.form === 'flapping' ? 'begun' : null
      await scene.settle(message, { type: 'sent', alertClass: message.alertClass, flapping })
    }
  }
  const flapping = (await events()).filter(([, reason]) => reason === 'flapping')
  assert.deepEqual(
    flapping.map(([kind, reason, text]) => [kind, reason, text]),
    [['held', 'flapping', '']],
  )
})

test('an alert that an integration does not want is recorded once for each incident', async t => {
  const { scene, events, store } = await openScene(t)
  await scene.addChannel('Recoveries')
  for (let n = 0; n < 3; n++) {
    await scene.ping('backup', 'fail')
    await sendAll(scene, { rules: { down: false } })
    scene.now += MINUTE
    await scene.ping('backup')
    await sendAll(scene, { rules: { down: false } })
    scene.now += MINUTE
  }
  const dropped = (await events()).filter(([kind]) => kind === 'dropped')
  assert.deepEqual(dropped, [['dropped', 'unwanted', 'down', null]])
  const page = { most: { open: 5, closed: 5 }, after: null, now: scene.now }
  const filter = { from: 0, open: null, search: '', tag: '', channel: '' }
  const project = (await store.projects.list()).find(({ id }) => id === scene.projectId)!
  const { incidents } = await store.incidents.recent([project.uuid], filter, page)
  assert.equal(incidents[0]!.outcome.held, 'the integration wants no such alerts')
})

test('an alert to a channel that was unlinked before is recorded', async t => {
  const { scene, events, store } = await openScene(t)
  const { uuid } = await scene.addChannel('A')
  await scene.ping('backup')
  const [check] = await scene.checkUuids()
  await scene.ping('backup', 'fail')
  await store.channels.switchForCheck(scene.projectId, { check: check!, channel: uuid }, false, scene.now)
  await sendAll(scene)
  assert.deepEqual(
    (await events()).map(([kind, reason, text]) => [kind, reason, text]),
    [['dropped', 'unlinked', 'down']],
  )
})
