import assert from 'node:assert/strict'
import { test } from 'node:test'
import { googlechat } from '../../../src/integrations/kinds/googlechat.js'
import { mattermost } from '../../../src/integrations/kinds/mattermost.js'
import { msteamsw } from '../../../src/integrations/kinds/msteamsw.js'
import { rocketchat } from '../../../src/integrations/kinds/rocketchat.js'
import { slack } from '../../../src/integrations/kinds/slack/slack.js'
import { telegram } from '../../../src/integrations/kinds/telegram/telegram.js'
import { webhook } from '../../../src/integrations/kinds/webhook.js'
import { aDestination, testWays } from '../../_support/alert.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { FALL } from '../../_support/worlds/integration-cases.js'

const URL_IN_ALERT = 'https://punctual.example/integrations/x/incidents/7/signature/'

const CHATS = [
  [slack, /"actions":\[\{"type":"button","text":"Acknowledge","url":"https:[^"]*\/7\/signature\/"\}\]/],
  [mattermost, /\[Acknowledge\]\(https:[^)]*\/7\/signature\/\)/],
  [rocketchat, /Acknowledge/],
  [googlechat, /"text":"Acknowledge","onClick":\{"openLink":\{"url":"https:[^"]*\/7\/signature\/"/],
  [msteamsw, /"type":"Action\.OpenUrl","title":"Acknowledge","url":"https:[^"]*\/7\/signature\/"/],
  [telegram, /<a href=\\"https:[^"]*\/7\/signature\/\\">Acknowledge<\/a>/],
] as const

for (const [integration, pattern] of CHATS) {
  test(`${integration.kind}: a down alert has the link that acknowledges, if there is an incident`, async t => {
    const recorder = await openRecorder(t, () => ({ body: '{"ok":true}' }))
    const operator = {
      TELEGRAM_TOKEN: '1:token',
      SLACK_ENABLED: 'true',
      MATTERMOST_ENABLED: 'true',
      MSTEAMS_ENABLED: 'true',
      ROCKETCHAT_ENABLED: 'true',
    }
    const settings = integration === telegram ? { chat_id: '1' } : { url: `${recorder.url}/hook` }
    const to = aDestination(integration, settings, { operator })
    const transports = testWays(null, { routes: { 'https://api.telegram.org': recorder.url } })
    await integration.send({ ...FALL, acknowledgeUrl: URL_IN_ALERT }, to, transports)
    await integration.send(FALL, to, transports)
    const [linked, plain] = recorder.requests.map(({ body }) => String(body))
    assert.match(linked!, pattern)
    assert.doesNotMatch(plain!, /Acknowledge/)
  })
}

test('a program that reads alerts gets no link that acknowledges', async t => {
  const recorder = await openRecorder(t, () => ({ body: 'ok' }))
  const settings = { url_down: recorder.url, method_down: 'POST', body_down: '$JSON' }
  const to = aDestination(webhook, settings, { operator: { WEBHOOKS_ENABLED: 'true' } })
  await webhook.send({ ...FALL, acknowledgeUrl: URL_IN_ALERT }, to, testWays(null))
  assert.equal(recorder.requests.length, 1)
  assert.ok(!String(recorder.requests[0]!.body).includes('signature'))
})
