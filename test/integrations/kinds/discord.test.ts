import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discord } from '../../../src/integrations/kinds/discord/discord.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { standIn } from '../../_support/servers/stand-in.js'
import { HOSTILE_FALL, integrationCases, withoutLinks } from '../../_support/worlds/integration-cases.js'

const ORIGIN = 'https://discord.com'

integrationCases({
  integration: discord,
  origins: [ORIGIN],
  settings: () => ({ url: `${ORIGIN}/api/webhooks/123456/s3cr3tt0ken` }),
  accepts: () => ({ status: 204, body: '' }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /api/webhooks/123456/s3cr3tt0ken/slack')
    assert.equal(request?.headers.host, 'discord.com')
    const [{ color, title, text }] = jsonOf(request!).attachments
    assert.deepEqual(
      [color, title, text],
      [
        'danger',
        '\u201cBackup\u201d is DOWN, exit status 2.',
        'Down since 11:50 UTC: the job exited with status 2.',
      ],
    )
  },
  up([request]) {
    assert.equal(jsonOf(request!).attachments[0].color, 'good')
  },
  hostile([request]) {
    const [{ title, fields }] = jsonOf(request!).attachments
    assert.doesNotMatch(title, /@everyone|@here|<@/)
    const project = fields.find((field: { title: string }) => field.title === 'Project').value
    assert.match(project, /\\\*b\\\* \\_i\\_ \\~s\\~ \\`c\\`/)
    assert.doesNotMatch(project, /@everyone|@here|<@|]\(/)
  },
  permanent: [{ status: 404, error: 'Received status code 404' }],
  notice([request]) {
    assert.doesNotMatch(jsonOf(request!).attachments[0].title, /@everyone/)
  },
  digest([request]) {
    const [{ text }] = jsonOf(request!).attachments
    assert.doesNotMatch(withoutLinks(text), /@everyone|@here|<@|]\(/)
    assert.match(text, /\\\*b\\\* \\_i\\_/)
    assert.ok(text.length <= 4096)
  },
})

test('no field is longer than Discord allows', async t => {
  const recorder = await openRecorder(t)
  const alert = {
    ...HOSTILE_FALL,
    check: { ...HOSTILE_FALL.check, desc: '*'.repeat(3000), tags: '* '.repeat(400) },
    lastPing: { ...HOSTILE_FALL.lastPing!, body: Buffer.from('```'.repeat(2000)) },
    othersDown: Array.from({ length: 10 }, () => ({ label: '_'.repeat(200), lastPing: null })),
    othersDownCount: 10,
  }
  await discord.send(alert, aDestination(discord, { url: recorder.url }), testWays())
  const [{ title, fields }] = jsonOf(recorder.requests[0]!).attachments
  assert.ok(title.length <= 256)
  for (const { title: name, value } of fields) assert.ok(value.length <= 1024, `${name}: ${value.length}`)
  const total = fields.reduce((sum: number, field: { value: string }) => sum + field.value.length, 0)
  assert.ok(total < 5_500, `${total}`)
})

test('the address may be old, may name a thread, and may end in /slack', async t => {
  const { requests, transports } = await standIn(t, ORIGIN)
  for (const url of [
    'https://discordapp.com/api/webhooks/1/t',
    'https://discord.com/api/webhooks/1/t/slack/',
    'https://discord.com/api/webhooks/1/t?thread_id=7',
  ]) {
    await discord.send(anAlert(), aDestination(discord, { url }), transports)
  }
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['/api/webhooks/1/t/slack', '/api/webhooks/1/t/slack', '/api/webhooks/1/t/slack?thread_id=7'],
  )
})
