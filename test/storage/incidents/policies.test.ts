/** Steps and repeats of policies, and the channels that they reach. Decision 0115. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PolicyHarness } from '../../_support/worlds/policy-harness.js'

const MINUTE = 60_000
const INCIDENTS = { rules: { keepsOpen: true } }

test('a policy alerts one channel after the other, repeats, and all hear of the end once', async t => {
  const world = await PolicyHarness.open(t)
  await world.usePolicy()
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(240), [
    '0: Chat down',
    '15: Phone down',
    '75: Chat down',
    '75: Phone down',
    '135: Chat down',
    '135: Phone down',
  ])
  await world.scene.ping('backup')
  assert.deepEqual(await world.minutes(120), ['0: Chat up', '0: Phone up'])
})

test('a check that recovers before a step sends nothing to its channel', async t => {
  const world = await PolicyHarness.open(t)
  await world.usePolicy()
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(14), ['0: Chat down'])
  await world.scene.ping('backup')
  assert.deepEqual(await world.minutes(120), ['0: Chat up'])
  const rows = await world.raw('SELECT * FROM incident_channels')
  assert.deepEqual(rows, [])
})

test('a reopened incident starts its policy anew', async t => {
  const world = await PolicyHarness.open(t)
  await world.usePolicy({ repeat: null })
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(20), ['0: Chat down', '15: Phone down'])
  await world.scene.ping('backup')
  assert.deepEqual(await world.minutes(5), ['0: Chat up', '0: Phone up'])
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(60), ['0: Chat down', '15: Phone down'])
  await world.scene.ping('backup')
  assert.deepEqual(await world.minutes(30), ['0: Chat up', '0: Phone up'])
})

test('without a step at once for the check, its channels are alerted when their step comes', async t => {
  const world = await PolicyHarness.open(t)
  await world.usePolicy({
    steps: [
      { after: 0, channels: [world.phone.uuid] },
      { after: 600, channels: 'check' },
    ],
    repeat: null,
  })
  await world.scene.ping('backup', 'fail')
  const { scene, chat } = world
  await scene.store.channels.setEnabled(chat.id, false, scene.now)
  await scene.store.channels.setEnabled(chat.id, true, scene.now)
  assert.deepEqual(await world.minutes(30), ['0: Phone down', '10: Chat down'])
  await scene.ping('backup')
  assert.deepEqual(await world.tick(), ['Chat up', 'Phone up'])
})

test('a step closes what it opened when the check is paused, deleted, moved or cleared', async t => {
  for (const way of ['pause', 'delete', 'move', 'clear'] as const) {
    const world = await PolicyHarness.open(t)
    const { scene, store, check } = world
    await world.usePolicy({ repeat: null })
    const other = await store.projects.create({ name: 'Bob', ownerId: null, pingKey: null, now: 1 })
    await scene.ping('backup', 'fail')
    scene.now += 15 * MINUTE
    assert.deepEqual(await world.tick(INCIDENTS), ['Chat down', 'Phone down'])
    if (way === 'pause') await store.checks.pause(scene.projectId, check, scene.now)
    if (way === 'delete') await store.checks.delete(scene.projectId, check, scene.now)
    if (way === 'move') {
      await store.checks.move({ projectId: scene.projectId, uuid: check, targetId: other.id, now: scene.now })
    }
    if (way === 'clear') await store.pings.clearEvents(scene.projectId, check, scene.now)
    const messages = await scene.claim('me', INCIDENTS)
    const closed = messages.map(({ channel }) => channel.id).sort((a, b) => a - b)
    assert.deepEqual(closed, [world.chat.id, world.phone.id], way)
    for (const message of messages) await scene.settle(message, 'sent')
    scene.now += 120 * MINUTE
    assert.deepEqual(await world.tick(INCIDENTS), [], way)
    assert.deepEqual(await world.raw('SELECT * FROM reported'), [], way)
  }
})

test('a disabled channel that a step reaches is caught up when it is enabled', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store, phone } = world
  await world.usePolicy({ repeat: null })
  await store.channels.setEnabled(phone.id, false, scene.now)
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(10), ['0: Chat down'])
  await store.channels.setEnabled(phone.id, true, scene.now)
  assert.deepEqual(await world.tick(), [], 'its step has not come')
  await store.channels.setEnabled(phone.id, false, scene.now)
  assert.deepEqual(await world.minutes(10), [])
  await store.channels.setEnabled(phone.id, true, scene.now)
  assert.deepEqual(await world.tick(), ['Phone down'])
  await store.channels.setEnabled(phone.id, false, scene.now)
  await scene.ping('backup')
  assert.deepEqual(await world.tick(), ['Chat up'])
  scene.now += MINUTE
  await store.channels.setEnabled(phone.id, true, scene.now)
  assert.deepEqual(await world.tick(), ['Phone up'])
  assert.deepEqual(await world.minutes(60), [])
})

test('a step reaches the members of a group, and a channel that is linked as well hears twice', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store, chat, phone } = world
  const group = await scene.addChannel('Team', {}, [chat.uuid, phone.uuid])
  await store.channels.assign({ id: group.id, projectId: scene.projectId, checks: [], now: scene.now })
  await world.usePolicy({
    steps: [
      { after: 0, channels: 'check' },
      { after: 300, channels: [group.uuid] },
    ],
    repeat: null,
  })
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(10), ['0: Chat down', '5: Chat down', '5: Phone down'])
  await scene.ping('backup')
  assert.deepEqual(await world.minutes(30), ['0: Chat up', '0: Phone up'])
})

test('a channel linked during the incident is alerted at the next look, then with repeats', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store, check } = world
  await world.usePolicy({ steps: [{ after: 0, channels: 'check' }], repeat: { every: 600, times: 2 } })
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(12), ['0: Chat down', '10: Chat down'])
  await store.channels.switchForCheck(scene.projectId, { check, channel: world.phone.uuid }, true, scene.now)
  assert.deepEqual(await world.minutes(20), ['8: Chat down', '8: Phone down', '18: Phone down'])
  await scene.ping('backup')
  assert.deepEqual(await world.tick(), ['Chat up', 'Phone up'])
})

test('a channel that is taken off and linked again during the incident goes on with its repeats', async t => {
  const world = await PolicyHarness.open(t)
  await world.usePolicy({ steps: [{ after: 0, channels: 'check' }] })
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(61), ['0: Chat down', '60: Chat down'])
  const { projectId, now } = world.scene
  const names = { check: world.check, channel: world.chat.uuid }
  await world.store.channels.switchForCheck(projectId, names, false, now)
  assert.deepEqual(await world.minutes(65), [])
  await world.store.channels.switchForCheck(projectId, names, true, world.scene.now)
  assert.deepEqual((await world.minutes(120)).length, 1)
})

test('a channel that is unlinked after its repeat is closed, one that a step named is not', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store, check, chat, phone } = world
  await world.usePolicy()
  await scene.ping('backup', 'fail')
  await world.minutes(80)
  for (const channel of [chat, phone]) {
    await store.channels.switchForCheck(scene.projectId, { check, channel: channel.uuid }, false, scene.now)
  }
  const messages = await scene.claim('me', INCIDENTS)
  assert.deepEqual(
    messages.map(({ channel }) => channel.id),
    [chat.id],
  )
  for (const message of messages) await scene.settle(message, 'sent')
  assert.deepEqual(await world.minutes(60), ['55: Phone down'])
  await scene.ping('backup')
  assert.deepEqual(await world.tick(), ['Phone up'])
})

/** The receiver reports that the last message did not arrive. */
async function noteUndelivered({ raw, scene, store }: PolicyHarness): Promise<void> {
  const [last] = await raw('SELECT uuid FROM notifications ORDER BY id DESC LIMIT 1')
  await store.alerts.noteDeliveryStatus({
    notificationUuid: String(last!.uuid),
    error: 'undelivered',
    disabled: null,
    since: 0,
    now: scene.now,
  })
}

