/** Who is sent that an integration is disabled or cannot be reached. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { composeChannelNotice } from '../../../src/actions/alerts/compose-channel-notice.js'
import { deliver } from '../../../src/actions/alerts/deliver.js'
import { integrationOf } from '../../../src/integrations/index.js'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import { FakeClock } from '../../_support/clock.js'
import { failForADay } from '../../_support/fail-for-a-day.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const HOUR_MS = 3_600_000
type Trouble = 'disabled' | 'unreachable'

/** A project with a manager, a member, and the channel A, which fails. */
async function open(t: TestContext, sendsMail = true) {
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  for (const role of ['manager', 'member'] as const) {
    const person = { email: `${role}@example.org`, passwordHash: null, emailProven: true, now: 1 }
    const { id: userId } = await store.people.createUser(person)
    await store.projects.putMember({ projectId, userId, role, now: 1 })
  }
  const a = await scene.addChannel('A')
  const deps = { ...testDelivery(store, new FakeClock(scene.now)), sendsMail }
  const add = (kind: string, settings: Record<string, string> = {}, confirmed = true) =>
    store.channels.create({ projectId, kind, name: 'B', settings, members: [], confirmed, now: scene.now })
  const failedWith = (trouble: Trouble, { uuid, name }: ClaimedMessage['channel']) => {
    const channel = { uuid, name, settings: {} }
    const notice = composeChannelNotice(deps, channel, integrationOf('webhook')!, { trouble, error: 'gone' })
    return { error: 'gone', [trouble]: notice }
  }
  /** The channels `failing` fail; everything else arrives. Returns the notices that are waiting then. */
  const fail = async (trouble: Trouble, failing = ['A']): Promise<ClaimedMessage[]> => {
    await scene.ping('backup', 'fail')
    for (let hour = 0; hour < (trouble === 'disabled' ? 1 : 30); hour++) {
      for (const message of await scene.claim()) {
        const isFailing = failing.includes(message.channel.name)
        if (message.form === 'notice' && !isFailing) return [message]
        const retryAt = scene.now + HOUR_MS
        const failed = { type: 'retry' as const, retryAt, ...failedWith(trouble, message.channel) }
        await scene.settle(message, isFailing ? failed : 'sent')
      }
      if (trouble === 'unreachable') scene.now += HOUR_MS
    }
    return (await scene.claim()).filter(({ form }) => form === 'notice')
  }
  const mails = async () => {
    const claim = { worker: 'me', now: scene.now, leaseUntil: scene.now + 1, limit: 9 }
    return (await store.people.claimMails(claim)).map(({ to, subject }) => `${to}: ${subject}`)
  }
  return { scene, store, a, deps, add, fail, failedWith, mails }
}

type Opened = Awaited<ReturnType<typeof open>>
type FailedOutcome = ReturnType<Opened['failedWith']>

const TITLES = {
  disabled: 'The Webhook integration “A” was disabled',
  unreachable: 'The Webhook integration “A” cannot be reached',
}

