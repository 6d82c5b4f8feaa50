import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spike } from '../../../src/integrations/kinds/spike.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { integrationCases } from '../../_support/worlds/integration-cases.js'

integrationCases({
  integration: spike,
  settings: url => ({ url: `${url}/t0ken123/push-events` }),
  down([request], alert) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /t0ken123/push-events')
    const { message, ...event } = jsonOf(request!)
    assert.deepEqual(event, {
      check_id: alert.check.uniqueKey,
      title: 'Backup is DOWN, exit status 2',
      status: 'down',
    })
    assert.match(message, /^Backup is DOWN, exit status 2\.\n/)
  },
  up([request], alert) {
    const { message, ...event } = jsonOf(request!)
    assert.deepEqual(event, { check_id: alert.check.uniqueKey, title: 'Backup is UP', status: 'up' })
    assert.match(message, /^Backup is UP: it was down for 1 hour, 30 minutes\.\n/)
  },
  hostile([request]) {
    assert.doesNotMatch(jsonOf(request!).title, /[\p{Cc}\u202e]/u)
  },
  permanent: [{ status: 410, error: 'Received status code 410' }],
  notice: null,
})

test('spike: the operator can turn it off', async () => {
  const url = 'https://api.spike.example/v1/alerts/t0ken123'
  const to = aDestination(spike, { url }, { operator: { SPIKE_ENABLED: 'false' } })
  const message = 'Spike notifications are not enabled.'
  await assert.rejects(spike.send(anAlert(), to, testWays()), { name: 'DeliveryError', message })
})
