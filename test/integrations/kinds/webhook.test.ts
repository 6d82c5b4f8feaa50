import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { VALUE_BYTES, webhookRequest } from '../../../src/integrations/http/webhook-request.js'
import { webhook } from '../../../src/integrations/kinds/webhook/webhook.js'
import { aDestination, anAlert, aPing, testWays, UUID } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { FALL, HOSTILE_FALL, integrationCases, SINCE } from '../../_support/worlds/integration-cases.js'

const HOSTILE = 'a/b "c"\r\nX-Evil: 1\u0000 <b>&amp;</b> $TAG1 \u0101\u{1f512}'

integrationCases({
  timesTold: false,
  integration: webhook,
  enabled: { setting: 'WEBHOOKS_ENABLED', error: 'Webhook notifications are not enabled.' },
  settings: url => ({
    url_down: `${url}/hooks/t0ken?key=s3cret`,
    method_down: 'POST',
    headers_down: 'X-Api-Key: s3cretKey\nContent-Type: application/json',
    body_down:
      '{"name": $NAME_JSON, "status": "$STATUS", "id": "$CODE", "exit": $EXITSTATUS, "output": $BODY_JSON}',
    url_up: `${url}/hooks/t0ken`,
    method_up: 'PUT',
    headers_up: 'X-Name: $NAME',
    body_up: '$NAME is $STATUS',
  }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /hooks/t0ken?key=s3cret')
    const output = 'line 1\nfatal: disk full'
    assert.deepEqual(jsonOf(request!), { name: 'Backup', status: 'down', id: UUID, exit: 2, output })
  },
  up([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'PUT /hooks/t0ken')
    assert.equal(request!.body, 'Backup is up')
  },
  // The user writes what is said.
  leavesOut: [
    '11:50',
    'exit status 2',
    SINCE,
    'DOWN',
    'UP',
    'exit status 2',
    'Exit status 2',
    '12 min 5 s',
    'Mail queue',
    '1 hour, 30 minutes',
    'All the other checks are up',
    FALL.checkUrl,
  ],
  testText: null,
  namesUuid: true,
  hostile([request]) {
    assert.equal(request!.url, '/hooks/t0ken?key=s3cret')
    assert.equal(jsonOf(request!).name, HOSTILE_FALL.check.name)
  },
  permanent: [],
  notice: null,
})

const send = (settings: Record<string, string>, alert = anAlert()) =>
  webhook.send(alert, aDestination(webhook, settings), testWays())

const refused = (settings: Record<string, string>, message: string, field: string) =>
  assert.throws(() => checkSettings(webhook, settings), { name: 'Refusal', message, field })

test('a check that goes down calls its URL with GET, without a body', async t => {
  const recorder = await openRecorder(t)
  await send({ url_down: `${recorder.url}/hook?s=$STATUS&n=$NAME`, body_down: 'unused' })
  const [request] = recorder.requests
  assert.equal(`${request?.method} ${request?.url}`, 'GET /hook?s=down&n=Backup')
  assert.equal(request?.body, '')
  assert.equal(request.headers['idempotency-key'], '6f9f2c56-5c1d-4f60-a5f4-95d0f1d5a1b3')
  assert.equal(request.headers['content-type'], undefined)
})

test('a check that comes back up calls the other URL with its own method, headers and body', async t => {
  const recorder = await openRecorder(t)
  const settings = {
    url_down: `${recorder.url}/down`,
    url_up: `${recorder.url}/up`,
    method_up: 'PUT',
    headers_up: 'X-Name: $NAME\nContent-Type: application/json\n\nIdempotency-Key: mine',
    body_up: '{"name": $NAME_JSON, "status": "$STATUS"}',
  }
  await send(settings, anAlert({ status: 'up' }))
  const [request] = recorder.requests
  assert.equal(`${request?.method} ${request?.url}`, 'PUT /up')
  assert.deepEqual(JSON.parse(request!.body), { name: 'Backup', status: 'up' })
  assert.equal(request?.headers['x-name'], 'Backup')
  assert.equal(request.headers['content-type'], 'application/json')
  assert.equal(request.headers['idempotency-key'], 'mine')
})

