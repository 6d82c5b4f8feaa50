/** Who is sent that an integration is disabled or cannot be reached. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { composeChannelNotice } from '../../../src/actions/alerts/compose-channel-notice.js'
import { deliver } from '../../../src/actions/alerts/deliver.js'
import { changeChannel } from '../../../src/actions/channels/change-channel.js'
import { integrationOf } from '../../../src/integrations/index.js'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import { FakeClock } from '../../_support/clock.js'
import { failForADay } from '../../_support/fail-for-a-day.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import { openTestStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const HOUR_MS = 3_600_000
type Trouble = 'disabled' | 'unreachable'

/** A project with a manager, a member, and the channel A, which fails. With `owned`, a person owns it. */
async function open(t: TestContext, { sendsMail = true, owned = false } = {}) {
  const store = await openTestStore(t)
  const person = async (name: string) =>
    await store.people.createUser({
      email: `${name}@example.org`,
      passwordHash: null,
      emailProven: true,
      now: 1,
    })
  const people = {
    owner: await person('owner'),
    manager: await person('manager'),
    member: await person('member'),
    stranger: await person('stranger'),
  }
  const ownerId = owned ? people.owner.id : null
  const { id: projectId } = await store.projects.create({ name: 'Alice', ownerId, pingKey: 'key', now: 1 })
  for (const role of ['manager', 'member'] as const)
    await store.projects.putMember({ projectId, userId: people[role].id, role, now: 1 })
  const scene = new StoreHarness(store, projectId)
  const a = await scene.addChannel('A', { method_down: 'POST', url_down: 'https://down.example/' })
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
  return { scene, store, people, a, deps, add, fail, failedWith, mails }
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

for (const trouble of ['disabled', 'unreachable'] as const) {
  const changes = {
    removed: ({ store, people, scene }: Opened) =>
      store.projects.removeMember(scene.projectId, people.manager.uuid, scene.now),
    demoted: ({ store, people, scene }: Opened) =>
      store.projects.setMemberRole(scene.projectId, people.manager.uuid, 'member', scene.now),
  }
  for (const [how, change] of Object.entries(changes)) {
    test(`a manager who was ${how} gets no waiting e-mail that a channel is ${trouble}`, async t => {
      const opened = await open(t, { owned: true })
      await opened.fail(trouble)
      await change(opened)
      assert.deepEqual(await opened.mails(), [`owner@example.org: ${TITLES[trouble]}`])
    })
  }

  for (const to of ['member', 'manager', 'stranger'] as const) {
    test(`a waiting e-mail that a channel is ${trouble} goes to a new owner, once a ${to}`, async t => {
      const { scene, store, people, fail, mails } = await open(t, { owned: true })
      await fail(trouble)
      await store.people.handProjects(people.owner.id, people[to].id, scene.now)
      assert.equal(await store.people.deleteUser(people.owner.id, scene.now), true)
      const recipients = [...new Set(['manager', to])].sort()
      assert.deepEqual(
        (await mails()).sort(),
        recipients.map(name => `${name}@example.org: ${TITLES[trouble]}`),
      )
    })
  }

  test(`a waiting e-mail that a channel is ${trouble} goes to the member who takes over the project`, async t => {
    const { scene, store, people, fail, mails } = await open(t, { owned: true })
    const { projectId, now } = scene
    await fail(trouble)
    await offer(store, people, projectId, now)
    await store.projects.acceptTransfer(projectId, people.member.id, now)
    assert.deepEqual(
      (await mails()).sort(),
      ['manager', 'member'].map(name => `${name}@example.org: ${TITLES[trouble]}`),
    )
  })
}

async function offer(
  store: Opened['store'],
  { owner, member }: Opened['people'],
  projectId: number,
  now: number,
) {
  await store.people.openSession({
    digest: 'digest',
    userId: owner.id,
    credentialsVersion: 0,
    method: 'password',
    ua: '',
    address: null,
    now,
  })
  const { sessionId } = (await store.people.findSession('digest', now))!
  const by = { userId: owner.id, sessionId }
  await store.projects.offerTransfer({ projectId, memberUuid: member.uuid, by, now })
}

test('an e-mail that a channel cannot be reached is not sent if a person disabled it since', async t => {
  const { scene, store, a, fail, mails } = await open(t)
  await fail('unreachable')
  await store.channels.setEnabled(a.id, false, scene.now)
  assert.deepEqual(await mails(), [])
})

test('a notice that a channel cannot be reached is not sent if a person disabled it since', async t => {
  const { scene, store, a, deps, add, fail } = await open(t)
  const { url, requests } = await openRecorder(t)
  await add('mattermost', { url })
  const [message] = await fail('unreachable')
  await store.channels.setEnabled(a.id, false, scene.now)
  await deliver(deps, message!, new AbortController().signal, { check() {} })
  assert.equal(requests.length, 0)
})

test('an unreachable channel that fails for good has one e-mail: that it was disabled', async t => {
  const { scene, a, fail, failedWith, mails } = await open(t)
  await fail('unreachable')
  scene.now += HOUR_MS
  await scene.ping('another', 'fail')
  const message = (await scene.claim()).find(({ channel }) => channel.uuid === a.uuid)!
  await scene.settle(message, { type: 'failed', ...failedWith('disabled', message.channel) })
  assert.deepEqual(await mails(), [`manager@example.org: ${TITLES.disabled}`])
})

for (const [what, more, isWithdrawn] of [
  ['its name', {}, false],
  ['its address', { url_down: 'https://elsewhere.example/' }, true],
  ['what it sends', { body_down: 'anew' }, true],
] as const) {
  test(`a waiting e-mail that a channel cannot be reached is ${isWithdrawn ? 'withdrawn' : 'sent'} if ${what} changed`, async t => {
    const { scene, store, a, fail, mails } = await open(t)
    await fail('unreachable')
    const settings = { ...(await store.channels.find(a.uuid))!.settings, ...more }
    const edit = { uuid: a.uuid, name: 'B', settings, kept: [], asker: null, by: null }
    await changeChannel(store, edit, scene.now)
    assert.deepEqual(await mails(), isWithdrawn ? [] : [`manager@example.org: ${TITLES.unreachable}`])
  })
}

test('an unreachable channel that is enabled again while it is enabled stays unreachable', async t => {
  const { scene, store, a, fail, mails } = await open(t)
  await fail('unreachable')
  await store.channels.setEnabled(a.id, true, scene.now)
  assert.deepEqual(await mails(), [`manager@example.org: ${TITLES.unreachable}`])
})

test('without a mail server no e-mail about a channel is queued', async t => {
  const { fail, mails } = await open(t, { sendsMail: false })
  await fail('disabled')
  assert.deepEqual(await mails(), [])
})
