import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { telegram } from '../../../src/integrations/kinds/telegram/telegram.js'
import { aDestination, anAlert, aPing, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import type { Answer } from '../../_support/servers/recorder.js'
import { standIn } from '../../_support/servers/stand-in.js'
import { HOSTILE_FALL, integrationCases } from '../../_support/worlds/integration-cases.js'

const settings = { chat_id: '-123456', thread_id: '7', chat_type: 'group', chat_name: 'Night shift' }
const operator = { TELEGRAM_TOKEN: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw' }
const refusal = (description: string) => JSON.stringify({ ok: false, description })

integrationCases({
  integration: telegram,
  settings: () => settings,
  operator: () => operator,
  origins: ['https://api.telegram.org'],
  accepts: () => ({ body: '{"ok":true}' }),
  down([request], alert) {
    assert.equal(`${request?.method} ${request?.url}`, `POST /bot${operator.TELEGRAM_TOKEN}/sendMessage`)
    assert.deepEqual(jsonOf(request!), {
      chat_id: -123456,
      message_thread_id: 7,
      parse_mode: 'html',
      text: `🔴 <b>Backup is DOWN, exit status 2</b>
Down since 11:50 UTC: the job exited with status 2.
Last ping: Exit status 2, 11:50 UTC (10 minutes ago)
Last run: 12 min 5 s
Project: Alpha
Tags: prod, db
Period: 1 day
Total pings: 42

<pre>line 1
fatal: disk full</pre>

The following checks are also down:
- Mail queue (last ping: 11:48 UTC)

Nightly dump of Alpha

<a href="${alert.checkUrl}">View the check</a>`,
    })
  },
  up([request]) {
    assert.match(
      jsonOf(request!).text,
      /^🟢 <b>Backup is UP<\/b>\nUp since 11:50 UTC\. The downtime lasted 1 hour, 30 minutes\.\n/,
    )
  },
  hostile([request]) {
    const { text } = jsonOf(request!)
    assert.ok(text.length <= 4096)
    assert.doesNotMatch(text.replaceAll(/<\/?(?:b|pre)>|<a href="[^"]+">|<\/a>/g, ''), /[<>]/)
    assert.deepEqual(text.match(/<\w+/g), ['<b', '<pre', '<a'])
  },
  permanent: [
    'Forbidden: the group chat was deleted',
    'Forbidden: bot was blocked by the user',
    'Forbidden: user is deactivated',
    'Forbidden: bot was kicked from the group chat',
    'Forbidden: bot was kicked from the supergroup chat',
    'Bad Request: chat not found',
  ].map(description => {
    const status = description.startsWith('Bad') ? 400 : 403
    const error = `Received status code ${status} with a message: "${description}"`
    return { status, body: refusal(description), error }
  }),
  busy: {
    status: 429,
    body: '{"ok":false,"description":"Too Many Requests: retry after 7","parameters":{"retry_after":7}}',
  },
  notice([request], notice) {
    const { text } = jsonOf(request!)
    assert.doesNotMatch(text.replaceAll(/<\/?b>/g, ''), /[<>]/)
    assert.ok(text.endsWith(`</b>\n${notice.text}\n\n${notice.url}`))
  },
})

const MOVED = {
  status: 400,
  body: '{"ok":false,"description":"Bad Request: group chat was upgraded","parameters":{"migrate_to_chat_id":-100999}}',
}

async function movedChat(t: TestContext, atNewId: Answer) {
  const { requests, transports } = await standIn(t, 'https://api.telegram.org', request =>
    jsonOf(request).chat_id === -123456 ? MOVED : atNewId,
  )
  const to = aDestination(telegram, settings, { operator })
  return { requests, sending: telegram.send(anAlert(), to, transports) }
}

test('telegram: a chat with a new ID gets the message there, and the ID is returned', async t => {
  const { requests, sending } = await movedChat(t, { body: '{"ok":true}' })
  assert.deepEqual(await sending, { settings: { chat_id: '-100999' } })
  assert.deepEqual(
    requests.map(request => jsonOf(request).chat_id),
    [-123456, -100999],
  )
})

test('telegram: the new ID is stored even if the message is not delivered', async t => {
  const { sending } = await movedChat(t, { status: 500, body: refusal('Internal Server Error') })
  await assert.rejects(sending, {
    message: 'Received status code 500 with a message: "Internal Server Error"',
    options: { permanent: false, settings: { chat_id: '-100999' } },
  })
})

test('telegram: the longest message stays within the limit and has valid markup', async t => {
  const { requests, transports } = await standIn(t, 'https://api.telegram.org', () => ({
    body: '{"ok":true}',
  }))
  const long = '<&"> '.repeat(200)
  const othersDown = Array.from({ length: 10 }, () => ({ label: long, lastPing: null }))
  const lastPing = aPing({ body: Buffer.from(`${'<'.repeat(5000)} fatal: disk full`) })
  const alert = anAlert({
    check: { name: long, desc: long, tags: long },
    othersDown,
    otherChecks: 10,
    lastPing,
  })
  await telegram.send(alert, aDestination(telegram, settings, { operator }), transports)
  await telegram.send(
    { ...HOSTILE_FALL, lastPing },
    aDestination(telegram, settings, { operator }),
    transports,
  )
  for (const request of requests) {
    const { text } = jsonOf(request)
    assert.ok(text.length <= 4096, String(text.length))
    assert.ok(text.length > 3000, String(text.length))
    assert.match(text, /<pre>\[truncated\]\n(?:&lt;)+ fatal: disk full<\/pre>/)
    assert.doesNotMatch(text, /&(?!(?:amp|lt|gt|quot|#x27);)/)
  }
})

test('telegram: without a bot nothing is sent', async () => {
  await assert.rejects(telegram.send(anAlert(), aDestination(telegram, settings), testWays()), {
    name: 'DeliveryError',
    message: 'Telegram notifications are not enabled.',
  })
})

test('telegram: a chat is a number or the name of a channel, and is described by its name', () => {
  const field = 'chat_id'
  assert.throws(() => checkSettings(telegram, { chat_id: 'a b' }), { name: 'Refusal', field })
  const all = checkSettings(telegram, { chat_id: '@night_shift' })
  assert.equal(telegram.describe(all), '@night_shift')
  assert.equal(telegram.describe(checkSettings(telegram, settings)), 'Night shift (group)')
  assert.deepEqual([telegram.limit?.perMinute, telegram.limit?.key(all)], [6, '@night_shift'])
})
