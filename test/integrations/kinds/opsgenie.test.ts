import assert from 'node:assert/strict'
import { test } from 'node:test'
import { opsgenie } from '../../../src/integrations/kinds/opsgenie.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { standIn } from '../../_support/servers/stand-in.js'
import { integrationCases } from '../../_support/worlds/integration-cases.js'

const settings = { key: '6f1d3b70-51f1-4b3a-9d8e-000000000001' }

integrationCases({
  integration: opsgenie,
  settings: () => settings,
  origins: ['https://api.opsgenie.com'],
  accepts: () => ({ status: 202, body: '{"result":"Request will be processed"}' }),
  down([request], alert) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /v2/alerts')
    assert.equal(request!.headers.authorization, `GenieKey ${settings.key}`)
    const { description, details, ...event } = jsonOf(request!)
    assert.deepEqual(event, {
      alias: alert.check.uniqueKey,
      source: 'Punctual',
      tags: ['prod', 'db'],
      message: 'Backup is DOWN, exit status 2',
    })
    assert.equal(details['Last run'], '12 min 5 s')
    assert.equal(
      description,
      `Backup is DOWN, exit status 2.

${alert.checkUrl}

Down since: Thu 5 Mar 2026 11:50:00 UTC
Last ping: Exit status 2, 11:50 UTC (10 minutes ago)
Last run: 12 min 5 s
Project: Alpha
Tags: prod, db
Period: 1 day
Total pings: 42

Last ping body:
line 1
fatal: disk full

The following checks are also down:
- Mail queue (last ping: 11:48 UTC)

Nightly dump of Alpha`,
    )
  },
  up([request], alert) {
    const path = `/v2/alerts/${alert.check.uniqueKey}/close?identifierType=alias`
    assert.equal(`${request?.method} ${request?.url}`, `POST ${path}`)
    const { source, note } = jsonOf(request!)
    assert.equal(source, 'Punctual')
    assert.match(note, /^Backup is UP: it was down for 1 hour, 30 minutes\.\n/)
  },
  hostile([request]) {
    assert.equal(request!.url, '/v2/alerts')
    const { message, tags } = jsonOf(request!)
    assert.ok(message.length <= 130)
    assert.doesNotMatch(message, /[\p{Cc}\u202e]/u)
    for (const tag of tags) assert.ok(tag.length <= 50)
  },
  permanent: [{ status: 401, error: 'Received status code 401' }],
  notice: null,
})

test('opsgenie: accounts in the EU use the EU address', async t => {
  const { requests, transports } = await standIn(t, 'https://api.eu.opsgenie.com', () => ({ status: 202 }))
  await opsgenie.send(anAlert(), aDestination(opsgenie, { ...settings, region: 'eu' }), transports)
  assert.equal(requests[0]?.headers.host, 'api.eu.opsgenie.com')
})

test('opsgenie: long values are cut', async t => {
  const { requests, transports } = await standIn(t, 'https://api.opsgenie.com', () => ({ status: 202 }))
  const tags = Array.from({ length: 30 }, (_, index) => `tag${index}`).join(' ')
  const alert = anAlert({ check: { name: 'N'.repeat(200), desc: 'd'.repeat(20_000), tags } })
  await opsgenie.send(alert, aDestination(opsgenie, settings), transports)
  const event = jsonOf(requests[0]!)
  assert.equal(event.message, `${'N'.repeat(129)}…`)
  assert.equal(event.tags.length, 20)
  assert.match(event.description, /d{9000}/)
  assert.ok(event.description.length < 11_000, `${event.description.length} characters`)
  assert.equal(event.details.Description.length, 500)
})

test('opsgenie: the operator can turn it off', async () => {
  const to = aDestination(opsgenie, settings, { operator: { OPSGENIE_ENABLED: 'false' } })
  const message = 'Opsgenie notifications are not enabled.'
  await assert.rejects(opsgenie.send(anAlert(), to, testWays()), { name: 'DeliveryError', message })
})