test('an undelivered repeat leaves a channel reported down, and its recovery is sent', async t => {
  const world = await PolicyHarness.open(t)
  const { scene } = world
  await world.usePolicy({ steps: [{ after: 0, channels: 'check' }], repeat: { every: 600, times: 1 } })
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(10), ['0: Chat down', '10: Chat down'])
  await noteUndelivered(world)
  assert.equal((await world.raw('SELECT * FROM reported')).length, 1)
  assert.deepEqual(await world.raw('SELECT * FROM deliveries'), [])
  await scene.ping('backup')
  assert.deepEqual(await world.tick(), ['Chat up'])
})

test('a repeat beside an undelivered down alert that waits tries that one', async t => {
  const world = await PolicyHarness.open(t)
  const { scene } = world
  await world.usePolicy({ steps: [{ after: 0, channels: 'check' }], repeat: { every: 600, times: 2 } })
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(5), ['0: Chat down'])
  await noteUndelivered(world)
  assert.equal((await world.raw('SELECT * FROM deliveries')).length, 1)
  assert.deepEqual(await world.minutes(16), ['5: Chat down', '15: Chat down'])
  await scene.ping('backup')
  assert.deepEqual(await world.tick(), ['Chat up'])
})

test('a silence stops the clock of steps, for its channel alone', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store, phone } = world
  await world.usePolicy({ repeat: null })
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(5), ['0: Chat down'])
  await store.silences.create(scene.projectId, {
    mode: 'hold',
    scope: { project: true },
    channels: [phone.uuid],
    times: { kind: 'once', from: null, to: scene.now + 30 * MINUTE },
    reason: 'night',
    createdBy: 'Alice',
    now: scene.now,
  })
  assert.deepEqual(await world.minutes(60), ['40: Phone down'])
})

