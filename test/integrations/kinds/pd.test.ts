import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { pd } from '../../../src/integrations/kinds/pd/pd.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { standIn } from '../../_support/servers/stand-in.js'
import { FALL, integrationCases, RECOVERY } from '../../_support/worlds/integration-cases.js'

const settings = { service_key: '0123456789abcdef0123456789abcdef', account: 'Night shift' }
const older = { ...settings, api: 'v1' }

const DETAILS = {
  'Down since': 'Thu 5 Mar 2026 11:50:00 UTC',
  'Last ping': 'Exit status 2, 11:50 UTC (10 minutes ago)',
  'Last run': '12 min 5 s',
  Project: 'Alpha',
  Tags: 'prod, db',
  Period: '1 day',
  'Total pings': '42',
  Description: 'Nightly dump of Alpha',
  'Last ping body': 'line 1\nfatal: disk full',
  'Other checks': 'The following checks are also down:\n- Mail queue (last ping: 11:48 UTC)',
}

integrationCases({
  integration: pd,
  settings: () => settings,
  origins: ['https://events.pagerduty.com'],
  accepts: () => ({ status: 202, body: '{"status":"success"}' }),
  down([request], alert) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /v2/enqueue')
    assert.deepEqual(jsonOf(request!), {
      routing_key: settings.service_key,
      event_action: 'trigger',
      dedup_key: alert.check.uniqueKey,
      client: 'Punctual',
      client_url: alert.checkUrl,
      links: [{ href: alert.checkUrl, text: 'View the check' }],
      payload: {
        summary: 'Backup is DOWN, exit status 2',
        source: 'Backup',
        severity: 'critical',
        timestamp: '2026-03-05T11:50:00.000Z',
        group: 'Alpha',
        class: 'failed',
        custom_details: DETAILS,
      },
    })
  },
  up([request], alert) {
    assert.deepEqual(jsonOf(request!), {
      routing_key: settings.service_key,
      event_action: 'resolve',
      dedup_key: alert.check.uniqueKey,
    })
  },
  leavesOut: ['Backup', 'UP', '1 hour, 30 minutes', 'All the other checks are up', RECOVERY.checkUrl],
  hostile([request], alert) {
    const event = jsonOf(request!)
    assert.equal(event.dedup_key, alert.check.uniqueKey)
    assert.doesNotMatch(event.payload.summary, /[\p{Cc}\u202e]/u)
  },
  permanent: [
    {
      status: 400,
      body: '{"status":"invalid event","message":"Event object is invalid","errors":["Invalid routing key"]}',
      error: 'Received status code 400 (invalid integration key)',
    },
  ],
  notice: null,
})

test('pd: an event that is refused for another reason is retried', async t => {
  const { transports } = await standIn(t, 'https://events.pagerduty.com', () => ({
    status: 400,
    body: '{"errors":["Incident key is odd"]}',
  }))
  await assert.rejects(pd.send(anAlert(), aDestination(pd, settings), transports), {
    message: 'Received status code 400',
    options: { permanent: false, answered: true },
  })
})

test("pd: the summary is cut to PagerDuty's limit", async t => {
  const { requests, transports } = await standIn(t, 'https://events.pagerduty.com')
  const alert = anAlert({ check: { name: 'N'.repeat(100), desc: 'd'.repeat(5000) } })
  await pd.send(alert, aDestination(pd, settings), transports)
  const { summary } = jsonOf(requests[0]!).payload
  assert.ok(summary.length <= 1024)
  assert.match(summary, /^N{100} is DOWN: /)
})

test('pd: the operator can turn it off, and a key has 32 characters', async () => {
  const to = aDestination(pd, settings, { operator: { PD_ENABLED: 'false' } })
  const message = 'PagerDuty notifications are not enabled.'
  await assert.rejects(pd.send(anAlert(), to, testWays()), { name: 'DeliveryError', message })
  const long = { service_key: 'a'.repeat(33) }
  assert.throws(() => checkSettings(pd, long), { message: 'Value too long', field: 'service_key' })
})

test('pd: a key of the older API, as stored channels have it, keeps that API', async t => {
  const { requests, transports } = await standIn(t, 'https://events.pagerduty.com')
  const stored = { ...aDestination(pd, older), settings: { service_key: settings.service_key } }
  for (const to of [aDestination(pd, older), stored]) await pd.send(FALL, to, transports)
  for (const request of requests) {
    assert.equal(request.url, '/generic/2010-04-15/create_event.json')
    assert.deepEqual(jsonOf(request), {
      service_key: settings.service_key,
      incident_key: FALL.check.uniqueKey,
      event_type: 'trigger',
      description: 'Backup is DOWN, exit status 2',
      client: 'Punctual',
      client_url: FALL.checkUrl,
      details: DETAILS,
    })
  }
  assert.equal(requests.length, 2)
})

test('pd: the severity is that of the channel, and an alert links to where it is acknowledged', async t => {
  const { requests, transports } = await standIn(t, 'https://events.pagerduty.com')
  const url = 'https://monitor.example/acknowledge/'
  await pd.send(
    anAlert({ acknowledgeUrl: url }),
    aDestination(pd, { ...settings, severity: 'warning' }),
    transports,
  )
  const { links, payload } = jsonOf(requests[0]!)
  assert.equal(payload.severity, 'warning')
  assert.deepEqual(links[1], { href: url, text: 'Acknowledge or snooze' })
})