for (const trouble of ['disabled', 'unreachable'] as const) {
  test(`managers get an e-mail that a channel is ${trouble} if no other one carries notices`, async t => {
    const { add, fail, mails } = await open(t)
    await add('webhook')
    await add('mattermost', { url: 'https://chat.example' }, false)
    await fail(trouble)
    assert.deepEqual(await mails(), [`manager@example.org: ${TITLES[trouble]}`])
    assert.deepEqual(await mails(), [], 'once')
  })

  test(`nobody gets an e-mail that a channel is ${trouble} if another one carries the notice`, async t => {
    const { add, fail, mails } = await open(t)
    await add('mattermost', { url: 'https://chat.example' })
    const [message] = await fail(trouble)
    assert.equal(message!.channel.name, 'B')
    assert.deepEqual(await mails(), [])
  })

  test(`managers get an e-mail that a channel is ${trouble} if the one that carries notices fails too`, async t => {
    const { add, fail, mails } = await open(t)
    await add('mattermost', { url: 'https://chat.example' })
    await fail(trouble, ['A', 'B'])
    const other = TITLES[trouble].replace('A', 'B')
    assert.deepEqual(
      (await mails()).sort(),
      [TITLES[trouble], other].map(title => `manager@example.org: ${title}`),
    )
  })

  test(`managers get an e-mail that a channel is ${trouble} if its notice ends undelivered`, async t => {
    const ends = {
      refused: async ({ scene }: Opened, message: ClaimedMessage, failed: FailedOutcome) => {
        await scene.settle(message, { type: 'failed', ...failed })
      },
      late: async ({ scene }: Opened, message: ClaimedMessage) => {
        for (let one: ClaimedMessage | undefined = message; one; ) {
          await scene.settle(one, { type: 'retry', error: 'away', retryAt: scene.now + HOUR_MS })
          scene.now += HOUR_MS
          one = (await scene.claim()).find(({ form, channel }) => form === 'notice' && channel.name === 'B')
        }
      },
      'disabled by hand': async ({ scene, store }: Opened, message: ClaimedMessage) => {
        await scene.settle(message, { type: 'retry', error: 'away', retryAt: scene.now + HOUR_MS })
        await store.channels.setEnabled(message.channel.id, false, scene.now)
        await scene.claim()
      },
      deleted: async ({ scene, store }: Opened, message: ClaimedMessage) => {
        await store.channels.delete(message.channel.id, scene.now)
      },
    }
    for (const [how, end] of Object.entries(ends)) {
      const opened = await open(t)
      await opened.add('mattermost', { url: 'https://chat.example' })
      const [message] = await opened.fail(trouble)
      assert.deepEqual(await opened.mails(), [], how)
      await end(opened, message!, opened.failedWith('disabled', message!.channel))
      const about = (await opened.mails()).filter(mail => mail.includes('“A”'))
      assert.deepEqual(about, [`manager@example.org: ${TITLES[trouble]}`], how)
    }
  })

  test(`an e-mail that a channel is ${trouble} is sent only while that is true`, async t => {
    for (const isOver of [false, true]) {
      const { scene, store, a, add, fail, mails } = await open(t)
      await add('webhook')
      await fail(trouble)
      if (isOver) {
        await store.channels.setEnabled(a.id, false, scene.now)
        await store.channels.setEnabled(a.id, true, scene.now)
      }
      assert.deepEqual(await mails(), isOver ? [] : [`manager@example.org: ${TITLES[trouble]}`])
    }
  })

  test(`a notice that a channel is ${trouble} is sent only while that is true`, async t => {
    for (const isOver of [false, true]) {
      const { scene, store, a, deps, add, fail } = await open(t)
      const { url, requests } = await openRecorder(t)
      await add('mattermost', { url })
      const [message] = await fail(trouble)
      if (isOver) {
        await store.channels.setEnabled(a.id, false, scene.now)
        await store.channels.setEnabled(a.id, true, scene.now)
      }
      await deliver(deps, message!, new AbortController().signal, { check() {} })
      assert.equal(requests.length, isOver ? 0 : 1)
      if (!isOver) assert.match(requests[0]!.body.toString(), /integration “A”/)
    }
  })
}

for (const [status, title] of [
  [404, 'refuses alerts'],
  [500, 'refuses alerts'],
  [503, 'cannot be reached'],
] as const) {
  test(`a notice that nothing was delivered for a day, with status ${status}, says: it ${title}`, async t => {
    const scene = await StoreHarness.open(t)
    const { url } = await openRecorder(t, () => ({ status }))
    await scene.addChannel('A', { method_down: 'GET', url_down: url })
    await scene.addChannel('B')
    await failForADay(scene, 'A')
    await scene.ping('backup', 'fail')
    const deps = testDelivery(scene.store, new FakeClock(scene.now))
    for (const message of await scene.claim()) {
      if (message.channel.name === 'A')
        await deliver(deps, message, new AbortController().signal, { check() {} })
      else await scene.settle(message, 'sent')
    }
    const notices = (await scene.claim()).map(({ parts }) => parts[0]!.notice)
    assert.deepEqual(
      notices.map(notice => notice?.type === 'notice' && notice.title),
      [`The Webhook integration “A” ${title}`],
    )
  })
}

test('without a mail server no e-mail about a channel is queued', async t => {
  const { fail, mails } = await open(t, false)
  await fail('disabled')
  assert.deepEqual(await mails(), [])
})
