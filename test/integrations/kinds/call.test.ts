import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { call } from '../../../src/integrations/kinds/phone/call.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { formOf } from '../../_support/recorded-text.js'
import { FALL, integrationCases, SINCE } from '../../_support/worlds/integration-cases.js'

const settings = { phone: '+37121234567' }
const operator = { TWILIO_ACCOUNT: 'AC0123456789', TWILIO_AUTH: 's3cretToken', TWILIO_FROM: '+15005550006' }

integrationCases({
  timesTold: false,
  integration: call,
  settings: () => settings,
  operator: () => operator,
  origins: ['https://api.twilio.com'],
  accepts: () => ({ status: 201, body: '{"sid":"CA0123"}' }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /2010-04-01/Accounts/AC0123456789/Calls.json')
    const said = 'A message from Punctual. The check Backup is down, exit status 2.'
    assert.deepEqual(formOf(request!), {
      From: '+15005550006',
      To: '+37121234567',
      Twiml: `<Response><Say>${said}</Say></Response>`,
      StatusCallback: aDestination(call, settings).statusUrl,
    })
  },
  up: 'never',
  // What a voice reads out must be short.
  leavesOut: [
    '11:50',
    'exit status 2',
    'DOWN',
    SINCE,
    'Exit status 2',
    '12 min 5 s',
    'fatal: disk full',
    'Mail queue',
    FALL.checkUrl,
  ],
  hostile([request]) {
    const { Twiml } = formOf(request!)
    assert.match(Twiml!, /^<Response><Say>[^<>]+<\/Say><\/Response>$/)
    assert.doesNotMatch(Twiml!, /[\p{Cc}\u202e]|&(?!(?:amp|lt|gt|quot|#x27);)/u)
  },
  permanent: [{ status: 400, body: '{"code":21211,"status":400}', error: 'Invalid phone number' }],
  notice: null,
})

test('call: without an account or a number to call from, no call is made', async () => {
  for (const name of ['TWILIO_ACCOUNT', 'TWILIO_AUTH', 'TWILIO_FROM']) {
    const to = aDestination(call, settings, { operator: { ...operator, [name]: '' } })
    const message = 'Call notifications are not enabled'
    await assert.rejects(call.send(anAlert(), to, testWays()), { name: 'DeliveryError', message }, name)
  }
})

test('call: numbers are validated, and calls count against a quota', () => {
  assert.throws(() => checkSettings(call, { phone: '112' }), { name: 'Refusal', field: 'phone' })
  assert.equal(call.describe(checkSettings(call, { phone: '+371 21234567' })), '+37121234567')
  assert.equal(call.quota?.name, 'calls')
})
