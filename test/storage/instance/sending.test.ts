/** What the database tells about the sending of alerts and e-mails, whichever process makes the attempts. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { claimMails } from '../../_support/claim-mails.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const NOTICE = { type: 'notice' as const, title: '', text: '', url: '' }

/** A project with the channels `names`. */
async function open(t: TestContext, ...names: string[]) {
  const scene = await StoreHarness.open(t)
  const ids: Record<string, number> = {}
  for (const name of names) ids[name] = (await scene.addChannel(name)).id
  const facts = async () => {
    const { channels, failing, failingSinceArrival } = await scene.store.instance.sending(scene.now)
    return [channels, failing, failingSinceArrival]
  }
  /** Makes an attempt through each channel with something due. It fails if `failing` names the channel. */
  const attempt = async (...failing: string[]) => {
    for (const message of await scene.claim()) {
      const retry = {
        type: 'retry',
        error: 'refused',
        retryAt: scene.now + MINUTE,
        unreachable: NOTICE,
      } as const
      await scene.settle(message, failing.includes(message.channel.name) ? retry : 'sent')
    }
  }
  return { scene, ids, facts, attempt }
}

test('a channel fails when its attempts have failed for five minutes', async t => {
  const { scene, facts, attempt } = await open(t, 'A', 'B')
  await scene.ping('backup', 'fail')
  await attempt('A')
  scene.now += 5 * MINUTE - SECOND
  assert.deepEqual(await facts(), [2, 0, 0])
  await attempt('A')
  scene.now += 2 * SECOND
  assert.deepEqual(await facts(), [2, 1, 1])
  await attempt()
  scene.now += MINUTE
  await attempt()
  assert.deepEqual(await facts(), [2, 0, 0])
})

test('the time before the first failure does not count', async t => {
  const { scene, facts, attempt } = await open(t, 'A')
  await scene.ping('backup', 'fail')
  await attempt()
  scene.now += 3 * HOUR
  await scene.ping('backup')
  await attempt('A')
  scene.now += MINUTE
  await attempt('A')
  assert.deepEqual(await facts(), [1, 0, 0])
  scene.now += 4 * MINUTE + SECOND
  assert.deepEqual(await facts(), [1, 1, 1])
})

test('channels count as tried since the last arrival if they failed later', async t => {
  const { scene, facts, attempt } = await open(t, 'A', 'B', 'C')
  await scene.ping('backup', 'fail')
  await attempt('A', 'B', 'C')
  scene.now += 2 * MINUTE
  await attempt('A', 'B')
  scene.now += 6 * MINUTE
  assert.deepEqual(await facts(), [3, 2, 0], 'C worked six minutes ago')
  await attempt('A', 'B')
  assert.deepEqual(await facts(), [3, 2, 2])
  await scene.ping('backup')
  await attempt('A', 'B', 'C')
  assert.deepEqual(await facts(), [3, 2, 2], 'C fails since')
  scene.now += 2 * MINUTE
  await attempt('A', 'C')
  assert.deepEqual(await facts(), [3, 1, 0], 'B works')
})

test('what waits on purpose, or for a channel that is disabled or changed, does not fail', async t => {
  const { scene, ids, facts, attempt } = await open(t, 'A', 'B', 'C')
  await scene.ping('backup', 'fail')
  await attempt('A', 'B', 'C')
  scene.now += 10 * MINUTE
  assert.deepEqual(await facts(), [3, 3, 3])
  await scene.store.channels.setEnabled(ids.A!, false, scene.now)
  assert.deepEqual(await facts(), [2, 2, 2])
  await scene.store.channels.setEnabled(ids.A!, true, scene.now)
  assert.deepEqual(await facts(), [3, 2, 2], 'it was not tried since')
  await scene.store.channels.delete(ids.B!, scene.now)
  assert.deepEqual(await facts(), [2, 1, 1])
  const times = { kind: 'once', from: scene.now, to: scene.now + HOUR } as const
  const silence = { mode: 'hold', scope: { project: true }, channels: null, times, reason: '' } as const
  await scene.store.silences.create(scene.projectId, { ...silence, createdBy: 'Alice', now: scene.now })
  await scene.claim()
  assert.deepEqual(await facts(), [2, 0, 0])
})

