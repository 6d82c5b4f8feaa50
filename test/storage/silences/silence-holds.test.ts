/** Silences and the claim, through the store. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pruneIncidents } from '../../../src/actions/instance/prune-incidents.js'
import type { AskedSilence } from '../../../src/core/silences/asked-silence.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { claimMessages } from '../../_support/claim.js'
import { failForADay } from '../../_support/fail-for-a-day.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** What is sent now, as `name status`; each is settled as sent. */
async function sent(scene: StoreHarness): Promise<string[]> {
  const messages = await scene.claim()
  for (const message of messages) await scene.settle(message, 'sent')
  return messages.map(({ channel, parts }) => `${channel.name} ${parts[0]!.flip!.newStatus}`).sort()
}

function once(scene: StoreHarness, lengthMs: number, more: Partial<AskedSilence> = {}): AskedSilence {
  const times = { kind: 'once', from: scene.now, to: scene.now + lengthMs } as const
  return { mode: 'hold', scope: { project: true }, channels: null, times, reason: 'Backup window', ...more }
}

async function silence(scene: StoreHarness, asked: AskedSilence): Promise<number> {
  const by = { createdBy: 'Alice', now: scene.now }
  return (await scene.store.silences.create(scene.projectId, { ...asked, ...by })).id
}

test('what went down in a silence and came up in it is sent nobody', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  await scene.addChannel('Chat')
  await silence(scene, once(scene, HOUR))
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sent(scene), [])
  scene.now += 20 * MINUTE
  assert.deepEqual(await sent(scene), [])
  await scene.ping('backup')
  // Planned only after its end.
  scene.now += HOUR
  assert.deepEqual(await sent(scene), [])
})

test('a check that is still down at the end of a silence is sent then', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  await scene.addChannel('Chat')
  await silence(scene, once(scene, 40 * MINUTE))
  await scene.ping('backup', 'fail')
  const begun = scene.now
  for (const minutes of [0, 15, 30, 39]) {
    scene.now = begun + minutes * MINUTE
    assert.deepEqual(await sent(scene), [])
  }
  scene.now = begun + 40 * MINUTE
  assert.deepEqual(await sent(scene), ['Chat down'])
})

for (const [what, upAfter, expected] of [
  ['sent the end of what was down after its silence', 25, ['up']],
  ['not sent what was over before its silence ended', 15, []],
] as const)
  test(`an unreachable channel is ${what}`, async t => {
    const scene = await StoreHarness.open(t)
    await scene.addChannel('Chat')
    await failForADay(scene, 'Chat')
    await scene.ping('tried', 'fail')
    const [tried] = await scene.claim()
    const unreachable = { type: 'notice' as const, title: '', text: '', url: '' }
    // The next attempt is made after 30 minutes.
    await scene.settle(tried!, { type: 'failed', error: 'away', unreachable })
    await silence(scene, once(scene, 20 * MINUTE))
    await scene.ping('backup', 'fail')
    const begun = scene.now
    for (const minutes of [0, 10, upAfter, 20, 29].toSorted((a, b) => a - b)) {
      scene.now = begun + minutes * MINUTE
      if (minutes === upAfter) await scene.ping('backup')
      assert.deepEqual(await scene.claim(), [])
    }
    scene.now = begun + 30 * MINUTE
    const parts = (await scene.claim()).flatMap(message => message.parts)
    assert.deepEqual(
      parts.map(({ due }) => [due!.change.status, due!.missedDown]),
      expected.map(status => [status, true]),
    )
  })

test('named test 3: a recovery inside a window is sent at once if down was reported', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  await scene.addChannel('Chat')
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sent(scene), ['Chat down'])
  await silence(scene, once(scene, HOUR))
  scene.now += MINUTE
  await scene.ping('backup')
  assert.deepEqual(await sent(scene), ['Chat up'])
})

test('named test 4: a check that is down before and after a window is sent once', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  await scene.addChannel('Chat')
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sent(scene), ['Chat down'])
  await silence(scene, once(scene, HOUR))
  scene.now += 30 * MINUTE
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sent(scene), [])
  scene.now += HOUR
  assert.deepEqual(await sent(scene), [])
})

