import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { whatsapp } from '../../../src/integrations/kinds/phone/whatsapp.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { formOf } from '../../_support/recorded-text.js'
import { standIn } from '../../_support/servers/stand-in.js'
import { FALL, integrationCases, SINCE } from '../../_support/worlds/integration-cases.js'

const settings = { phone: '+37121234567' }
const operator = {
  TWILIO_ACCOUNT: 'AC0123456789',
  TWILIO_AUTH: 's3cretToken',
  TWILIO_FROM: '+15005550006',
  TWILIO_USE_WHATSAPP: 'true',
  WHATSAPP_DOWN_CONTENT_SID: 'HXdown',
  WHATSAPP_UP_CONTENT_SID: 'HXup',
}
const origins = ['https://api.twilio.com']

integrationCases({
  timesTold: false,
  integration: whatsapp,
  settings: () => settings,
  operator: () => operator,
  origins,
  accepts: () => ({ status: 201, body: '{"sid":"SM0123"}' }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /2010-04-01/Accounts/AC0123456789/Messages.json')
    assert.deepEqual(formOf(request!), {
      To: 'whatsapp:+37121234567',
      From: 'whatsapp:+15005550006',
      ContentSid: 'HXdown',
      ContentVariables: '{"1":"Backup"}',
      StatusCallback: aDestination(whatsapp, settings).statusUrl,
    })
  },
  up([request]) {
    assert.equal(formOf(request!).ContentSid, 'HXup')
  },
  // The approved template says the rest.
  leavesOut: [
    '11:50',
    'exit status 2',
    SINCE,
    'DOWN',
    'UP',
    'exit status 2',
    'Exit status 2',
    '12 min 5 s',
    'fatal: disk full',
    'Mail queue',
    '1 hour, 30 minutes',
    'All the other checks are up',
    FALL.checkUrl,
  ],
  testText: null,
  hostile([request]) {
    const variables = JSON.parse(formOf(request!).ContentVariables!)
    assert.deepEqual(Object.keys(variables), ['1'])
    assert.doesNotMatch(variables['1'], /[\p{Cc}\u202e]/u)
  },
  permanent: [{ status: 400, body: '{"code":21211,"status":400}', error: 'Invalid phone number' }],
  notice: null,
})

test('whatsapp: a messaging service replaces the number', async t => {
  const { requests, transports } = await standIn(t, origins[0]!, () => ({ status: 201 }))
  const service = { ...operator, TWILIO_FROM: '', TWILIO_MESSAGING_SERVICE_SID: 'MG0123' }
  await whatsapp.send(anAlert(), aDestination(whatsapp, settings, { operator: service }), transports)
  const { MessagingServiceSid, From } = formOf(requests[0]!)
  assert.deepEqual([MessagingServiceSid, From], ['MG0123', undefined])
})

test('whatsapp: without an account, the switch or a template nothing is sent', async () => {
  for (const name of ['TWILIO_ACCOUNT', 'TWILIO_USE_WHATSAPP', 'WHATSAPP_DOWN_CONTENT_SID']) {
    const to = aDestination(whatsapp, settings, { operator: { ...operator, [name]: '' } })
    const message = 'WhatsApp notifications are not enabled'
    await assert.rejects(whatsapp.send(anAlert(), to, testWays()), { name: 'DeliveryError', message }, name)
  }
})

test('whatsapp: both directions are sent unless one is turned off', () => {
  const all = checkSettings(whatsapp, { ...settings, down: 'false' })
  assert.deepEqual([whatsapp.wants?.(all, 'down'), whatsapp.wants?.(all, 'up')], [false, true])
  assert.equal(whatsapp.describe(all), '+37121234567')
  assert.equal(whatsapp.quota?.name, 'messages')
})
