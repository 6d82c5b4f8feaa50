import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { sms } from '../../../src/integrations/kinds/phone/sms.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { formOf } from '../../_support/recorded-text.js'
import { standIn } from '../../_support/servers/stand-in.js'
import { FALL, integrationCases, SINCE } from '../../_support/worlds/integration-cases.js'

const settings = { phone: '+37121234567', up: 'true' }
const operator = { TWILIO_ACCOUNT: 'AC0123456789', TWILIO_AUTH: 's3cretToken', TWILIO_FROM: '+15005550006' }
const origins = ['https://api.twilio.com']
const statusUrl = aDestination(sms, settings).statusUrl

integrationCases({
  integration: sms,
  settings: () => settings,
  operator: () => operator,
  origins,
  accepts: () => ({ status: 201, body: '{"sid":"SM0123"}' }),
  down([request], alert) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /2010-04-01/Accounts/AC0123456789/Messages.json')
    const basic = Buffer.from('AC0123456789:s3cretToken').toString('base64')
    assert.equal(request!.headers.authorization, `Basic ${basic}`)
    assert.deepEqual(formOf(request!), {
      To: '+37121234567',
      From: '+15005550006',
      RiskCheck: 'disable',
      StatusCallback: statusUrl,
      Body: `Backup is DOWN, exit status 2. Down since 11:50 UTC. ${alert.checkUrl}`,
    })
  },
  up([request], alert) {
    const body = `Backup is UP: it was down for 1 hour, 30 minutes. Up since 11:50 UTC. ${alert.checkUrl}`
    assert.equal(formOf(request!).Body, body)
  },
  // Each further piece of a text message costs money.
  leavesOut: [
    'Exit status 2',
    SINCE,
    '12 min 5 s',
    'fatal: disk full',
    'Mail queue',
    'All the other checks are up',
  ],
  testText: 'this is a test',
  hostile([request], alert) {
    const { Body } = formOf(request!)
    assert.doesNotMatch(Body!, /[\p{Cc}\u202e]/u)
    assert.ok(Body!.length <= 300 && Body!.endsWith(alert.checkUrl))
  },
  permanent: [
    { status: 400, body: '{"code":21211,"status":400}', error: 'Invalid phone number' },
    { status: 400, body: '{"code":21610,"status":400}', error: 'The recipient has unsubscribed' },
  ],
  notice([request], notice) {
    const { To, Body } = formOf(request!)
    assert.equal(To, '+37121234567')
    assert.ok(Body!.length <= 300 + 1 + notice.url.length)
  },
})

test('sms: a messaging service replaces the number', async t => {
  const { requests, transports } = await standIn(t, origins[0]!, () => ({ status: 201 }))
  const to = aDestination(sms, settings, {
    operator: { ...operator, TWILIO_MESSAGING_SERVICE_SID: 'MG0123' },
  })
  await sms.send(anAlert(), to, transports)
  const { MessagingServiceSid, From } = formOf(requests[0]!)
  assert.deepEqual([MessagingServiceSid, From], ['MG0123', undefined])
})

test('sms: a status address that Twilio cannot reach is omitted', async t => {
  const { requests, transports } = await standIn(t, origins[0]!, () => ({ status: 201 }))
  const callback = async (root: string) => {
    const to = aDestination(sms, settings, { operator, statusUrl: `${root}/status` })
    await sms.send(anAlert(), to, transports)
    return formOf(requests.at(-1)!).StatusCallback
  }
  for (const root of ['http://localhost:8000', 'http://192.168.1.7', 'http://[::1]:8000'])
    assert.equal(await callback(root), undefined, root)
  assert.equal(await callback('https://monitor.example'), 'https://monitor.example/status')
  assert.equal(await callback('https://93.184.215.14'), 'https://93.184.215.14/status')
})

test("sms: without the operator's account, nothing is sent", async () => {
  for (const name of ['TWILIO_ACCOUNT', 'TWILIO_AUTH', 'TWILIO_FROM']) {
    const to = aDestination(sms, settings, { operator: { ...operator, [name]: '' } })
    const message = 'SMS notifications are not enabled'
    await assert.rejects(sms.send(FALL, to, testWays()), { name: 'DeliveryError', message }, name)
  }
})

test('sms: numbers are normalised, and recoveries are optional', () => {
  const phone = (given: string) => checkSettings(sms, { phone: given }).phone
  assert.equal(phone(' +371 2123-4567\u200e'), '+37121234567')
  for (const wrong of ['21234567', '+1234', '+1234567890123456', '+371abc', '+'])
    assert.throws(() => phone(wrong), { name: 'Refusal', field: 'phone' }, wrong)
  const wants = (given: Record<string, string>) => {
    const all = checkSettings(sms, { phone: '+37121234567', ...given })
    return (['down', 'up'] as const).filter(status => sms.wants?.(all, status))
  }
  assert.deepEqual(wants({}), ['down'])
  assert.deepEqual(wants({ down: 'false', up: 'true' }), ['up'])
  assert.equal(sms.quota?.name, 'messages')
})