test('every placeholder is replaced in the body without escaping', async t => {
  const recorder = await openRecorder(t)
  const body_down =
    '$CODE|$STATUS|$NOW|$NAME|$NAME_JSON|$SLUG|$TAGS|$TAG1|$TAG2|$TAG3|$JSON|$BODY|$BODY_JSON|$EXITSTATUS'
  const body = Buffer.concat([Buffer.from('out "1" \u0101'), Buffer.from([0xff])])
  const lastPing = aPing({ action: 'fail', exitStatus: 2, body })
  const alert = anAlert({ lastPing, check: { name: 'B "\u0101"' } })
  await send({ url_down: recorder.url, method_down: 'POST', body_down }, alert)
  assert.deepEqual(recorder.requests[0]?.body.split('|'), [
    UUID,
    'down',
    '2026-03-05T11:50:00+00:00',
    'B "\u0101"',
    '"B \\"\\u0101\\""',
    'backup',
    'prod db',
    'prod',
    'db',
    '$TAG3',
    '{"name": "Backup", "uuid": "3cba109f"}',
    'out "1" \u0101\ufffd',
    '"out \\"1\\" \\u0101\\ufffd"',
    '2',
  ])
  assert.equal(recorder.requests[0].headers['content-type'], 'text/plain; charset=utf-8')
})

test('every placeholder that the form lists is replaced', async t => {
  const recorder = await openRecorder(t)
  const names = webhook.placeholders!.list.map(({ name }) => name)
  assert.equal(new Set(names).size, 13)
  await send({ url_down: recorder.url, method_down: 'POST', body_down: names.join('|') })
  const values = recorder.requests[0]!.body.split('|')
  assert.equal(values.length, names.length)
  for (const [index, name] of names.entries()) assert.ok(!values[index]!.includes('$'), name)
})

test('without a last ping the body is empty and the exit status -1', async t => {
  const recorder = await openRecorder(t)
  const settings = {
    url_down: recorder.url,
    method_down: 'POST',
    body_down: '[$BODY|$BODY_JSON|$EXITSTATUS]',
  }
  await send(settings, anAlert({ lastPing: null }))
  assert.equal(recorder.requests[0]?.body, '[|""|-1]')
})

test('in the URL, values are percent-encoded, and the last body is not available', async t => {
  const recorder = await openRecorder(t)
  const alert = anAlert({ check: { name: HOSTILE }, lastPing: aPing({ body: Buffer.from('x') }) })
  const query = '$CODE/$NOW/$TAGS/$TAG1/$JSON/$SLUG/$EXITSTATUS/$BODY/$NAME_JSON'
  await send({ url_down: `${recorder.url}/$NAME?q=${query}` }, alert)
  const [path, asked] = recorder.requests[0]!.url.split('?q=')
  assert.equal(
    path,
    '/a/b%20%22c%22%0D%0AX-Evil%3A%201%00%20%3Cb%3E%26amp%3B%3C/b%3E%20%24TAG1%20%C4%81%F0%9F%94%92',
  )
  assert.match(asked!, new RegExp(`^${UUID}/2026-03-05T11%3A50%3A00%2B00%3A00/prod%20db/prod/%7B%22name`))
  assert.match(asked!, /\/backup\/-1\/\$BODY\/%22a\/b%20%5C%22c/)
})

test('a hostile name in a header stays one value, with character references', async t => {
  const recorder = await openRecorder(t)
  const alert = anAlert({ check: { name: HOSTILE } })
  await send({ url_down: recorder.url, headers_down: 'X-Name: $NAME; $BODY\nX-$NAME: 1' }, alert)
  const [request] = recorder.requests
  assert.equal(
    request?.headers['x-name'],
    'a/b "c"&#13;&#10;X-Evil: 1&#0; <b>&amp;</b> $TAG1 &#257;&#128274;; $BODY',
  )
  assert.equal(request.headers['x-evil'], undefined)
  assert.equal(request.headers['x-$name'], '1')
})

test('a direction without a URL sends nothing', () => {
  const settings = checkSettings(webhook, { url_up: 'https://example.org/' })
  assert.equal(webhook.wants?.(settings, 'up'), true)
  assert.equal(webhook.wants?.(settings, 'down'), false)
})

test("the user's headers are not sent to another origin", async t => {
  const elsewhere = await openRecorder(t)
  const recorder = await openRecorder(t, () => ({ status: 307, headers: { location: elsewhere.url } }))
  const headers_down = 'X-Api-Key: s3cret\nContent-Type: application/json'
  await send({ url_down: recorder.url, method_down: 'POST', headers_down, body_down: '{}' })
  assert.equal(recorder.requests[0]?.headers['x-api-key'], 's3cret')
  assert.equal(elsewhere.requests[0]?.headers['x-api-key'], undefined)
  assert.equal(elsewhere.requests[0]!.headers['content-type'], 'application/json')
})