/** Tests channels every four minutes for `minutes`, without success. */
async function failTests(scene: StoreHarness, channelIds: readonly number[], minutes: number) {
  for (const until = scene.now + minutes * MINUTE; scene.now < until; scene.now += 4 * MINUTE)
    for (const channelId of channelIds) await noteTest(scene, channelId, 'refused')
}

async function noteTest({ store, now }: StoreHarness, channelId: number, error: string) {
  const test = { status: 'down', durationMs: 10, startedAt: now } as const
  await store.channels.noteTest({ ...test, channelId, uuid: randomUUID(), error })
}

test('failed tests do not hide that a channel fails', async t => {
  const { scene, ids, facts, attempt } = await open(t, 'A')
  await scene.ping('backup', 'fail')
  await attempt('A')
  scene.now += MINUTE
  await failTests(scene, [ids.A!], 40)
  assert.deepEqual(await facts(), [1, 1, 1])
  await attempt('A')
  await failTests(scene, [ids.A!], 8)
  assert.deepEqual(await facts(), [1, 1, 1])
})

test('failed tests are no attempts to send what waits', async t => {
  const { scene, ids, facts, attempt } = await open(t, 'A', 'B', 'C')
  await failTests(scene, [ids.A!, ids.B!, ids.C!], HOUR / MINUTE)
  await scene.ping('backup', 'fail')
  await attempt('A', 'B', 'C')
  assert.deepEqual(await facts(), [3, 0, 0], 'they fail since now')
  scene.now += 6 * HOUR
  await failTests(scene, [ids.A!], 4)
  assert.deepEqual(await facts(), [3, 0, 0], 'nothing is tried any more')
})

test('a failed test does not make the last arrival older', async t => {
  const { scene, ids, facts, attempt } = await open(t, 'A', 'B', 'C', 'D')
  await scene.ping('backup', 'fail')
  await attempt('A', 'B', 'C')
  scene.now += 10 * MINUTE
  await attempt('A', 'B', 'C')
  assert.deepEqual(await facts(), [4, 3, 3])
  await noteTest(scene, ids.D!, '')
  assert.deepEqual(await facts(), [4, 3, 0])
  await failTests(scene, [ids.D!], 4)
  assert.deepEqual(await facts(), [4, 3, 0])
})

test('a successful test is an arrival', async t => {
  const { scene, ids, facts, attempt } = await open(t, 'A')
  await scene.ping('backup', 'fail')
  await attempt('A')
  scene.now += 6 * MINUTE
  assert.deepEqual(await facts(), [1, 1, 1])
  await noteTest(scene, ids.A!, '')
  assert.deepEqual(await facts(), [1, 0, 0])
})

test('failures of which nothing was tried for six hours do not count', async t => {
  const { scene, facts, attempt } = await open(t, 'A')
  await scene.ping('backup', 'fail')
  await attempt('A')
  scene.now += 5 * HOUR
  assert.deepEqual(await facts(), [1, 1, 1])
  scene.now += HOUR + MINUTE
  assert.deepEqual(await facts(), [1, 0, 0])
})

test('a failure that a service reports later is none of what waits since', async t => {
  const { scene, facts, attempt } = await open(t, 'A')
  await scene.ping('backup', 'fail')
  const [message] = await scene.claim()
  await scene.settle(message!, 'sent')
  const { notificationUuid } = message!.parts[0]!
  const report = { notificationUuid, error: 'no such number', disabled: null, since: 0, now: scene.now }
  await scene.store.alerts.noteDeliveryStatus(report)
  scene.now += 10 * MINUTE
  await scene.ping('other', 'fail')
  assert.deepEqual(await facts(), [1, 0, 0])
  await attempt('A')
  scene.now += 5 * MINUTE
  assert.deepEqual(await facts(), [1, 1, 1])
})