test('acknowledging stops steps and repeats, and one repeat follows its end', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store } = world
  await world.usePolicy()
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(20), ['0: Chat down', '15: Phone down'])
  await world.acknowledge(scene.now + 90 * MINUTE)
  assert.deepEqual(await world.minutes(160), [
    '90: Chat down',
    '90: Phone down',
    '150: Chat down',
    '150: Phone down',
  ])
  await world.acknowledge(null)
  assert.deepEqual(await world.minutes(300), [])
  const [incident] = await world.raw('SELECT id FROM incidents')
  await store.incidents.unacknowledge(scene.projectId, Number(incident!.id), { by: 'Alice', now: scene.now })
  assert.deepEqual(await world.minutes(61), [
    '0: Chat down',
    '0: Phone down',
    '60: Chat down',
    '60: Phone down',
  ])
  await scene.ping('backup')
  assert.deepEqual(await world.tick(), ['Chat up', 'Phone up'])
})

test('nothing is looked at until an acknowledgement ends, or a closed incident cannot be reopened', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store } = world
  await world.usePolicy()
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(20), ['0: Chat down', '15: Phone down'])
  await world.acknowledge(scene.now + 90 * MINUTE)
  assert.equal(await store.incidents.nextLook(), scene.now + 90 * MINUTE)
  await world.acknowledge(null)
  assert.equal(await store.incidents.nextLook(), null)
  await scene.ping('backup')
  assert.equal(await store.incidents.nextLook(), scene.now + 15 * MINUTE)
})

test('a repeat follows the end of an acknowledgement without a policy while it is down', async t => {
  for (const recovers of [false, true]) {
    const world = await PolicyHarness.open(t)
    const { scene } = world
    await scene.ping('backup', 'fail')
    assert.deepEqual(await world.minutes(5), ['0: Chat down'])
    assert.deepEqual(await world.raw('SELECT * FROM incident_channels'), [])
    await world.acknowledge(scene.now + 30 * MINUTE)
    if (recovers) await scene.ping('backup')
    assert.deepEqual(await world.minutes(60), recovers ? ['0: Chat up'] : ['30: Chat down'])
    if (recovers) continue
    await scene.ping('backup')
    assert.deepEqual(await world.minutes(30), ['0: Chat up'])
  }
})

test("a policy that is deleted sends nothing more, and its checks have the project's", async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store } = world
  const id = await world.usePolicy()
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(16), ['0: Chat down', '15: Phone down'])
  await store.incidents.deletePolicy(scene.projectId, id, scene.now)
  assert.deepEqual(await world.minutes(120), [])
  await scene.ping('backup')
  assert.deepEqual(await world.tick(), ['Chat up', 'Phone up'])
})

test('two processes that look at once send each step once', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store } = world
  await world.usePolicy()
  for (let n = 0; n < 20; n++) await scene.ping(`job-${n}`, 'fail')
  await world.tick()
  scene.now += 15 * MINUTE
  await Promise.all([1, 2, 3, 4].map(() => store.incidents.escalate(scene.now, 7)))
  const rows = await world.raw("SELECT * FROM deliveries WHERE again = 'step'")
  const pairs = new Set(rows.map(({ check_id, channel_id }) => `${check_id} ${channel_id}`))
  assert.equal(pairs.size, rows.length)
  for (let n = 0; n < 10; n++) await store.incidents.escalate(scene.now, 7)
  const all = await world.raw("SELECT * FROM deliveries WHERE again = 'step'")
  assert.equal(all.length, 20)
})

