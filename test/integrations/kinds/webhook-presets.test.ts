/** The presets of webhooks: each is valid as settings, and its body is valid JSON whatever the check is called. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { webhookRequest } from '../../../src/integrations/http/webhook-request.js'
import { WEBHOOK_PRESETS } from '../../../src/integrations/kinds/webhook/presets.js'
import { webhook } from '../../../src/integrations/kinds/webhook/webhook.js'
import { aDestination } from '../../_support/alert.js'
import { HOSTILE_FALL } from '../../_support/worlds/integration-cases.js'

for (const { label, values } of WEBHOOK_PRESETS) {
  test(`the preset for ${label} sends valid JSON about a check with any name`, () => {
    const url = 'https://hooks.example.org/x'
    const settings = checkSettings(webhook, { ...values, url_down: url, url_up: url })
    const request = webhookRequest(HOSTILE_FALL, aDestination(webhook, settings))
    assert.equal(request.method, 'POST')
    assert.equal(request.headers?.['Content-Type'], 'application/json')
    const body = JSON.stringify(JSON.parse(String(request.body)))
    assert.ok(body.includes(JSON.stringify(HOSTILE_FALL.check.name)) || values.body_down === '$JSON')
    assert.equal(settings.body_up, settings.body_down)
  })
}
