/** Down alerts that are raised late, in an outage or the hold after it. Decision 0104. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnHearing } from '../../../src/storage/instance/outages.js'
import { partOfProject } from '../../../src/storage/instance/parts.js'
import { takeMessages } from '../../_support/claim.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const S = 1_000
const MINUTE = 60 * S
const HOUR = 60 * MINUTE
const MAX_HOLD = 5 * MINUTE

/** What is sent now, as `name status`; each is settled as sent. */
async function sent(scene: StoreHarness, own: OwnHearing | null = null): Promise<string[]> {
  const { messages } = await takeMessages(scene.store, scene.now, { own })
  for (const message of messages) await scene.settle(message, 'sent')
  return messages.map(({ channel, parts }) => `${channel.name} ${parts[0]!.flip!.newStatus}`).sort()
}

/** The project is silenced for so long (ms). */
async function silence(scene: StoreHarness, lengthMs: number): Promise<void> {
  const times = { kind: 'once', from: scene.now, to: scene.now + lengthMs } as const
  const asked = { mode: 'hold', scope: { project: true }, channels: null, times, reason: '' } as const
  await scene.store.silences.create(scene.projectId, { ...asked, createdBy: 'Alice', now: scene.now })
}

/** An outage of so many seconds that ends now, and is on record; `part`: of this part of the checks. */
async function outage(scene: StoreHarness, seconds: number, partial = false, part?: string): Promise<void> {
  const missed = [{ from: scene.now - seconds * S, to: scene.now, partial, ...(part && { part }) }]
  await scene.store.instance.beat('me', scene.now, { missed })
}

async function beat(scene: StoreHarness): Promise<void> {
  await scene.store.instance.beat('me', scene.now)
}

/** A check that went down in a silence, which ends in a minute. */
async function downInSilence(t: Parameters<typeof StoreHarness.open>[0]): Promise<StoreHarness> {
  const scene = await StoreHarness.open(t, { outageHoldMs: MAX_HOLD })
  await scene.ping('backup')
  await scene.addChannel('Chat')
  await silence(scene, 2 * MINUTE)
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sent(scene), [])
  scene.now += MINUTE
  return scene
}

test('a check whose recovery was refused at the end of its silence is sent to nobody', async t => {
  const scene = await downInSilence(t)
  scene.now += MINUTE + S
  await outage(scene, 30)
  assert.deepEqual(await sent(scene), [])
  scene.now += 10 * S
  await beat(scene)
  await scene.ping('backup')
  assert.deepEqual(await sent(scene), [])
  scene.now += MAX_HOLD
  await beat(scene)
  assert.deepEqual(await sent(scene), [])
})

