import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pagertree } from '../../../src/integrations/kinds/pagertree.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { integrationCases } from '../../_support/worlds/integration-cases.js'

integrationCases({
  integration: pagertree,
  settings: url => ({ url: `${url}/integration/int_t0ken` }),
  down([request], alert) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /integration/int_t0ken')
    const { description, ...event } = jsonOf(request!)
    assert.deepEqual(event, {
      incident_key: alert.check.uniqueKey,
      event_type: 'trigger',
      title: 'Backup is DOWN, exit status 2',
      client: 'Punctual',
      client_url: alert.checkUrl,
      tags: 'prod db',
    })
    assert.match(description, /\nDown since: Thu 5 Mar 2026 11:50:00 UTC\n/)
  },
  up([request], alert) {
    const event = jsonOf(request!)
    assert.equal(event.event_type, 'resolve')
    assert.equal(event.incident_key, alert.check.uniqueKey)
  },
  hostile([request], alert) {
    const event = jsonOf(request!)
    assert.equal(event.incident_key, alert.check.uniqueKey)
    assert.doesNotMatch(event.title, /[\p{Cc}\u202e]/u)
  },
  permanent: [{ status: 410, error: 'Received status code 410' }],
  notice: null,
})

test('pagertree: the operator can turn it off', async () => {
  const url = 'https://api.pagertree.example/integration/int_t0ken'
  const to = aDestination(pagertree, { url }, { operator: { PAGERTREE_ENABLED: 'false' } })
  const message = 'PagerTree notifications are not enabled.'
  await assert.rejects(pagertree.send(anAlert(), to, testWays()), { name: 'DeliveryError', message })
})
