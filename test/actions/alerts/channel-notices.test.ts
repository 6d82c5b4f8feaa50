/** What is sent when an integration is disabled or cannot be reached, while that is true. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliver } from '../../../src/actions/alerts/deliver.js'
import { changeChannel } from '../../../src/actions/channels/change-channel.js'
import { nextAttemptAt, TRY_FOR_MS } from '../../../src/core/alerts/delivery/retry.js'
import { FakeClock } from '../../_support/clock.js'
import { failForADay } from '../../_support/fail-for-a-day.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { testDelivery } from '../../_support/worlds/delivery.js'
import {
  type FailingChannel,
  failAgain,
  HOUR_MS,
  openFailingChannel,
  TITLES,
} from '../../_support/worlds/failing-channel.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

for (const trouble of ['disabled', 'unreachable'] as const) {
  test(`managers get an e-mail that a channel is ${trouble} if no other one carries notices`, async t => {
    const { add, fail, mails } = await openFailingChannel(t)
    await add('webhook')
    await add('mattermost', { url: 'https://chat.example' }, { confirmed: false })
    await fail(trouble)
    assert.deepEqual(await mails(), [`manager@example.org: ${TITLES[trouble]}`])
    assert.deepEqual(await mails(), [], 'once')
  })

  test(`nobody gets an e-mail that a channel is ${trouble} if another one carries the notice`, async t => {
    const { add, fail, mails } = await openFailingChannel(t)
    await add('mattermost', { url: 'https://chat.example' })
    const [message] = await fail(trouble)
    assert.equal(message!.channel.name, 'B')
    assert.deepEqual(await mails(), [])
  })

  test(`managers get an e-mail that a channel is ${trouble} if the one that carries notices fails too`, async t => {
    const { add, fail, mails } = await openFailingChannel(t)
    await add('mattermost', { url: 'https://chat.example' })
    await fail(trouble, ['A', 'B'])
    const other = TITLES[trouble].replace('A', 'B')
    assert.deepEqual(
      (await mails()).sort(),
      [TITLES[trouble], other].map(title => `manager@example.org: ${title}`),
    )
  })

  test(`an e-mail that a channel is ${trouble} is sent only while that is true`, async t => {
    for (const isOver of [false, true]) {
      const { scene, store, a, add, fail, mails } = await openFailingChannel(t)
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
      const { scene, store, a, deps, add, fail } = await openFailingChannel(t)
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

test('an alert that is given up after few attempts is told, also if the receiver asked for long pauses', async t => {
  const { scene, add, failedWith } = await openFailingChannel(t)
  await add('mattermost', { url: 'https://chat.example' })
  await scene.ping('backup', 'fail')
  const retryAt = scene.now + 20 * HOUR_MS
  const outcomes = [{ type: 'retry', retryAt }, { type: 'failed' }] as const
  for (const outcome of outcomes) {
    for (const message of await scene.claim()) {
      const failed = { ...failedWith('unreachable', message.channel), ...outcome }
      await scene.settle(message, message.channel.name === 'A' ? failed : 'sent')
    }
    scene.now = retryAt
  }
  const notices = (await scene.claim()).map(({ parts }) => parts[0]!.notice)
  assert.deepEqual(
    notices.map(notice => notice?.type === 'notice' && notice.title),
    [TITLES.unreachable],
  )
})

test('an e-mail that a channel cannot be reached is not sent if a person disabled it since', async t => {
  const { scene, store, a, fail, mails } = await openFailingChannel(t)
  await fail('unreachable')
  await store.channels.setEnabled(a.id, false, scene.now)
  assert.deepEqual(await mails(), [])
})

test('a notice that a channel cannot be reached is not sent if a person disabled it since', async t => {
  const { scene, store, a, deps, add, fail } = await openFailingChannel(t)
  const { url, requests } = await openRecorder(t)
  await add('mattermost', { url })
  const [message] = await fail('unreachable')
  await store.channels.setEnabled(a.id, false, scene.now)
  await deliver(deps, message!, new AbortController().signal, { check() {} })
  assert.equal(requests.length, 0)
})

/** What happens while e-mails and notices wait that the channel was disabled, and how many are sent. */
const DISABLED_AGAIN = {
  'has failed for good three times': { times: 3, byHand: false, sent: 1 },
  'is enabled and disabled by hand': { times: 1, byHand: true, sent: 0 },
} as const