test('a check waits at the end of its silence for what its project missed, and not for another', async t => {
  const scene = await downInSilence(t)
  scene.now += MINUTE + S
  await outage(scene, 30, true, partOfProject(scene.projectId))
  await outage(scene, 30, true, partOfProject(scene.projectId + 1))
  assert.deepEqual(await sent(scene), [])
  scene.now += 30 * S
  await beat(scene)
  await outage(scene, 10, true, partOfProject(scene.projectId + 1))
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('a check that stays down after an outage at the end of its silence is sent after the hold', async t => {
  const scene = await downInSilence(t)
  scene.now += MINUTE + S
  await outage(scene, 40)
  assert.deepEqual(await sent(scene), [])
  scene.now += 40 * S - 1
  await beat(scene)
  assert.deepEqual(await sent(scene), [])
  scene.now += 1
  await beat(scene)
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('a silence that ends in the hold after an outage is followed by the rest of the hold', async t => {
  const scene = await downInSilence(t)
  scene.now += 40 * S
  await outage(scene, 30)
  scene.now += 20 * S
  await beat(scene)
  assert.deepEqual(await sent(scene), [])
  scene.now += 10 * S
  await beat(scene)
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('an alert raised late waits while pings of this process fail, before that is on record', async t => {
  const scene = await downInSilence(t)
  scene.now += MINUTE + S
  const own = { process: 'me', heardUntil: scene.now - 500 }
  assert.deepEqual(await sent(scene, own), [])
  scene.now += S
  await scene.store.instance.beat('me', scene.now, { missed: [{ from: own.heardUntil, to: scene.now }] })
  assert.deepEqual(await sent(scene, { process: 'me', heardUntil: scene.now }), [])
  await scene.ping('backup')
  assert.deepEqual(await sent(scene), [])
})

test('an alert raised late waits while another process cannot record pings', async t => {
  const scene = await downInSilence(t)
  scene.now += MINUTE + S
  await scene.store.instance.beat('me', scene.now, { heardUntil: scene.now - 30 * S })
  assert.deepEqual(await sent(scene), [])
  scene.now += 2 * S
  await beat(scene)
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('an alert raised late waits for a process that has been silent for longer than usual', async t => {
  const scene = await downInSilence(t)
  scene.now += MINUTE
  await beat(scene)
  scene.now += 2 * S + 1
  assert.deepEqual(await sent(scene), [])
  scene.now += 20 * S
  assert.deepEqual(await sent(scene), [])
  await scene.store.instance.beat('me', scene.now, {
    missed: [{ from: scene.now - 22 * S, to: scene.now }],
  })
  await scene.ping('backup')
  assert.deepEqual(await sent(scene), [])
  scene.now += 30 * S
  await beat(scene)
  assert.deepEqual(await sent(scene), [])
})

test('an alert raised late does not wait for a beat that comes as late as beats usually do', async t => {
  const scene = await downInSilence(t)
  scene.now += MINUTE
  await beat(scene)
  scene.now += 2 * S
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('a failure is sent at once, however long a process has been silent', async t => {
  const scene = await StoreHarness.open(t, { outageHoldMs: MAX_HOLD })
  await scene.ping('backup')
  await scene.addChannel('Chat')
  await beat(scene)
  scene.now += 10 * S
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('an alert raised late waits for a process that was killed until the hold after its outage ends', async t => {
  const scene = await downInSilence(t)
  scene.now += MINUTE
  const beatOther = () => scene.store.instance.beat('other', scene.now)
  await beat(scene)
  await beatOther()
  const killedAt = scene.now
  scene.now += 2 * S
  do {
    scene.now += S
    await beatOther()
  } while (scene.now < killedAt + 60 * S && (await sent(scene)).length === 0)
  // It counts as ended after 15 s.
  assert.equal(scene.now - killedAt, 45 * S)
})

test('an alert raised late does not wait for a process that has said that it ends beside another', async t => {
  const scene = await downInSilence(t)
  scene.now += MINUTE
  await scene.store.instance.beat('other', scene.now)
  await beat(scene)
  await scene.store.instance.beat('me', scene.now, { phase: 'stopping' })
  scene.now += 2 * S
  await scene.store.instance.beat('other', scene.now)
  scene.now += S
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('the alert at the end of an acknowledgement waits as others, and is not sent if the check is up by then', async t => {
  for (const comesUp of [false, true]) {
    const { store, raw, remove } = await openFreshStore({ outageHoldMs: MAX_HOLD })
    t.after(remove)
    const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
    const scene = new StoreHarness(store, project.id)
    await scene.ping('backup')
    await scene.addChannel('Chat')
    await scene.ping('backup', 'fail')
    assert.deepEqual(await sent(scene), ['Chat down'])
    const [incident] = await raw('SELECT id FROM incidents')
    const person = { by: 'Alice', now: scene.now, note: '', until: scene.now + HOUR }
    await store.incidents.acknowledge(project.id, [Number(incident!.id)], person)
    scene.now += HOUR - S
    await beat(scene)
    scene.now += 3 * S
    await store.incidents.escalate(scene.now, 100)
    assert.deepEqual(await sent(scene), [])
    scene.now += S
    await outage(scene, 3)
    assert.deepEqual(await sent(scene), [])
    scene.now += 30 * S
    if (comesUp) await scene.ping('backup')
    await beat(scene)
    assert.deepEqual(await sent(scene), [comesUp ? 'Chat up' : 'Chat down'])
    scene.now += S
    await beat(scene)
    assert.deepEqual(await sent(scene), [])
  }
})

test('a check that failed again after the outage is sent when its silence ends', async t => {
  const scene = await downInSilence(t)
  scene.now += 30 * S
  await outage(scene, 120)
  scene.now += 10 * S
  await scene.ping('backup', 'fail')
  scene.now += 20 * S
  await beat(scene)
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('an outage without a hold any more does not delay what is raised late', async t => {
  const scene = await downInSilence(t)
  await outage(scene, 10)
  scene.now += MINUTE
  await beat(scene)
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('a failure just before an outage is sent at once', async t => {
  const scene = await StoreHarness.open(t, { outageHoldMs: MAX_HOLD })
  await scene.ping('backup')
  await scene.addChannel('Chat')
  await scene.ping('backup', 'fail')
  scene.now += 40 * S
  await outage(scene, 39)
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('whatever outages follow, an alert raised late waits at most twice the longest hold', async t => {
  const scene = await downInSilence(t)
  scene.now += MINUTE + S
  const raisedAt = scene.now
  let sentAfter: number | null = null
  while (sentAfter === null && scene.now < raisedAt + 10 * MAX_HOLD) {
    await outage(scene, 2, true)
    if ((await sent(scene)).length > 0) sentAfter = scene.now - raisedAt
    scene.now += 10 * S
  }
  assert.ok(sentAfter !== null && sentAfter > 0 && sentAfter <= 2 * MAX_HOLD, `${sentAfter}`)
})

test('a channel that can be used again is sent what is down after the hold', async t => {
  const scene = await StoreHarness.open(t, { outageHoldMs: MAX_HOLD })
  await scene.ping('backup')
  const { id } = await scene.addChannel('Chat')
  await scene.store.channels.setEnabled(id, false, scene.now)
  await scene.ping('backup', 'fail')
  scene.now += 10 * MINUTE
  await outage(scene, 60)
  scene.now += 20 * S
  await beat(scene)
  await scene.store.channels.setEnabled(id, true, scene.now)
  assert.deepEqual(await sent(scene), [])
  scene.now += 40 * S
  await beat(scene)
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('a channel that can be used again just after an outage is sent what is down after the hold', async t => {
  const scene = await StoreHarness.open(t, { outageHoldMs: MAX_HOLD })
  await scene.ping('backup')
  const { id } = await scene.addChannel('Chat')
  await scene.store.channels.setEnabled(id, false, scene.now)
  await scene.ping('backup', 'fail')
  scene.now += 30 * S
  await outage(scene, 5)
  scene.now += 3 * S
  await beat(scene)
  await scene.store.channels.setEnabled(id, true, scene.now)
  assert.deepEqual(await sent(scene), [])
  scene.now += 27 * S
  await beat(scene)
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('a failure before an outage is late, however soon after it its channel can be used again', async t => {
  const scene = await StoreHarness.open(t, { outageHoldMs: MAX_HOLD })
  await scene.ping('backup')
  const { id } = await scene.addChannel('Chat')
  await scene.store.channels.setEnabled(id, false, scene.now)
  await scene.ping('backup', 'fail')
  scene.now += 14 * S
  await outage(scene, 9)
  scene.now += 11 * S
  await beat(scene)
  await scene.store.channels.setEnabled(id, true, scene.now)
  assert.deepEqual(await sent(scene), [])
  scene.now += 19 * S
  await beat(scene)
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('a check that went down just before an outage is sent as soon as it is declared down', async t => {
  const scene = await StoreHarness.open(t, { outageHoldMs: MAX_HOLD })
  await scene.ping('backup')
  await scene.addChannel('Chat')
  scene.now += 25 * HOUR + 30 * S
  await outage(scene, 25)
  assert.equal((await scene.store.alerts.declareDown(scene.now, 10)).declared, 1)
  assert.deepEqual(await sent(scene), ['Chat down'])
})

/**
 * Restarts of `lastS`, one every `everyS`, of a process that looks each second, since `since`. Returns how long (ms) after `since` the
 * alert is sent.
 */
async function sentAmongRestarts(
  scene: StoreHarness,
  { since, everyS, lastS }: { since: number; everyS: number; lastS: number },
): Promise<number | null> {
  for (let seconds = 0; scene.now < since + 5 * MINUTE; seconds++) {
    if (seconds % everyS === 1) await outage(scene, lastS)
    else await beat(scene)
    await scene.store.alerts.declareDown(scene.now, 10)
    if ((await sent(scene)).length > 0) return scene.now - since
    scene.now += S
  }
  return null
}

/** How often restarts come, how long they last, and how long before the alert could be raised they begin (s). */
const RESTARTS = [
  [19, 2, 180],
  [19, 2, 187],
  [14, 2, 190],
  [10, 1, 180],
  [10, 1, 184],
] as const

test('a silent check waits only as long as deadlines do while restarts go on', async t => {
  const maxHold = 40 * S
  for (const [everyS, lastS, before] of RESTARTS) {
    const scene = await StoreHarness.open(t, { outageHoldMs: maxHold })
    await scene.ping('backup')
    await scene.addChannel('Chat')
    const since = scene.now + 25 * HOUR
    scene.now = since - before * S
    const after = await sentAmongRestarts(scene, { since, everyS, lastS })
    // Pings are not taken while a process restarts.
    const deaf = Math.ceil((2 * maxHold) / (everyS * S)) * lastS * S
    assert.ok(after !== null && after <= 2 * maxHold + deaf, `${everyS} ${before}: ${after}`)
  }
})

test('an alert after a silence waits only as long as deadlines do while restarts go on', async t => {
  const maxHold = 40 * S
  for (const [everyS, lastS, before] of RESTARTS) {
    const scene = await StoreHarness.open(t, { outageHoldMs: maxHold })
    await scene.ping('backup')
    await scene.addChannel('Chat')
    const since = scene.now + before * S
    await silence(scene, before * S)
    await scene.ping('backup', 'fail')
    const after = await sentAmongRestarts(scene, { since, everyS, lastS })
    const deaf = Math.ceil((2 * maxHold) / (everyS * S)) * lastS * S
    assert.ok(after !== null && after > 0 && after <= 2 * maxHold + deaf, `${everyS} ${before}: ${after}`)
  }
})

test('a silent check that waited and is judged long after that waits for the outage in between', async t => {
  const scene = await StoreHarness.open(t, { outageHoldMs: MAX_HOLD })
  await scene.ping('backup')
  await scene.addChannel('Chat')
  scene.now += 25 * HOUR + S
  await outage(scene, 2)
  scene.now += 5 * MINUTE
  await outage(scene, 2)
  assert.equal((await scene.store.alerts.declareDown(scene.now, 10)).declared, 1)
  assert.deepEqual(await sent(scene), [])
  scene.now += 30 * S
  await beat(scene)
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('a step that is due in the hold after an outage waits for its end, and is not sent if the check came up', async t => {
  for (const comesUp of [false, true]) {
    const scene = await StoreHarness.open(t, { outageHoldMs: MAX_HOLD })
    await scene.ping('backup')
    const phone = await scene.addChannel('Phone')
    const { id, uuid } = phone
    await scene.store.channels.assign({ id, projectId: scene.projectId, checks: [], now: scene.now })
    await scene.addChannel('Chat')
    await scene.store.incidents.createPolicy(scene.projectId, {
      name: 'On call',
      isDefault: true,
      steps: [
        { after: 0, channels: 'check' },
        { after: 900, channels: [uuid] },
      ],
      repeat: null,
      now: scene.now,
    })
    await scene.ping('backup', 'fail')
    assert.deepEqual(await sent(scene), ['Chat down'])
    scene.now += 15 * MINUTE
    await outage(scene, 40)
    await scene.store.incidents.escalate(scene.now, 100)
    assert.deepEqual(await sent(scene), [])
    scene.now += 40 * S - 1
    if (comesUp) await scene.ping('backup')
    await beat(scene)
    assert.deepEqual(await sent(scene), comesUp ? ['Chat up'] : [])
    scene.now += 1
    await beat(scene)
    assert.deepEqual(await sent(scene), comesUp ? [] : ['Phone down'])
  }
})

test('what waited for another check is sent after the hold if its wait ends in an outage', async t => {
  const scene = await StoreHarness.open(t, { outageHoldMs: MAX_HOLD })
  await scene.ping('router')
  const [router] = await scene.checkUuids()
  await scene.ping('backup')
  const backup = (await scene.checkUuids()).find(uuid => uuid !== router)!
  await scene.addChannel('Chat')
  const parents = { changes: {}, parents: [router!], now: scene.now }
  await scene.store.checks.update(scene.projectId, backup, parents)
  const sentNow = async () => {
    await scene.releaseDependants()
    return await sent(scene)
  }
  await scene.ping('router', 'fail')
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sentNow(), ['Chat down'])
  scene.now += MINUTE
  await scene.ping('router')
  assert.deepEqual(await sentNow(), ['Chat up'])
  scene.now += 15 * MINUTE - 1
  assert.deepEqual(await sentNow(), [])
  scene.now += 1
  await outage(scene, 60)
  assert.deepEqual(await sentNow(), [])
  scene.now += 60 * S - 1
  await beat(scene)
  assert.deepEqual(await sentNow(), [])
  scene.now += 1
  await beat(scene)
  assert.deepEqual(await sentNow(), ['Chat down'])
})

test('the timeline says that an outage held an alert', async t => {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, project.id)
  await scene.ping('backup')
  await scene.addChannel('Chat')
  await silence(scene, MINUTE)
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sent(scene), [])
  scene.now += MINUTE
  for (let times = 0; times < 2; times++) {
    await outage(scene, 5)
    assert.deepEqual(await sent(scene), [])
    scene.now += 31 * S
  }
  await scene.ping('backup')
  assert.deepEqual(await sent(scene), [])
  const events = await raw(`SELECT kind, reason FROM incident_events ORDER BY id`)
  assert.deepEqual(
    events.map(({ kind, reason }) => `${kind} ${reason}`),
    ['held silence', 'held outage'],
  )
})
