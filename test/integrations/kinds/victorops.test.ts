import assert from 'node:assert/strict'
import { test } from 'node:test'
import { victorops } from '../../../src/integrations/kinds/victorops.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { integrationCases } from '../../_support/worlds/integration-cases.js'

integrationCases({
  integration: victorops,
  settings: url => ({ url: `${url}/integrations/generic/alert/t0ken123/database` }),
  down([request], alert) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /integrations/generic/alert/t0ken123/database')
    const { state_message, ...event } = jsonOf(request!)
    assert.deepEqual(event, {
      entity_id: alert.check.uniqueKey,
      message_type: 'CRITICAL',
      entity_display_name: 'Backup is DOWN, exit status 2',
      monitoring_tool: 'Punctual',
    })
    assert.match(state_message, /^Backup is DOWN, exit status 2\.\n/)
  },
  up([request], alert) {
    const event = jsonOf(request!)
    assert.equal(event.message_type, 'RECOVERY')
    assert.equal(event.entity_id, alert.check.uniqueKey)
  },
  hostile([request]) {
    assert.doesNotMatch(jsonOf(request!).entity_display_name, /[\p{Cc}\u202e]/u)
  },
  permanent: [{ status: 404, error: 'Received status code 404' }],
  // On the timeline, without an incident that somebody would have to close.
  notice([request]) {
    const { message_type, entity_id } = jsonOf(request!)
    assert.equal(message_type, 'INFO')
    assert.equal(entity_id, undefined)
  },
})

test('victorops: the operator can turn it off', async () => {
  const url = 'https://alert.victorops.example/t0ken123/database'
  const to = aDestination(victorops, { url }, { operator: { VICTOROPS_ENABLED: 'false' } })
  const message = 'Splunk On-Call notifications are not enabled.'
  await assert.rejects(victorops.send(anAlert(), to, testWays()), { name: 'DeliveryError', message })
})