for (const [what, { times, byHand, sent }] of Object.entries(DISABLED_AGAIN)) {
  const disable = async (opened: FailingChannel) => {
    const { scene, store, a, fail } = opened
    const notices = await fail('disabled')
    for (let time = 1; time < times; time++) notices.push(...(await failAgain(opened)))
    if (byHand) for (const on of [true, false]) await store.channels.setEnabled(a.id, on, scene.now)
    return notices
  }

  test(`a channel that ${what} has ${sent} e-mail that it was disabled`, async t => {
    const opened = await openFailingChannel(t)
    await disable(opened)
    const expected = `manager@example.org: ${TITLES.disabled}`
    assert.deepEqual(await opened.mails(), Array(sent).fill(expected))
  })

  test(`a channel that ${what} has ${sent} notice that it was disabled`, async t => {
    const opened = await openFailingChannel(t)
    const { url, requests } = await openRecorder(t)
    await opened.add('mattermost', { url })
    const notices = await disable(opened)
    assert.equal(notices.length, times)
    for (const message of notices)
      await deliver(opened.deps, message, new AbortController().signal, { check() {} })
    assert.equal(requests.length, sent)
  })
}

test('a notice of an older version is true as long as its channel is disabled', async t => {
  const { scene, store, a, fail } = await openFailingChannel(t)
  await fail('disabled')
  const isTrue = () => store.channels.isInTrouble({ channel: a.uuid, trouble: 'disabled' }, scene.now)
  assert.equal(await isTrue(), true)
  await store.channels.setEnabled(a.id, true, scene.now)
  assert.equal(await isTrue(), false)
})

test('an unreachable channel that fails for good has one e-mail: that it was disabled', async t => {
  const { scene, a, fail, failedWith, mails } = await openFailingChannel(t)
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
    const { scene, store, a, fail, mails } = await openFailingChannel(t)
    await fail('unreachable')
    const settings = { ...(await store.channels.find(a.uuid))!.settings, ...more }
    const edit = { uuid: a.uuid, name: 'B', settings, kept: [], asker: null, by: null }
    await changeChannel(store, edit, scene.now)
    assert.deepEqual(await mails(), isWithdrawn ? [] : [`manager@example.org: ${TITLES.unreachable}`])
  })
}

test('an unreachable channel that is enabled again while it is enabled stays unreachable', async t => {
  const { scene, store, a, fail, mails } = await openFailingChannel(t)
  await fail('unreachable')
  await store.channels.setEnabled(a.id, true, scene.now)
  assert.deepEqual(await mails(), [`manager@example.org: ${TITLES.unreachable}`])
})

test('an alert that is no longer true is tried until the day is over, and then people are told', async t => {
  const { scene, add, failedWith, mails } = await openFailingChannel(t)
  await add('webhook')
  await scene.ping('backup', 'fail')
  const beganAt = scene.now
  // It went up again while the first attempt, which took longest, was under way.
  const [first, ...others] = (await scene.claim()).filter(({ channel }) => channel.name === 'A')
  assert.deepEqual(others, [])
  scene.now += 5_000
  await scene.ping('backup')
  const since = scene.now
  scene.now += 10_000
  for (let attempts = 1, message = first; message; attempts++) {
    const retryAt = nextAttemptAt({ since, attempts, lasting: false }, scene.now)
    const retry = retryAt === null ? { type: 'failed' as const } : { type: 'retry' as const, retryAt }
    await scene.settle(message, { ...retry, ...failedWith('unreachable', message.channel) })
    scene.now = retryAt ?? scene.now
    message = (await scene.claim()).find(({ channel }) => channel.name === 'A')
  }
  assert.equal(scene.now, since + TRY_FOR_MS)
  assert.ok(scene.now > beganAt + TRY_FOR_MS)
  assert.deepEqual(await mails(), [`manager@example.org: ${TITLES.unreachable}`])
})
