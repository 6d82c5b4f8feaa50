import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { zulip } from '../../../src/integrations/kinds/zulip/zulip.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { formOf } from '../../_support/recorded-text.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { FALL, integrationCases, withoutLinks } from '../../_support/worlds/integration-cases.js'

const KEY = 's3cr3tapikeyS3cr3tapikey01234567'
const bot = { bot_email: 'alerts-bot@zulip.example', api_key: KEY, to: 'ops' }

integrationCases({
  integration: zulip,
  enabled: { setting: 'ZULIP_ENABLED', error: 'Zulip notifications are not enabled.' },
  settings: url => ({ ...bot, site: `${url}/` }),
  accepts: () => ({ body: '{"result": "success", "id": 1}' }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /api/v1/messages')
    const login = Buffer.from(`alerts-bot@zulip.example:${KEY}`).toString('base64')
    assert.equal(request?.headers.authorization, `Basic ${login}`)
    const { content, ...rest } = formOf(request!)
    assert.deepEqual(rest, { type: 'stream', to: 'ops', topic: 'Backup' })
    assert.match(
      content!,
      /^\*\*Backup is DOWN, exit status 2\.\*\*\n\nDown since 11:50 UTC: the job exited with status 2\.\n\n/,
    )
    assert.ok(content!.endsWith(FALL.checkUrl))
  },
  up([request]) {
    const { topic, content } = formOf(request!)
    assert.equal(topic, 'Backup')
    assert.match(content!, /^\*\*Backup is UP\.\*\*\n\nUp since 11:50 UTC\. The downtime lasted/)
  },
  hostile([request]) {
    const { topic, content } = formOf(request!)
    assert.ok(Array.from(topic!).length <= 60)
    assert.doesNotMatch(topic!, /\n/)
    const outsideFences = content!.replace(/```.*```/s, '')
    assert.doesNotMatch(outsideFences, /@\*\*|@all|]\(|<https/)
  },
  permanent: [],
  notice([request], notice) {
    const { topic, content } = formOf(request!)
    assert.match(topic!, /^The channel Backup/)
    assert.ok(content!.endsWith(notice.url))
    assert.doesNotMatch(content!, /@\*\*all/)
  },
  digest([request]) {
    const { topic, content } = formOf(request!)
    assert.equal(topic, '380 checks of Alpha are DOWN')
    assert.doesNotMatch(withoutLinks(content!), /@\*\*|@all|]\(|<https/)
    assert.ok(Array.from(content!).length <= 10_000)
  },
})

test('a member is given by address or ID, and a topic is optional', async t => {
  const recorder = await openRecorder(t)
  const send = async (settings: Record<string, string>) => {
    await zulip.send(anAlert(), aDestination(zulip, { ...bot, site: recorder.url, ...settings }), testWays())
    const { type, to, topic } = formOf(recorder.requests.at(-1)!)
    return [type, to, topic]
  }
  assert.deepEqual(await send({ mtype: 'private', to: '42' }), ['private', '[42]', 'Backup'])
  assert.deepEqual(await send({ mtype: 'private', to: '42, 43' }), ['private', '[42, 43]', 'Backup'])
  const address = 'alice@example.org'
  assert.deepEqual(await send({ mtype: 'private', to: address }), ['private', address, 'Backup'])
  assert.deepEqual(await send({ to: '42', topic: 'Jobs' }), ['stream', '42', 'Jobs'])
  await send({ site: `${recorder.url}/api/` })
  assert.equal(recorder.requests.at(-1)!.url, '/api/v1/messages')
})

test('a pasted zuliprc fills the fields and is not stored', () => {
  const zuliprc = `[api]\r\nemail=alerts-bot@zulip.example\r\nkey = ${KEY}\nsite=https://zulip.example\n`
  const settings = checkSettings(zulip, { zuliprc, to: 'ops', api_key: KEY.toLowerCase() })
  assert.deepEqual(settings, {
    bot_email: 'alerts-bot@zulip.example',
    api_key: KEY,
    site: 'https://zulip.example',
    zuliprc: '',
    mtype: 'stream',
    to: 'ops',
    topic: '',
  })
  assert.equal(zulip.describe(settings), '#ops at zulip.example')
})

test('a missing field of the bot is named', () => {
  const refused = (settings: Record<string, string>, message: string, field: string) =>
    assert.throws(() => checkSettings(zulip, { to: 'ops', ...settings }), { name: 'Refusal', message, field })
  const required = 'This field is required, or paste the zuliprc.'
  refused({}, required, 'bot_email')
  refused({ bot_email: 'a@b.example', api_key: KEY }, required, 'site')
  refused({ zuliprc: '[api]\nemail=a@b' }, 'A zuliprc has lines for email, key and site.', 'zuliprc')
  const wrong = `[api]\nemail=a@b\nkey=${KEY}\nsite=javascript:alert(1)`
  refused({ zuliprc: wrong }, 'The site in the zuliprc is not a valid URL.', 'zuliprc')
})