test('the clock of steps goes on when the check above is paused, and later when that recovered', async t => {
  for (const [ends, phoneAt] of [
    ['paused', 25],
    ['up', 40],
  ] as const) {
    const world = await PolicyHarness.open(t)
    const { scene, store } = world
    await world.usePolicy({ repeat: null })
    await scene.ping('router')
    const uuids = await scene.checkUuids()
    const router = uuids.find(uuid => uuid !== world.check)!
    await scene.ping('backup', 'fail')
    assert.deepEqual(await world.minutes(1), ['0: Chat down'])
    const asked = { changes: {}, parents: [router], now: scene.now }
    await store.checks.update(scene.projectId, world.check, asked)
    await scene.ping('router', 'fail')
    await world.tick()
    await world.minutes(10)
    if (ends === 'up') await scene.ping('router')
    else await store.checks.pause(scene.projectId, router, scene.now)
    const sent = await world.minutes(60)
    assert.ok(
      sent.some(one => one.endsWith(': Phone down')),
      `${ends}: ${sent}`,
    )
    const from = 10 + 1
    const at = Number(sent.find(one => one.endsWith(': Phone down'))!.split(':')[0]) + from
    assert.ok(at >= phoneAt && at <= phoneAt + 1, `${ends}: the step came after ${at} minutes`)
  }
})

/** `backup` depends on a check, `router`, of which no channel is alerted. */
async function openWithRouter(t: TestContext, periodSeconds: number) {
  const world = await PolicyHarness.open(t)
  const { scene, store, chat, phone } = world
  await world.usePolicy({ repeat: null })
  await scene.ping('router')
  const router = (await scene.checkUuids()).find(uuid => uuid !== world.check)!
  for (const { uuid: channel } of [chat, phone]) {
    await store.channels.switchForCheck(scene.projectId, { check: router, channel }, false, scene.now)
  }
  const asked = { changes: { periodSeconds }, parents: [router], now: scene.now }
  await store.checks.update(scene.projectId, world.check, asked)
  return world
}

test('after a recovery the clock of steps stands still as long as the hold, not longer', async t => {
  const world = await openWithRouter(t, 300)
  const { scene } = world
  await scene.ping('router', 'fail')
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(10), [])
  await scene.ping('router')
  await scene.releaseDependants()
  assert.deepEqual(await world.minutes(30), ['5: Chat down', '20: Phone down'])
})

test('the clock of steps stands still while a check waits for the one that it depends on', async t => {
  const waits = await openWithRouter(t, 86_400)
  waits.scene.now += MINUTE
  await waits.scene.ping('backup', 'fail')
  assert.deepEqual(await waits.minutes(30), ['5: Chat down', '20: Phone down'])
  const alone = await openWithRouter(t, 86_400)
  alone.scene.now += MINUTE
  await alone.scene.ping('backup', 'fail')
  assert.deepEqual(await alone.minutes(2), [])
  await alone.scene.ping('router')
  await alone.scene.releaseDependants()
  assert.deepEqual(await alone.minutes(30), ['0: Chat down', '15: Phone down'])
})

test('a step that a silence held is done as soon as the silence is ended', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store } = world
  await world.usePolicy({ repeat: null })
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(14), ['0: Chat down'])
  scene.now += 59_000
  const { id } = await store.silences.create(scene.projectId, {
    mode: 'hold',
    scope: { project: true },
    channels: null,
    times: { kind: 'once', from: null, to: scene.now + 600 * MINUTE },
    reason: '',
    createdBy: 'Alice',
    now: scene.now,
  })
  assert.deepEqual(await world.minutes(3), [])
  scene.now += 1_000
  await store.silences.end(scene.projectId, id, scene.now)
  assert.deepEqual(await world.tick(), [], 'a second of the clock is left')
  scene.now += 1_000
  assert.deepEqual(await world.tick(), ['Phone down'])
})

