import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { slack } from '../../../src/integrations/kinds/slack/slack.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { FALL, integrationCases, RECOVERY, withoutLinks } from '../../_support/worlds/integration-cases.js'

const path = '/services/T000/B000/s3cr3tt0ken'

/** Every text of the message, as Slack gets it. */
const texts = (value: unknown): string => JSON.stringify(value)

integrationCases({
  integration: slack,
  enabled: { setting: 'SLACK_ENABLED', error: 'Slack notifications are not enabled.' },
  settings: url => ({ url: url + path }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, `POST ${path}`)
    const { attachments, icon_url, ...message } = jsonOf(request!)
    assert.deepEqual(message, { username: 'Punctual' })
    assert.match(icon_url, /^https:\/\/monitor\.example\/static\/img\/logo-[0-9a-f]{10}\.png$/)
    assert.deepEqual(attachments, [
      {
        color: 'danger',
        fallback: 'The check "Backup" is DOWN, exit status 2.',
        mrkdwn_in: ['fields'],
        title: '\u201cBackup\u201d is DOWN, exit status 2.',
        title_link: FALL.checkUrl,
        text: 'Down since 11:50 UTC: the job exited with status 2.',
        fields: [
          { title: 'Last ping', value: 'Exit status 2, 11:50 UTC (10 minutes ago)', short: true },
          { title: 'Last run', value: '12 min 5 s', short: true },
          { title: 'Project', value: 'Alpha', short: true },
          { title: 'Tags', value: '`prod` `db`', short: true },
          { title: 'Period', value: '1 day', short: true },
          { title: 'Total pings', value: '42', short: true },
          { title: 'Description', value: 'Nightly dump of Alpha' },
          { title: 'Last ping body', value: '```\nline 1\nfatal: disk full\n```' },
          {
            title: 'Other checks',
            value: 'The following checks are also down:\n- Mail queue (last ping: 11:48 UTC)',
          },
        ],
      },
    ])
  },
  up([request]) {
    const [attachment] = jsonOf(request!).attachments
    assert.equal(attachment.color, 'good')
    assert.equal(attachment.text, 'Up since 11:50 UTC. The downtime lasted 1 hour, 30 minutes.')
    assert.equal(attachment.title_link, RECOVERY.checkUrl)
  },
  hostile([request]) {
    const { attachments } = jsonOf(request!)
    assert.doesNotMatch(texts(attachments), /[<>]/)
    const [{ title, fields }] = attachments
    assert.match(title, /^\u201cBackup &lt;b&gt;&amp;amp;&lt;\/b&gt; /)
    const project = fields.find((field: { title: string }) => field.title === 'Project').value
    assert.match(project, /\u034f\*b\u034f\* \u034f_i\u034f_/)
    assert.doesNotMatch(project, /(?<!\u034f)[*_~`]/)
  },
  permanent: [
    { status: 404, error: 'Received status code 404' },
    { status: 400, body: 'invalid_token', error: 'Received status code 400' },
  ],
  notice([request], notice) {
    const [attachment] = jsonOf(request!).attachments
    assert.equal(attachment.color, 'warning')
    assert.equal(attachment.title_link, notice.url)
    assert.doesNotMatch(texts(attachment), /[<>]/)
  },
  digest([request]) {
    const [{ color, title, text }] = jsonOf(request!).attachments
    assert.equal(color, 'danger')
    assert.equal(title, '380 checks of Alpha are DOWN')
    assert.doesNotMatch(withoutLinks(text), /[<>]|(?<!\u034f)[*_~`]/)
  },
})

test('any other 400 from Slack is retried', async t => {
  const recorder = await openRecorder(t, () => ({ status: 400, body: 'no_text' }))
  const to = aDestination(slack, { url: recorder.url })
  await assert.rejects(Promise.resolve(slack.send(anAlert(), to, testWays())), {
    message: 'Received status code 400',
    options: { permanent: false, answered: true },
  })
})

test('the asterisks of a schedule are not read as markup', async t => {
  const recorder = await openRecorder(t)
  const alert = anAlert({ check: { kind: 'cron', schedule: '*/5 * * * *', tz: 'Europe/Riga' } })
  await slack.send(alert, aDestination(slack, { url: recorder.url }), testWays())
  const { fields } = jsonOf(recorder.requests[0]!).attachments[0]
  assert.deepEqual(fields[3], {
    title: 'Schedule',
    value: '\u034f*/5 \u034f* \u034f* \u034f* \u034f*',
    short: true,
  })
  assert.deepEqual(fields[4], { title: 'Time zone', value: 'Europe/Riga', short: true })
})

test('a long description is cut, so that the message is accepted', async t => {
  const recorder = await openRecorder(t)
  const alert = anAlert({ check: { desc: 'x'.repeat(5000) } })
  await slack.send(alert, aDestination(slack, { url: recorder.url }), testWays())
  const { fields } = jsonOf(recorder.requests[0]!).attachments[0]
  assert.equal(fields.at(-1).value, `${'x'.repeat(449)}\u2026`)
})

test('a channel is described by its workspace and channel, or else its address', () => {
  const describe = (settings: Record<string, string>) => slack.describe(checkSettings(slack, settings))
  const url = 'https://hooks.slack.com/services/T000/B000/s3cr3t'
  assert.equal(describe({ url }), 'hooks.slack.com/services/T…/B…/s…')
  assert.equal(describe({ url, team: 'Acme', channel: '#ops' }), 'Acme, #ops')
})
