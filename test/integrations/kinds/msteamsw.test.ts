import assert from 'node:assert/strict'
import { test } from 'node:test'
import { msteamsw } from '../../../src/integrations/kinds/msteamsw.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { openRecorder, type RecordedRequest } from '../../_support/servers/recorder.js'
import { FALL, integrationCases, RECOVERY, withoutLinks } from '../../_support/worlds/integration-cases.js'

const path = '/workflows/abc/triggers/manual/paths/invoke?api-version=2016-06-01&sig=s3cr3ts1gnature'

const contentOf = (request: RecordedRequest | undefined) => {
  const { attachments, ...message } = jsonOf(request!)
  assert.deepEqual(message, { type: 'message' })
  const [{ content, ...attachment }] = attachments
  assert.deepEqual(attachment, {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
  })
  return content
}

integrationCases({
  integration: msteamsw,
  enabled: { setting: 'MSTEAMS_ENABLED', error: 'MS Teams notifications are not enabled.' },
  settings: url => ({ url: url + path }),
  accepts: () => ({ status: 202, body: '' }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, `POST ${path}`)
    assert.deepEqual(contentOf(request), {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      fallbackText: '\u201cBackup\u201d is DOWN, exit status 2.',
      version: '1.2',
      body: [
        {
          type: 'TextBlock',
          text: '\u201cBackup\u201d is DOWN, exit status 2.',
          wrap: true,
          weight: 'bolder',
          size: 'medium',
          style: 'heading',
        },
        { type: 'TextBlock', text: 'Down since 11:50 UTC: the job exited with status 2.', wrap: true },
        {
          type: 'FactSet',
          facts: [
            { title: 'Last ping:', value: 'Exit status 2, 11:50 UTC (10 minutes ago)' },
            { title: 'Last run:', value: '12 min 5 s' },
            { title: 'Project:', value: 'Alpha' },
            { title: 'Tags:', value: 'prod, db' },
            { title: 'Period:', value: '1 day' },
            { title: 'Total pings:', value: '42' },
            { title: 'Description:', value: 'Nightly dump of Alpha' },
          ],
        },
        { type: 'TextBlock', text: 'Last ping body:', weight: 'bolder' },
        { type: 'CodeBlock', codeSnippet: 'line 1\nfatal: disk full', language: 'PlainText' },
        {
          type: 'TextBlock',
          text: 'The following checks are also down:\n\n- Mail queue (last ping: 11:48 UTC)',
          wrap: true,
        },
      ],
      actions: [{ type: 'Action.OpenUrl', title: 'View in Punctual', url: FALL.checkUrl }],
    })
  },
  up([request]) {
    const { body, actions } = contentOf(request)
    assert.equal(body[0].text, '\u201cBackup\u201d is UP.')
    assert.equal(body.at(-1).text, 'All the other checks are up.')
    assert.equal(actions[0].url, RECOVERY.checkUrl)
  },
  hostile([request]) {
    const { body } = contentOf(request)
    const [heading] = body
    assert.doesNotMatch(heading.text, /<\w|]\(/)
    assert.match(heading.text, /\\\*b\\\* \\_i\\_/)
    assert.doesNotMatch(heading.text, /\n/)
  },
  permanent: [],
  notice([request], notice) {
    const { body, actions } = contentOf(request)
    assert.equal(body[1].text, notice.text)
    assert.equal(actions[0].url, notice.url)
  },
  digest([request]) {
    const { body } = contentOf(request)
    assert.match(body[1].text, /^- \[Backup /)
    assert.doesNotMatch(withoutLinks(body[1].text), /]\(|<\w/)
    assert.match(body[1].text, /\n\nand 360 more$/)
  },
})

test('the asterisks of a schedule are not read as markup', async t => {
  const recorder = await openRecorder(t)
  const alert = anAlert({ check: { kind: 'cron', schedule: '0 2 * * *', tz: 'Europe/Riga' } })
  await msteamsw.send(alert, aDestination(msteamsw, { url: recorder.url }), testWays())
  const { facts } = contentOf(recorder.requests[0]).body[2]
  assert.deepEqual(facts.slice(3, 5), [
    { title: 'Schedule:', value: '0 2 \\* \\* \\*' },
    { title: 'Time zone:', value: 'Europe/Riga' },
  ])
})