test('named test 6: a recurring window holds on its second and third day, and after a restart', async t => {
  const fresh = await openFreshStore()
  t.after(() => fresh.remove())
  const { id: projectId } = await fresh.store.projects.create({
    name: 'A',
    ownerId: null,
    pingKey: 'key',
    now: 1,
  })
  let now = Date.UTC(2026, 0, 15, 12)
  const ping = async (action: 'success' | 'fail') => {
    const address = { pingKey: 'key', slug: 'backup', create: true }
    await fresh.store.pings.record([arrivedPing(address, now, { action })])
  }
  await ping('success')
  await fresh.store.channels.create({
    projectId,
    name: 'Chat',
    kind: 'webhook',
    settings: {},
    members: [],
    now,
  })
  await fresh.store.silences.create(projectId, {
    mode: 'hold',
    scope: { project: true },
    channels: null,
    times: { kind: 'cron', schedule: '0 2 * * *', tz: 'Europe/Riga', durationSeconds: 3600, from: now },
    reason: '',
    createdBy: 'Alice',
    now,
  })
  for (const day of [16, 17, 18]) {
    if (day === 18) await fresh.reopen()
    // 02:10 in Riga.
    now = Date.UTC(2026, 0, day, 0, 10)
    await ping('fail')
    assert.deepEqual(await claimMessages(fresh.store, now), [])
    now += 10 * MINUTE
    await ping('success')
    assert.deepEqual(await claimMessages(fresh.store, now), [])
  }
  // At 04:00 nothing is held.
  now = Date.UTC(2026, 0, 18, 2)
  await ping('fail')
  assert.equal((await claimMessages(fresh.store, now)).length, 1)
})

test('a silence for one channel leaves the others alone', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  const chat = await scene.addChannel('Chat')
  await scene.addChannel('Pager')
  await silence(scene, once(scene, HOUR, { channels: [chat.uuid] }))
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sent(scene), ['Pager down'])
  scene.now += HOUR
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('a silence for checks or tags holds only these', async t => {
  const scene = await StoreHarness.open(t)
  for (const slug of ['named', 'tagged', 'other']) await scene.ping(slug)
  const [named, tagged] = await scene.checkUuids()
  await scene.store.checks.tag(scene.projectId, [tagged!], { add: ['db'], remove: [], now: scene.now })
  await scene.addChannel('Chat')
  await silence(scene, once(scene, HOUR, { scope: { checks: [named!] } }))
  await silence(scene, once(scene, HOUR, { scope: { tags: ['db', 'web'] } }))
  for (const slug of ['named', 'tagged', 'other']) await scene.ping(slug, 'fail')
  assert.deepEqual(await sent(scene), ['Chat down'])
  scene.now += HOUR
  assert.deepEqual(await sent(scene), ['Chat down', 'Chat down'])
})

for (const [how, change] of [
  ['ended', (scene, id) => scene.store.silences.end(scene.projectId, id, scene.now)],
  [
    'shortened',
    async (scene, id) => {
      const now = scene.now
      await scene.store.silences.update(scene.projectId, id, { ...once(scene, MINUTE), now })
      scene.now += MINUTE
    },
  ],
  [
    'changed to other checks',
    async (scene, id) => {
      await scene.ping('other')
      const uuids = await scene.checkUuids()
      const scope = { checks: uuids.slice(1) }
      await scene.store.silences.update(scene.projectId, id, {
        ...once(scene, HOUR, { scope }),
        now: scene.now,
      })
    },
  ],
  [
    'about a tag that a check loses',
    async (scene, id) => {
      const [uuid] = await scene.checkUuids()
      const now = scene.now
      await scene.store.checks.tag(scene.projectId, [uuid!], { add: ['db'], remove: [], now })
      const tagged = { ...once(scene, HOUR, { scope: { tags: ['db'] } }), now }
      await scene.store.silences.update(scene.projectId, id, tagged)
      assert.deepEqual(await sent(scene), [])
      await scene.store.checks.update(scene.projectId, uuid!, { changes: { tags: 'web' }, now })
    },
  ],
] as [string, (scene: StoreHarness, id: number) => Promise<unknown>][]) {
  test(`what a silence held is sent at once when it is ${how}`, async t => {
    const scene = await StoreHarness.open(t)
    await scene.ping('backup')
    await scene.addChannel('Chat')
    const id = await silence(scene, once(scene, HOUR))
    await scene.ping('backup', 'fail')
    assert.deepEqual(await sent(scene), [])
    scene.now += MINUTE
    await change(scene, id)
    assert.deepEqual(await sent(scene), ['Chat down'])
  })
}

