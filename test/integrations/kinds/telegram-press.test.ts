import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incidentToken, linkOfToken } from '../../../src/actions/incidents/message-link.js'
import { telegram } from '../../../src/integrations/kinds/telegram/telegram.js'
import { parsePress } from '../../../src/integrations/kinds/telegram/telegram-press.js'
import { aDestination, anAlert } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { standIn } from '../../_support/servers/stand-in.js'

const operator = { TELEGRAM_TOKEN: '1:token' }
const CHANNEL = '00ffffff-0000-4000-8000-0fffffffffff'

test('telegram: a token is at most 64 bytes, and stands for its link', () => {
  for (const id of [1, 35, 36, Number.MAX_SAFE_INTEGER]) {
    const token = incidentToken(
      'key',
      { uuid: CHANNEL, linkVersion: 1 },
      { id, openedAt: Number.MAX_SAFE_INTEGER },
    )
    assert.ok(Buffer.byteLength(token) <= 64, token)
    const { channelUuid, about } = linkOfToken(token)!
    assert.deepEqual({ channelUuid, about }, { channelUuid: CHANNEL, about: { incident: id } })
  }
  assert.equal(linkOfToken(`a:${'A'.repeat(22)}:zzzzzzzzzzz:${'A'.repeat(22)}`), null)
})

test('telegram: a down alert has the button if there is an incident, and otherwise none', async t => {
  const { requests, transports } = await standIn(t, 'https://api.telegram.org', () => ({
    body: '{"ok":true}',
  }))
  const to = aDestination(telegram, { chat_id: '7' }, { operator })
  await telegram.send(anAlert({ acknowledgeToken: 'a:token' }), to, transports)
  await telegram.send(anAlert(), to, transports)
  const [linked, plain] = requests.map(request => jsonOf(request))
  const button = { text: 'Acknowledge', callback_data: 'a:token' }
  assert.deepEqual(linked.reply_markup, { inline_keyboard: [[button]] })
  assert.ok(!('reply_markup' in plain))
})

test('telegram: of a message that would become too long only the button is removed', () => {
  const chat = { id: 7, type: 'private' }
  const message = { message_id: 9, chat, text: 'x'.repeat(4_090) }
  const callback_query = { id: 'q', from: { first_name: 'Ann' }, message, data: 'a' }
  const { url, body } = parsePress({ callback_query }, operator)!.close('Acknowledged by Ann')!
  assert.match(url, /\/editMessageReplyMarkup$/)
  assert.deepEqual(JSON.parse(String(body)), { chat_id: 7, message_id: 9 })
})

test('telegram: other updates are no press', () => {
  for (const update of [{}, null, { message: { text: '/start' } }, { callback_query: { id: 1 } }]) {
    assert.equal(parsePress(update, operator), null)
  }
})
