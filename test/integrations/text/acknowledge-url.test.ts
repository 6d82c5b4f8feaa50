import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Integration } from '../../../src/integrations/integration.js'
import { googlechat } from '../../../src/integrations/kinds/googlechat.js'
import { mattermost } from '../../../src/integrations/kinds/mattermost.js'
import { msteamsw } from '../../../src/integrations/kinds/msteamsw.js'
import { rocketchat } from '../../../src/integrations/kinds/rocketchat.js'
import { slack } from '../../../src/integrations/kinds/slack/slack.js'
import { telegram } from '../../../src/integrations/kinds/telegram/telegram.js'
import { webhook } from '../../../src/integrations/kinds/webhook/webhook.js'
import { aDestination, aNotice, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { FALL } from '../../_support/worlds/integration-cases.js'

const URL_IN_ALERT = 'https://punctual.example/integrations/x/incidents/7/signature/'

const CHATS = [
  [
    slack,
    /"actions":\[\{"type":"button","text":"Acknowledge or snooze","url":"https:[^"]*\/7\/signature\/"\}\]/,
  ],
  [mattermost, /\[Acknowledge or snooze\]\(https:[^)]*\/7\/signature\/\)/],
  [rocketchat, /Acknowledge/],
  [googlechat, /"text":"Acknowledge or snooze","onClick":\{"openLink":\{"url":"https:[^"]*\/7\/signature\/"/],
  [msteamsw, /"type":"Action\.OpenUrl","title":"Acknowledge or snooze","url":"https:[^"]*\/7\/signature\/"/],
  [telegram, /<a href=\\"https:[^"]*\/7\/signature\/\\">Acknowledge or snooze<\/a>/],
] as const

const SLACK = 'https://hooks.slack.com'

function settingsOf(integration: Integration, url: string): Record<string, string> {
  if (integration === telegram) return { chat_id: '1' }
  return { url: `${integration === slack ? SLACK : url}/services/hook` }
}

const routesTo = (url: string) => ({ 'https://api.telegram.org': url, [SLACK]: url })

const operator = {
  TELEGRAM_TOKEN: '1:token',
  SLACK_ENABLED: 'true',
  MATTERMOST_ENABLED: 'true',
  MSTEAMS_ENABLED: 'true',
  ROCKETCHAT_ENABLED: 'true',
}

for (const [integration, pattern] of CHATS) {
  test(`${integration.kind}: a down alert has the link that acknowledges, if there is an incident`, async t => {
    const recorder = await openRecorder(t, () => ({ body: '{"ok":true}' }))
    const to = aDestination(integration, settingsOf(integration, recorder.url), { operator })
    const transports = testWays(null, { routes: routesTo(recorder.url) })
    await integration.send({ ...FALL, acknowledgeUrl: URL_IN_ALERT }, to, transports)
    await integration.send(FALL, to, transports)
    const [linked, plain] = recorder.requests.map(({ body }) => String(body))
    assert.match(linked!, pattern)
    assert.doesNotMatch(plain!, /Acknowledge/)
  })
}

for (const [integration, pattern] of CHATS) {
  test(`${integration.kind}: a notice about several checks has the link, if some are down`, async t => {
    const recorder = await openRecorder(t, () => ({ body: '{"ok":true}' }))
    const to = aDestination(integration, settingsOf(integration, recorder.url), { operator })
    const transports = testWays(null, { routes: routesTo(recorder.url) })
    const notice = aNotice({ title: '3 checks are DOWN', text: '- One: DOWN', status: 'down' })
    await integration.notify!({ ...notice, acknowledgeUrl: URL_IN_ALERT }, to, transports)
    await integration.notify!(notice, to, transports)
    const [linked, plain] = recorder.requests.map(({ body }) => String(body))
    assert.match(linked!, pattern)
    assert.doesNotMatch(plain!, /Acknowledge/)
  })
}

test('slack: another chat that reads its messages gets the link in the text, and no button', async t => {
  const recorder = await openRecorder(t, () => ({ body: 'ok' }))
  const to = aDestination(slack, { url: `${recorder.url}/hook` }, { operator })
  await slack.send({ ...FALL, acknowledgeUrl: URL_IN_ALERT }, to, testWays(null))
  const [{ actions, text }] = jsonOf(recorder.requests[0]!).attachments
  assert.equal(actions, undefined)
  assert.ok(text.endsWith(`[Acknowledge or snooze](${URL_IN_ALERT})`))
})

test('slack: the text for clients without attachments names the address', async t => {
  const recorder = await openRecorder(t, () => ({ body: 'ok' }))
  const to = aDestination(slack, settingsOf(slack, ''), { operator })
  const transports = testWays(null, { routes: routesTo(recorder.url) })
  await slack.send({ ...FALL, acknowledgeUrl: URL_IN_ALERT }, to, transports)
  const [{ fallback }] = jsonOf(recorder.requests[0]!).attachments
  assert.ok(fallback.endsWith(`Acknowledge or snooze: ${URL_IN_ALERT}`))
})

test('a program that reads alerts gets no link that acknowledges', async t => {
  const recorder = await openRecorder(t, () => ({ body: 'ok' }))
  const settings = { url_down: recorder.url, method_down: 'POST', body_down: '$JSON' }
  const to = aDestination(webhook, settings, { operator: { WEBHOOKS_ENABLED: 'true' } })
  await webhook.send({ ...FALL, acknowledgeUrl: URL_IN_ALERT }, to, testWays(null))
  assert.equal(recorder.requests.length, 1)
  assert.ok(!String(recorder.requests[0]!.body).includes('signature'))
})
