import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mattermost } from '../../../src/integrations/kinds/mattermost.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { FALL, integrationCases, withoutLinks } from '../../_support/worlds/integration-cases.js'

integrationCases({
  integration: mattermost,
  enabled: { setting: 'MATTERMOST_ENABLED', error: 'Mattermost notifications are not enabled.' },
  settings: url => ({ url: `${url}/hooks/s3cr3tt0ken` }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /hooks/s3cr3tt0ken')
    const { username, attachments } = jsonOf(request!)
    assert.equal(username, 'Punctual')
    const [{ color, title, title_link, text }] = attachments
    assert.deepEqual(
      [color, title, title_link, text],
      [
        'danger',
        '\u201cBackup\u201d is DOWN, exit status 2.',
        FALL.checkUrl,
        'Down since 11:50 UTC: the job exited with status 2.',
      ],
    )
  },
  up([request]) {
    assert.equal(jsonOf(request!).attachments[0].color, 'good')
  },
  hostile([request]) {
    const [{ title, fallback, fields }] = jsonOf(request!).attachments
    const outsideFences = fields.filter((field: { title: string }) => field.title !== 'Last ping body')
    for (const text of [title, fallback, ...outsideFences.map((field: { value: string }) => field.value)]) {
      assert.doesNotMatch(text, /@(everyone|channel|all|here)|]\(|<\w/)
    }
  },
  permanent: [],
  notice([request], notice) {
    const [attachment] = jsonOf(request!).attachments
    assert.equal(attachment.title_link, notice.url)
    assert.doesNotMatch(attachment.title, /@channel|]\(/)
  },
  digest([request]) {
    assert.doesNotMatch(withoutLinks(jsonOf(request!).attachments[0].text), /@(channel|all|here)|]\(|<\w/)
  },
})

test('a Mattermost webhook that is not found is retried', async t => {
  const recorder = await openRecorder(t, () => ({ status: 404 }))
  const to = aDestination(mattermost, { url: recorder.url })
  await assert.rejects(async () => mattermost.send(anAlert(), to, testWays()), {
    message: 'Received status code 404',
    options: { permanent: false, answered: true },
  })
})