/** The parts of a silence that differ from one of an hour that holds all. */
type Part = (scene: StoreHarness, otherChannel: string) => Partial<AskedSilence>
const WHOLE: Part = () => ({})
const OTHER_CHECKS: Part = () => ({ scope: { tags: ['other'] } })
const OTHER_CHANNEL: Part = (_, channel) => ({ channels: [channel] })
const EACH_MINUTE: Part = () => ({
  times: { kind: 'cron', schedule: '* * * * *', tz: 'UTC', durationSeconds: 60, from: null },
})
const POSTPONED: Part = ({ now }) => ({
  times: { kind: 'once', from: now + 10 * MINUTE, to: now + 20 * MINUTE },
})

for (const [what, before, after, expected] of [
  ['that was narrowed to other checks then is sent nobody', WHOLE, OTHER_CHECKS, []],
  ['that was narrowed to another channel then is sent nobody', WHOLE, OTHER_CHANNEL, []],
  ['that recurred, and was postponed then, is sent nobody', EACH_MINUTE, POSTPONED, []],
  ['of other checks that was widened then is sent', OTHER_CHECKS, WHOLE, ['Chat up']],
  ['of another channel that was widened then is sent', OTHER_CHANNEL, WHOLE, ['Chat up']],
  ['to come that was begun then is sent', POSTPONED, WHOLE, ['Chat up']],
] as const)
  test(`what went down and came up in a silence ${what}`, async t => {
    const scene = await StoreHarness.open(t)
    await scene.ping('backup')
    await scene.addChannel('Chat')
    const { uuid: other } = await scene.addChannel('Other')
    const whole = once(scene, HOUR)
    const id = await silence(scene, { ...whole, ...before(scene, other) })
    for (const action of ['fail', 'success'] as const) {
      scene.now += MINUTE
      await scene.ping('backup', action)
    }
    scene.now += MINUTE
    const asked = { ...whole, ...after(scene, other), now: scene.now }
    await scene.store.silences.update(scene.projectId, id, asked)
    scene.now += HOUR
    const chat = (await sent(scene)).filter(message => message.startsWith('Chat'))
    assert.deepEqual(chat, expected)
  })

test('silences of another project hold nothing', async t => {
  const scene = await StoreHarness.open(t)
  await scene.ping('backup')
  await scene.addChannel('Chat')
  const other = await scene.store.projects.create({ name: 'B', ownerId: null, pingKey: 'other', now: 1 })
  await scene.store.silences.create(other.id, { ...once(scene, HOUR), createdBy: 'Bob', now: scene.now })
  await scene.ping('backup', 'fail')
  assert.deepEqual(await sent(scene), ['Chat down'])
})

test('silences that were over long ago are deleted, and no others', async t => {
  const scene = await StoreHarness.open(t)
  const begun = scene.now
  await silence(scene, once(scene, HOUR))
  await silence(scene, once(scene, 3 * HOUR))
  const ended = await silence(scene, once(scene, 9 * HOUR))
  await scene.store.silences.end(scene.projectId, ended, begun + MINUTE)
  const cron = { kind: 'cron', schedule: '0 2 * * *', tz: 'UTC', durationSeconds: 3600, from: null } as const
  await silence(scene, once(scene, HOUR, { times: cron }))
  scene.now += 4 * HOUR
  const clock = { now: () => begun + 2 * HOUR + 400 * 86_400_000 }
  await pruneIncidents(scene.store, clock, 400)
  const page = { now: scene.now, before: null, most: 10 }
  assert.equal((await scene.store.silences.listPast(scene.projectId, page)).length, 1)
  assert.equal((await scene.store.silences.list(scene.projectId, scene.now)).length, 1)
})