test('a policy that is deleted or changed alerts the channels that still waited for their step', async t => {
  for (const way of ['deleted', 'changed', 'left', 'replaced'] as const) {
    const world = await PolicyHarness.open(t)
    const { scene, store, check } = world
    const id = await world.usePolicy({
      steps: [
        { after: 0, channels: [world.phone.uuid] },
        { after: 3_600, channels: 'check' },
      ],
      repeat: null,
    })
    await scene.ping('backup', 'fail')
    assert.deepEqual(await world.minutes(2), ['0: Phone down'], way)
    const steps = [{ after: 0, channels: 'check' as const }]
    if (way === 'deleted') await store.incidents.deletePolicy(scene.projectId, id, scene.now)
    if (way === 'changed') await store.incidents.updatePolicy(scene.projectId, id, { steps, now: scene.now })
    if (way === 'left') {
      await store.incidents.updatePolicy(scene.projectId, id, { isDefault: false, now: scene.now })
    }
    if (way === 'replaced') {
      const other = { name: 'Other', isDefault: false, steps, repeat: null, now: scene.now }
      const { id: policy } = await store.incidents.createPolicy(scene.projectId, other)
      await store.checks.update(scene.projectId, check, { changes: {}, policy, now: scene.now })
    }
    assert.deepEqual(await world.minutes(120), ['0: Chat down'], way)
    await scene.ping('backup')
    assert.deepEqual(await world.minutes(30), ['0: Chat up', '0: Phone up'], way)
  }
})

test('a step that is inserted is done for its channel alone', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store, chat, phone } = world
  const pager = await scene.addChannel('Pager')
  await store.channels.assign({ id: pager.id, projectId: scene.projectId, checks: [], now: scene.now })
  const id = await world.usePolicy({ repeat: null })
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(20), ['0: Chat down', '15: Phone down'])
  const steps = [
    { after: 0, channels: [chat.uuid] },
    { after: 600, channels: [pager.uuid] },
    { after: 900, channels: [phone.uuid] },
  ]
  await store.incidents.updatePolicy(scene.projectId, id, { steps, now: scene.now })
  assert.deepEqual(await world.minutes(60), ['0: Pager down'])
  await scene.ping('backup')
  assert.deepEqual(await world.minutes(30), ['0: Chat up', '0: Pager up', '0: Phone up'])
})

test('an incident that opened without a policy follows the one that its check gets', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store } = world
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(5), ['0: Chat down'])
  const id = await world.usePolicy({ repeat: null })
  assert.deepEqual(await world.minutes(30), ['10: Phone down'])
  await store.incidents.deletePolicy(scene.projectId, id, scene.now)
  assert.deepEqual(await world.minutes(30), [])
  await scene.ping('backup')
  assert.deepEqual(await world.tick(), ['Chat up', 'Phone up'])
})

test('a policy that is deleted between a recovery and the next failure alerts each channel once', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store, phone } = world
  const steps = [
    { after: 0, channels: [phone.uuid] },
    { after: 900, channels: 'check' as const },
  ]
  const id = await world.usePolicy({ steps, repeat: null })
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(1), ['0: Phone down'])
  await scene.ping('backup')
  assert.deepEqual(await world.minutes(1), ['0: Phone up'])
  await store.incidents.deletePolicy(scene.projectId, id, scene.now)
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(60), ['0: Chat down'])
})

test('an acknowledgement that replaces another leaves the time under the first uncounted', async t => {
  const world = await PolicyHarness.open(t)
  await world.usePolicy({ repeat: null })
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(5), ['0: Chat down'])
  await world.acknowledge(null)
  assert.deepEqual(await world.minutes(10), [])
  await world.acknowledge(world.scene.now + 2 * MINUTE)
  assert.deepEqual(await world.minutes(30), ['2: Chat down', '12: Phone down'])
})

