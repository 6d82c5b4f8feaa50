import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { po } from '../../../src/integrations/kinds/po/po.js'
import { aDestination, aNotice, anAlert, aPing, testWays } from '../../_support/alert.js'
import { formOf } from '../../_support/recorded-text.js'
import { standIn } from '../../_support/servers/stand-in.js'
import { FALL, HOSTILE_FALL, integrationCases } from '../../_support/worlds/integration-cases.js'

const settings = { user_key: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG', priority_down: '2', priority_up: '-1' }
const operator = {
  PUSHOVER_API_TOKEN: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
  PUSHOVER_EMERGENCY_RETRY_DELAY: '60',
  PUSHOVER_EMERGENCY_EXPIRATION: '7200',
}

integrationCases({
  integration: po,
  settings: () => settings,
  operator: () => operator,
  origins: ['https://api.pushover.net'],
  accepts: () => ({ body: '{"status":1}' }),
  down([request], alert) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /1/messages.json')
    const { message, ...form } = formOf(request!)
    assert.deepEqual(form, {
      token: operator.PUSHOVER_API_TOKEN,
      user: settings.user_key,
      title: '🔴 Backup is DOWN, exit status 2',
      html: '1',
      priority: '2',
      retry: '60',
      expire: '7200',
      tags: alert.check.uniqueKey,
      url: alert.checkUrl,
      url_title: 'View on Punctual',
    })
    assert.equal(
      message,
      `<b>Backup is DOWN, exit status 2</b>
Down since 11:50 UTC: the job exited with status 2.
Last ping: Exit status 2, 11:50 UTC (10 minutes ago)
Last run: 12 min 5 s
Project: Alpha
Tags: prod, db
Period: 1 day
Total pings: 42

line 1
fatal: disk full

The following checks are also down:
- Mail queue (last ping: 11:48 UTC)

Nightly dump of Alpha`,
    )
  },
  // What is repeated is stopped first.
  up([cancel, request], alert) {
    assert.equal(cancel!.url, `/1/receipts/cancel_by_tag/${alert.check.uniqueKey}.json`)
    assert.deepEqual(formOf(cancel!), { token: operator.PUSHOVER_API_TOKEN })
    assert.equal(request!.url, '/1/messages.json')
    const { title, priority, retry } = formOf(request!)
    assert.deepEqual([title, priority, retry], ['🟢 Backup is UP', '-1', undefined])
  },
  hostile([request]) {
    const { title, message } = formOf(request!)
    assert.ok(title!.length <= 250 && message!.length <= 1024)
    assert.doesNotMatch(title!, /[\p{Cc}\u202e]/u)
    assert.doesNotMatch(message!.replaceAll(/<\/?b>/g, ''), /[<>]/)
    assert.equal(message!.match(/<b>/g)?.length, 1)
  },
  permanent: [
    {
      status: 400,
      body: '{"user":"invalid","errors":["user identifier is invalid"],"status":0}',
      error: 'Received status code 400 (invalid user)',
    },
  ],
  notice([request], notice) {
    const { priority, url, message } = formOf(request!)
    assert.deepEqual([priority, url, message], ['0', notice.url, notice.text])
  },
})

test('po: a long message is cut to the limit with valid markup, and keeps the end of the output', async t => {
  const { requests, transports } = await standIn(t, 'https://api.pushover.net', () => ({
    body: '{"status":1}',
  }))
  const body = Buffer.from(`${'<&>'.repeat(600)} fatal: disk full`)
  const alert = { ...HOSTILE_FALL, lastPing: aPing({ body }) }
  await po.send(alert, aDestination(po, settings, { operator }), transports)
  const { message } = formOf(requests[0]!)
  assert.ok(message!.length <= 1024, String(message!.length))
  assert.match(message!, /^<b>Backup .*… is DOWN<\/b>\n/)
  assert.match(message!, / fatal: disk full(?:\n|$)/)
  assert.doesNotMatch(message!, /down:$/)
  assert.doesNotMatch(message!, /&(?!(?:amp|lt|gt|quot|#x27);)/)
})

test('po: a long notice is cut at its end', async t => {
  const { requests, transports } = await standIn(t, 'https://api.pushover.net', () => ({
    body: '{"status":1}',
  }))
  const text = `${'- <Backup>: DOWN 2 minutes ago\n'.repeat(40)}and 380 more`
  await po.notify?.(aNotice({ text }), aDestination(po, settings, { operator }), transports)
  const { message } = formOf(requests[0]!)
  assert.ok(message!.length > 1000 && message!.length <= 1024, String(message!.length))
  assert.match(message!, /^- &lt;Backup&gt;: DOWN 2 minutes ago\n.*…$/s)
})

test("po: an emergency is repeated within Pushover's limits", async t => {
  const { requests, transports } = await standIn(t, 'https://api.pushover.net', () => ({
    body: '{"status":1}',
  }))
  const odd = { PUSHOVER_EMERGENCY_RETRY_DELAY: '5', PUSHOVER_EMERGENCY_EXPIRATION: '86400' }
  await po.send(anAlert(), aDestination(po, settings, { operator: { ...operator, ...odd } }), transports)
  const { retry, expire } = formOf(requests[0]!)
  assert.deepEqual([retry, expire], ['30', '10800'])
})

test('po: a recovery ends an emergency even if recoveries are turned off', async t => {
  const wants = (priority_down: string, priority_up: string) => {
    const all = checkSettings(po, { ...settings, priority_down, priority_up })
    return (['down', 'up'] as const).filter(status => po.wants?.(all, status))
  }
  assert.deepEqual(wants('0', '-3'), ['down'])
  assert.deepEqual(wants('-3', '1'), ['up'])
  assert.deepEqual(wants('2', '-3'), ['down', 'up'])

  const { requests, transports } = await standIn(t, 'https://api.pushover.net', () => ({
    body: '{"status":1}',
  }))
  const to = aDestination(po, { ...settings, priority_up: '-3' }, { operator })
  await po.send(anAlert({ status: 'up' }), to, transports)
  assert.deepEqual(
    requests.map(({ url }) => url),
    [`/1/receipts/cancel_by_tag/${FALL.check.uniqueKey}.json`],
  )
})

test('po: without a token nothing is sent, and the description has the priorities', async () => {
  await assert.rejects(po.send(anAlert(), aDestination(po, settings), testWays()), {
    name: 'DeliveryError',
    message: 'Pushover notifications are not enabled.',
  })
  assert.equal(po.describe(checkSettings(po, settings)), 'emergency (down), low (up)')
  const all = checkSettings(po, settings)
  assert.deepEqual([po.limit?.perMinute, po.limit?.key(all)], [6, settings.user_key])
})
