import assert from 'node:assert/strict'
import { rocketchat } from '../../../src/integrations/kinds/rocketchat.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { FALL, integrationCases, RECOVERY, withoutLinks } from '../../_support/worlds/integration-cases.js'

integrationCases({
  integration: rocketchat,
  enabled: { setting: 'ROCKETCHAT_ENABLED', error: 'Rocket.Chat notifications are not enabled.' },
  settings: url => ({ url: `${url}/hooks/s3cr3tid/s3cr3tt0ken` }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /hooks/s3cr3tid/s3cr3tt0ken')
    const { alias, avatar, text, attachments } = jsonOf(request!)
    assert.equal(alias, 'Punctual')
    assert.match(avatar, /\/static\/img\/logo-\w+\.png$/)
    assert.equal(
      text,
      `[\u201cBackup\u201d is DOWN, exit status 2.](${FALL.checkUrl})\nDown since 11:50 UTC: the job exited with status 2.`,
    )
    const [{ color, fields }] = attachments
    assert.equal(color, '#d9534f')
    assert.deepEqual(fields.at(-2), {
      title: 'Last ping body',
      value: `23 bytes, [show body](${FALL.checkUrl}#ping-42)\n\`\`\`\nline 1\nfatal: disk full\n\`\`\``,
    })
  },
  up([request]) {
    const { text, attachments } = jsonOf(request!)
    assert.equal(attachments[0].color, '#5cb85c')
    assert.equal(
      text,
      `[\u201cBackup\u201d is UP.](${RECOVERY.checkUrl})\nUp since 11:50 UTC. The downtime lasted 1 hour, 30 minutes.`,
    )
  },
  hostile([request], { checkUrl }) {
    const { text } = jsonOf(request!)
    assert.doesNotMatch(text, /@(all|here|channel|everyone)|<@/)
    assert.equal(text.split('](').length, 2, 'there is one link')
    assert.ok(text.includes(`](${checkUrl})`))
  },
  permanent: [],
  notice([request], { url }) {
    const { text } = jsonOf(request!)
    assert.ok(text.endsWith(`](${url})`))
    assert.equal(text.split('](').length, 2, 'there is one link')
  },
  digest([request]) {
    const [{ color, text }] = jsonOf(request!).attachments
    assert.equal(color, '#d9534f')
    assert.match(text, /^- \[Backup /)
    assert.doesNotMatch(withoutLinks(text), /@(channel|all|here)|]\(|<\w/)
    assert.match(text, /\n\nand 360 more$/)
  },
})