test('the time under a hold stays uncounted when a silence, a tag or a dependency is changed', async t => {
  for (const way of ['silence', 'tag', 'untag', 'parents', 'delete'] as const) {
    const world = await openWithRouter(t, 86_400)
    const { scene, store, check } = world
    const router = (await scene.checkUuids()).find(uuid => uuid !== check)!
    const bySilence = way === 'silence' || way === 'tag' || way === 'untag'
    const update = (changes: object, parents?: string[]) =>
      store.checks.update(scene.projectId, check, { changes, parents, now: scene.now })
    await update({ tags: 'db', dependsWaitSeconds: 0 })
    await scene.ping('backup', 'fail')
    assert.deepEqual(await world.minutes(5), ['0: Chat down'], way)
    const { id } = await store.silences.create(scene.projectId, {
      mode: 'hold',
      scope: way === 'silence' ? { checks: [check] } : { tags: [bySilence ? 'db' : 'other'] },
      channels: null,
      times: { kind: 'once', from: null, to: scene.now + 600 * MINUTE },
      reason: '',
      createdBy: 'Alice',
      now: scene.now,
    })
    if (!bySilence) await scene.ping('router', 'fail')
    assert.deepEqual(await world.minutes(10), [], way)
    const { now, projectId } = scene
    if (way === 'silence') await store.silences.update(projectId, id, { scope: { checks: [router] }, now })
    if (way === 'tag') await store.checks.tag(projectId, [check], { add: [], remove: ['db'], now })
    if (way === 'untag') await update({ tags: '' })
    if (way === 'parents') await update({}, [])
    if (way === 'delete') await store.checks.delete(projectId, router, now)
    // The router has the same policy.
    const also = way === 'parents' ? ['5: Phone down'] : []
    assert.deepEqual(await world.minutes(30), [...also, '10: Phone down'], way)
  }
})

test('a wait for a check that then goes down itself does not count', async t => {
  const world = await openWithRouter(t, 300)
  const { scene } = world
  scene.now += MINUTE
  await scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(3), [])
  await scene.ping('router', 'fail')
  const looked = 'UPDATE incident_channels SET look_at = 1'
  await world.raw(looked)
  assert.deepEqual(await world.minutes(4), [])
  await scene.ping('router')
  await scene.releaseDependants()
  assert.deepEqual(await world.minutes(30), ['5: Chat down', '20: Phone down'])
})

test('a step that failed waits while the incident is acknowledged, and is sent when that ends', async t => {
  const world = await PolicyHarness.open(t)
  const { scene } = world
  await failedStep(world)
  await world.acknowledge(scene.now + 60 * MINUTE)
  assert.deepEqual(await world.minutes(59), [])
  const [held, ...others] = await world.raw("SELECT reason, text FROM incident_events WHERE kind = 'held'")
  assert.deepEqual([held, others], [{ reason: 'acknowledged', text: '' }, []])
  assert.deepEqual(await world.minutes(30), ['1: Chat down', '1: Phone down'])
  await scene.ping('backup')
  assert.deepEqual(await world.minutes(30), ['0: Chat up', '0: Phone up'])
})

test('a step that failed is sent at once when the acknowledgement is taken back', async t => {
  const world = await PolicyHarness.open(t)
  const { scene, store } = world
  await failedStep(world)
  await world.acknowledge(null)
  assert.deepEqual(await world.minutes(20), [])
  const [incident] = await world.raw('SELECT id FROM incidents')
  await store.incidents.unacknowledge(scene.projectId, Number(incident!.id), { by: 'Alice', now: scene.now })
  assert.deepEqual(await world.tick(), ['Chat down', 'Phone down'])
})

test('a step that failed and was then acknowledged sends the recovery only, which says both', async t => {
  const world = await PolicyHarness.open(t)
  await failedStep(world)
  await world.acknowledge(null)
  assert.deepEqual(await world.minutes(120), [])
  await world.scene.ping('backup')
  const messages = await world.scene.claim('me')
  const due = messages.map(({ channel, parts }) => [channel.id, parts[0]!.due!.missedDown])
  assert.deepEqual(
    due.sort(([a], [b]) => Number(a) - Number(b)),
    [
      [world.chat.id, false],
      [world.phone.id, true],
    ],
  )
})

/** Chat was sent the incident, and the step of Phone was tried once. */
async function failedStep(world: PolicyHarness): Promise<void> {
  await world.usePolicy({ repeat: null })
  await world.scene.ping('backup', 'fail')
  assert.deepEqual(await world.minutes(14), ['0: Chat down'])
  world.scene.now += MINUTE
  await world.store.incidents.escalate(world.scene.now, 100)
  const [step] = await world.scene.claim('me')
  assert.equal(step!.channel.id, world.phone.id)
  await world.scene.settle(step!, { type: 'retry', error: 'away', retryAt: world.scene.now + MINUTE })
}
