/** Notices about a channel whose carrier, the channel that was to carry them, does not deliver them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import {
  type FailingChannel,
  HOUR_MS,
  openFailingChannel,
  TITLES,
} from '../../_support/worlds/failing-channel.js'

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
      await opened.add('mattermost', { url: 'https://chat.example' })
      const [message] = await opened.fail(trouble)
      assert.deepEqual(await opened.mails(), [], how)
      await end(opened, message!, opened.failedWith('disabled', message!.channel))
      const about = (await opened.mails()).filter(mail => mail.includes('“A”'))
      assert.deepEqual(about, [`manager@example.org: ${TITLES[trouble]}`], how)
    }
  })
}