test('groups and unconfirmed channels are none through which something can be sent', async t => {
  const { scene, facts } = await open(t)
  assert.deepEqual(await facts(), [0, 0, 0])
  const chat = await scene.addChannel('Chat')
  await scene.addChannel('All', {}, [chat.uuid])
  const { projectId, now } = scene
  const email = { projectId, name: '', kind: 'email', settings: { value: 'a@example.org' }, members: [], now }
  await scene.store.channels.create({ ...email, confirmed: false })
  assert.deepEqual(await facts(), [1, 0, 0])
})

/** Two e-mails that wait, and attempts at them. */
async function openMails(t: TestContext) {
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  const { id: userId } = await store.people.createUser({
    email: 'alice@example.org',
    passwordHash: null,
    emailProven: true,
    now: 1,
  })
  await store.projects.putMember({ projectId, userId, role: 'manager', now: 1 })
  const { id: channelId } = await scene.addChannel('A')
  for (const key of ['first', 'second']) {
    const limit = { key, capacity: 1, periodMs: HOUR }
    const mail = { kind: 'notice' as const, subject: key, text: '', html: '', unsubscribeUrl: '', limit }
    await store.alerts.settleMessage({
      worker: 'me',
      channelId,
      sentWith: { settings: {}, enablings: 0 },
      parts: [],
      startedAt: scene.now,
      durationMs: 1,
      now: scene.now,
      outcome: { type: 'failed', error: 'Over', mail },
    })
  }
  const claim = async () => await claimMails(store, { worker: 'me', now: scene.now })
  const settle = async (uuid: string, outcome: 'sent' | 'gave-up' | 'retry') => {
    const { now } = scene
    const settled = outcome === 'retry' ? { retryAt: now + MINUTE, unknownSince: null } : outcome
    await store.people.settleMail({ worker: 'me', uuid, outcome: settled, now })
    if (outcome === 'sent') await store.people.noteMailsWork()
  }
  const fail = async () => (await store.instance.sending(scene.now)).mailsFail
  return { scene, claim, settle, fail }
}

test('e-mails fail when their attempts have failed for five minutes, until one is sent', async t => {
  const { scene, claim, settle, fail } = await openMails(t)
  scene.now += HOUR
  assert.equal(await fail(), false, 'none was tried')
  const [first, second] = await claim()
  await settle(first!.uuid, 'retry')
  scene.now += 5 * MINUTE - 1
  assert.equal(await fail(), false)
  scene.now += 1
  assert.equal(await fail(), true)
  await settle(second!.uuid, 'sent')
  assert.equal(await fail(), false)
  await claim()
  await settle(first!.uuid, 'retry')
  scene.now += 4 * MINUTE
  assert.equal(await fail(), false)
  scene.now += MINUTE
  assert.equal(await fail(), true)
})

test('an e-mail that fails for more than a day while others are sent is no reason', async t => {
  const { scene, claim, settle, fail } = await openMails(t)
  const [first, second] = await claim()
  await settle(first!.uuid, 'retry')
  scene.now += 25 * HOUR
  await claim()
  await settle(first!.uuid, 'retry')
  assert.equal(await fail(), true, 'none was sent')
  await settle(second!.uuid, 'sent')
  scene.now += MINUTE
  await claim()
  await settle(first!.uuid, 'retry')
  scene.now += 5 * MINUTE
  assert.equal(await fail(), false)
})

test('e-mails do not fail that were given up, or are not tried any more', async t => {
  const { scene, claim, settle, fail } = await openMails(t)
  const [first, second] = await claim()
  for (const mail of [first!, second!]) await settle(mail.uuid, 'retry')
  scene.now += 10 * MINUTE
  await claim()
  await settle(first!.uuid, 'gave-up')
  assert.equal(await fail(), true)
  scene.now += 6 * HOUR
  assert.equal(await fail(), false)
})
