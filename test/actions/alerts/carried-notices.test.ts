/** Notices about a channel whose carrier, the channel that was to carry them, does not deliver them. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import {
  type FailingChannel,
  failAgain,
  HOUR_MS,
  openFailingChannel,
  TITLES,
} from '../../_support/worlds/failing-channel.js'

const CHAT = { url: 'https://chat.example' }

type FailedOutcome = ReturnType<FailingChannel['failedWith']>

for (const trouble of ['disabled', 'unreachable'] as const) {
  test(`managers get an e-mail that a channel is ${trouble} if its notice ends undelivered`, async t => {
    const ends = {
      refused: async ({ scene }: FailingChannel, message: ClaimedMessage, failed: FailedOutcome) => {
        await scene.settle(message, { type: 'failed', ...failed })
      },
      late: async ({ scene }: FailingChannel, message: ClaimedMessage) => {
        for (let one: ClaimedMessage | undefined = message; one; ) {
          await scene.settle(one, { type: 'retry', error: 'away', retryAt: scene.now + HOUR_MS })
          scene.now += HOUR_MS
          one = (await scene.claim()).find(({ form, channel }) => form === 'notice' && channel.name === 'B')
        }
      },
      'disabled by hand': async ({ scene, store }: FailingChannel, message: ClaimedMessage) => {
        await scene.settle(message, { type: 'retry', error: 'away', retryAt: scene.now + HOUR_MS })
        await store.channels.setEnabled(message.channel.id, false, scene.now)
        await scene.claim()
      },
      deleted: async ({ scene, store }: FailingChannel, message: ClaimedMessage) => {
        await store.channels.delete(message.channel.id, scene.now)
      },
    }
    for (const [how, end] of Object.entries(ends)) {
      const opened = await openFailingChannel(t)
      await opened.add('mattermost', CHAT)
      const [message] = await opened.fail(trouble)
      assert.deepEqual(await opened.mails(), [], how)
      await end(opened, message!, opened.failedWith('disabled', message!.channel))
      const about = (await opened.mails()).filter(mail => mail.includes('“A”'))
      assert.deepEqual(about, [`manager@example.org: ${TITLES[trouble]}`], how)
    }
  })

  const newcomers = {
    created: async ({ add }: FailingChannel) => {
      return await add('mattermost', CHAT, { name: 'C' })
    },
    enabled: async ({ store, scene }: FailingChannel, uuid: string) => {
      const { id } = (await store.channels.find(uuid))!
      await store.channels.setEnabled(id, true, scene.now)
    },
  }
  for (const [how, appear] of Object.entries(newcomers)) {
    test(`managers get an e-mail that a channel is ${trouble} if its carrier is replaced by one ${how} since`, async t => {
      const opened = await openFailingChannel(t)
      const { scene, store, add, fail, mails } = opened
      await add('mattermost', CHAT)
      const { id, uuid } = await add('mattermost', CHAT, { name: 'C' })
      await store.channels.setEnabled(id, false, scene.now)
      const [message] = await fail(trouble)
      await scene.settle(message!, { type: 'retry', error: 'away', retryAt: scene.now + HOUR_MS })
      await appear(opened, uuid)
      await store.channels.delete(message!.channel.id, scene.now)
      assert.deepEqual(await mails(), [`manager@example.org: ${TITLES[trouble]}`])
    })
  }

  test(`nobody gets an e-mail that a channel is ${trouble} while one of its carriers is left`, async t => {
    const { scene, store, b, c, mails } = await openCarried(t, trouble)
    await store.channels.delete(b.channel.id, scene.now)
    assert.deepEqual(await mails(), [])
    await scene.settle(c, 'sent')
    assert.deepEqual(await mails(), [])
  })

  test(`managers get an e-mail that a channel is ${trouble} when its last carrier is gone`, async t => {
    const { scene, store, b, c, mails } = await openCarried(t, trouble)
    await store.channels.delete(b.channel.id, scene.now)
    await store.channels.delete(c.channel.id, scene.now)
    assert.deepEqual(await mails(), [`manager@example.org: ${TITLES[trouble]}`])
  })

  test(`managers get one e-mail that a channel is ${trouble} if its carriers are gone at once`, async t => {
    const { scene, store, b, c, mails } = await openCarried(t, trouble)
    for (const message of [b, c])
      await scene.settle(message, { type: 'retry', error: 'away', retryAt: scene.now + HOUR_MS })
    for (const { channel } of [b, c]) await store.channels.setEnabled(channel.id, false, scene.now)
    await scene.claim()
    assert.deepEqual(await mails(), [`manager@example.org: ${TITLES[trouble]}`])
  })

  test(`nobody gets an e-mail that a channel is ${trouble} if one of its carriers has delivered it`, async t => {
    const { scene, store, b, c, mails } = await openCarried(t, trouble)
    await scene.settle(c, 'sent')
    await store.channels.delete(c.channel.id, scene.now)
    await store.channels.delete(b.channel.id, scene.now)
    assert.deepEqual(await mails(), [])
  })
}

test('managers get one e-mail that a channel was disabled three times if its carrier is deleted', async t => {
  const opened = await openFailingChannel(t)
  const { scene, store, add, fail, mails } = opened
  const { id } = await add('mattermost', CHAT)
  const notices = [...(await fail('disabled')), ...(await failAgain(opened)), ...(await failAgain(opened))]
  assert.equal(notices.length, 3)
  for (const message of notices)
    await scene.settle(message, { type: 'retry', error: 'away', retryAt: scene.now + HOUR_MS })
  await store.channels.delete(id, scene.now)
  assert.deepEqual(await mails(), [`manager@example.org: ${TITLES.disabled}`])
})

/** Two channels carry the notice: `b` and `c`. */
async function openCarried(t: TestContext, trouble: keyof typeof TITLES) {
  const opened = await openFailingChannel(t)
  for (const name of ['B', 'C']) await opened.add('mattermost', CHAT, { name })
  const [b, c] = await opened.fail(trouble)
  return { ...opened, b: b!, c: c! }
}