test('invalid settings are refused with a sentence for the field', () => {
  refused({}, 'Enter a URL for at least one of the two directions.', 'url_down')
  refused({ url_down: 'ftp://x' }, 'Enter a valid URL.', 'url_down')
  refused({ url_up: `https://x/${'a'.repeat(1000)}` }, 'Value too long', 'url_up')
  refused({ url_down: 'x', method_down: 'DELETE' }, 'Choose one of: GET, POST, PUT.', 'method_down')
  refused({ url_down: 'x', body_down: 'a'.repeat(1001) }, 'Value too long', 'body_down')
  const headers = (headers_up: string, message: string) =>
    refused({ url_down: 'x', headers_up }, message, 'headers_up')
  headers('no colon', 'Use "Header-Name: value" pairs, one per line.')
  headers('X-A: 1\nX-B:', 'Use "Header-Name: value" pairs, one per line.')
  headers(': 1', 'Use "Header-Name: value" pairs, one per line.')
  headers('X-\u0101: 1', 'Header names must not contain special characters')
  headers('X A: 1', 'Header names must not contain special characters')
  headers(`X-A: ${'a'.repeat(1001)}`, 'Value too long')
})

test('a channel is described by its address, without secrets', () => {
  const describe = (settings: Record<string, string>) => webhook.describe(checkSettings(webhook, settings))
  assert.equal(describe({ url_down: 'https://u:p@a.example/t0ken?k=1' }), 'GET a.example/t…?k=… (down)')
  assert.equal(
    describe({ url_down: 'https://a.example/hook', url_up: 'https://a.example/hook' }),
    'GET a.example/hook',
  )
  assert.equal(
    describe({ url_down: 'https://a.example/hook', method_down: 'POST', url_up: 'https://a.example/hook' }),
    'POST and GET a.example/hook',
  )
  assert.equal(
    describe({ url_down: 'a.example', method_down: 'PUT', url_up: 'http://b.example/1', method_up: 'POST' }),
    'PUT a.example (down), POST http://b.example/1 (up)',
  )
})

test('a template that repeats a long value expands to a request of limited size', () => {
  const body = Buffer.alloc(10_000, 1)
  const settings = {
    method_down: 'POST',
    url_down: `http://a.example/${'$TAGS'.repeat(190)}`,
    headers_down: Array.from({ length: 50 }, (_, index) => `X-${index}: ${'$JSON'.repeat(190)}`).join('\n'),
    body_down: `[${'$BODY_JSON,'.repeat(70)}${'$JSON,'.repeat(30)}$NAME_JSON]`,
  }
  const alert = anAlert({
    lastPing: aPing({ body }),
    checkJson: `{"desc": "${'x'.repeat(5_000)}"}`,
    check: { tags: '\u732b'.repeat(500) },
  })
  const request = webhookRequest(alert, aDestination(webhook, settings))
  const bytes = Buffer.byteLength(JSON.stringify(request))
  assert.ok(bytes < VALUE_BYTES + 500_000, `${bytes}`)
})

test('values that do not fit in a request are cut so that its JSON stays valid', () => {
  const body = Buffer.from(`${'\u0001'.repeat(900_000)}the end`)
  const settings = {
    method_down: 'POST',
    url_down: 'http://a.example/',
    body_down: '[$BODY_JSON, $BODY_JSON, $JSON, $NAME_JSON]',
  }
  const alert = anAlert({ lastPing: aPing({ body }), checkJson: `{"desc": "${'x'.repeat(200_000)}"}` })
  const request = webhookRequest(alert, aDestination(webhook, settings))
  const [first, second, check, name] = JSON.parse(String(request.body)) as unknown[]
  assert.match(String(first), /^\[truncated\]\n.*the end$/s)
  assert.ok(String(first).length > 200_000)
  assert.match(String(second), /^\[truncated\]/)
  assert.deepEqual(check, { truncated: true })
  assert.equal(name, 'Backup')
})

test('a body of the largest size is sent whole', () => {
  const settings = { method_down: 'POST', url_down: 'http://a.example/', body_down: '$BODY' }
  const body = Buffer.alloc(1_000_000, 'x')
  const request = webhookRequest(anAlert({ lastPing: aPing({ body }) }), aDestination(webhook, settings))
  assert.equal(request.body, body.toString())
})

test('the check is made as JSON only for requests that contain it', () => {
  const contains = (settings: Record<string, string>) =>
    webhook.containsJson!(checkSettings(webhook, settings))
  const url_down = 'http://a.example/'
  assert.equal(contains({ url_down, body_down: '$NAME_JSON $BODY_JSON' }), false)
  assert.equal(contains({ url_down, body_down: '{"check": $JSON}' }), true)
  assert.equal(contains({ url_down: `${url_down}$JSON` }), true)
  assert.equal(contains({ url_down, headers_down: 'X-Check: $JSON' }), true)
})
