import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { pd } from '../../../src/integrations/kinds/pd/pd.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { standIn } from '../../_support/servers/stand-in.js'
import { integrationCases } from '../../_support/worlds/integration-cases.js'

const settings = { service_key: '0123456789abcdef0123456789abcdef', account: 'Night shift' }

integrationCases({
  integration: pd,
  settings: () => settings,
  origins: ['https://events.pagerduty.com'],
  down([request], alert) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /generic/2010-04-15/create_event.json')
    assert.deepEqual(jsonOf(request!), {
      service_key: settings.service_key,
      incident_key: alert.check.uniqueKey,
      event_type: 'trigger',
      description: 'Backup is DOWN: received a failure signal (exit status 2)',
      client: 'Punctual',
      client_url: alert.checkUrl,
      details: {
        'Down Since': 'Thu 5 Mar 2026 11:50:00 UTC',
        'Last Ping': 'Exit status 2, 10 minutes ago',
        'Last Run': '12 min 5 s',
        Project: 'Alpha',
        Tags: 'prod, db',
        Period: '1 day',
        'Total Pings': '42',
        Description: 'Nightly dump of Alpha',
        'Last Ping Body': 'line 1\nfatal: disk full',
        'Other Checks': 'The following checks are also down:\n- Mail queue (last ping: 12 minutes ago)',
      },
    })
  },
  up([request], alert) {
    const event = jsonOf(request!)
    assert.equal(event.event_type, 'resolve')
    assert.equal(event.incident_key, alert.check.uniqueKey)
    assert.equal(event.description, 'Backup is UP: it was down for 1 hour, 30 minutes')
  },
  hostile([request], alert) {
    const event = jsonOf(request!)
    assert.equal(event.incident_key, alert.check.uniqueKey)
    assert.doesNotMatch(event.description, /[\p{Cc}\u202e]/u)
  },
  permanent: [
    {
      status: 400,
      body: '{"status":"invalid event","message":"Event object is invalid","errors":["Service key is invalid"]}',
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
    options: { permanent: false },
  })
})

test("pd: the description is cut to PagerDuty's limit", async t => {
  const { requests, transports } = await standIn(t, 'https://events.pagerduty.com')
  const alert = anAlert({ check: { name: 'N'.repeat(100), desc: 'd'.repeat(5000) } })
  await pd.send(alert, aDestination(pd, settings), transports)
  const { description } = jsonOf(requests[0]!)
  assert.ok(description.length <= 1024)
  assert.match(description, /^N{100} is DOWN: /)
})

test('pd: the operator can turn it off, and a key has 32 characters', async () => {
  const to = aDestination(pd, settings, { operator: { PD_ENABLED: 'false' } })
  const message = 'PagerDuty notifications are not enabled.'
  await assert.rejects(pd.send(anAlert(), to, testWays()), { name: 'DeliveryError', message })
  const long = { service_key: 'a'.repeat(33) }
  assert.throws(() => checkSettings(pd, long), { message: 'Value too long', field: 'service_key' })
})
