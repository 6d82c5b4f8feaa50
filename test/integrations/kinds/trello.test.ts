import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { trello } from '../../../src/integrations/kinds/trello/trello.js'
import { aDestination, anAlert, aPing, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { standIn } from '../../_support/servers/stand-in.js'
import { integrationCases } from '../../_support/worlds/integration-cases.js'

const settings = { token: 't0kent0ken', board_name: 'Night', list_id: '5abbe4b7ddc1b351', list_name: 'To do' }
const operator = { TRELLO_APP_KEY: 'k3yk3yk3y' }

integrationCases({
  integration: trello,
  settings: () => settings,
  operator: () => operator,
  origins: ['https://api.trello.com'],
  // Of Markdown, every mark is escaped in what people named.
  down([request], alert) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /1/cards')
    assert.deepEqual(jsonOf(request!), {
      idList: '5abbe4b7ddc1b351',
      name: 'Backup is DOWN, exit status 2',
      key: 'k3yk3yk3y',
      token: 't0kent0ken',
      desc: `**Backup is DOWN, exit status 2**

- **Down since:** Thu 5 Mar 2026 11:50:00 UTC
- **Last ping:** Exit status 2, 11:50 UTC (10 minutes ago)
- **Last run:** 12 min 5 s
- **Project:** Alpha
- **Tags:** prod, db
- **Period:** 1 day
- **Total pings:** 42
- **Description:** Nightly dump of Alpha

[View the check](${alert.checkUrl})

Last ping body:

\`\`\`
line 1
fatal: disk full
\`\`\`

The following checks are also down:

- Mail queue (last ping: 11:48 UTC)`,
    })
  },
  up: 'never',
  hostile([request]) {
    const { desc } = jsonOf(request!)
    const [told, output] = desc.split('\n````\n')
    assert.doesNotMatch(told, /(?<!\\)\*b|(?<!\\)[<>]|(?<!\\)\]\(https:\/\/evil/)
    assert.match(output, /<b>/)
  },
  permanent: [{ status: 401, body: 'invalid token', error: 'Received status code 401' }],
  notice([request]) {
    assert.equal(jsonOf(request!).idList, '5abbe4b7ddc1b351')
  },
})

test('trello: output with code fences stays in its own code block', async t => {
  const { requests, transports } = await standIn(t, 'https://api.trello.com')
  const alert = anAlert({ lastPing: aPing({ body: Buffer.from('a\n```\n# b') }) })
  await trello.send(alert, aDestination(trello, settings, { operator }), transports)
  assert.match(jsonOf(requests[0]!).desc, /\n\n````\na\n```\n# b\n````$/)
})

test("trello: without the operator's key, nothing is sent", async () => {
  await assert.rejects(trello.send(anAlert(), aDestination(trello, settings), testWays()), {
    name: 'DeliveryError',
    message: 'Trello notifications are not enabled.',
  })
})

test('trello: a channel is described by its board and list', () => {
  assert.equal(trello.describe(checkSettings(trello, settings)), 'Night, To do')
  const { token, list_id } = settings
  assert.equal(trello.describe(checkSettings(trello, { token, list_id })), '5abbe4b7ddc1b351')
})
