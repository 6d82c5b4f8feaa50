import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { matrix } from '../../../src/integrations/kinds/matrix/matrix.js'
import { joinedRoom, joinRequest } from '../../../src/integrations/kinds/matrix/matrix-room.js'
import { isPublicAddress } from '../../../src/lib/http/public-address.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { FALL, integrationCases } from '../../_support/worlds/integration-cases.js'

const settings = { room_id: '!a/b:example.org', alias: '#ops:example.org' }
const operatorAt = (url: string) => ({
  MATRIX_HOMESERVER: `${url}/`,
  MATRIX_USER_ID: '@punctual:example.org',
  MATRIX_ACCESS_TOKEN: 'syt_s3cr3t',
})

integrationCases({
  integration: matrix,
  settings: () => settings,
  operator: operatorAt,
  accepts: () => ({ body: '{"event_id": "$1"}' }),
  down([request]) {
    assert.equal(
      `${request?.method} ${request?.url}`,
      'PUT /_matrix/client/v3/rooms/!a%2Fb%3Aexample.org/send/m.room.message/6f9f2c56-5c1d-4f60-a5f4-95d0f1d5a1b3',
    )
    assert.equal(request?.headers.authorization, 'Bearer syt_s3cr3t')
    const { body, formatted_body, ...rest } = jsonOf(request!)
    assert.deepEqual(rest, { msgtype: 'm.text', format: 'org.matrix.custom.html', 'm.mentions': {} })
    assert.match(
      body,
      /^Backup is DOWN, exit status 2\.\nDown since 11:50 UTC: the job exited with status 2\.\n\nLast ping: /,
    )
    assert.match(
      formatted_body,
      /^<p><a href="https:\/\/[^"]+"><b>Backup is DOWN, exit status 2\.<\/b><\/a><\/p><p>Down since 11:50 UTC: the job exited with status 2\.<\/p>/,
    )
    assert.ok(formatted_body.includes('<b>Last run:</b> 12 min 5 s'))
    assert.ok(formatted_body.includes('<pre><code>line 1\nfatal: disk full</code></pre>'))
    assert.ok(formatted_body.endsWith('<ul><li>Mail queue (last ping: 11:48 UTC)</li></ul>'))
    assert.ok(body.endsWith(FALL.checkUrl))
  },
  up([request]) {
    assert.match(
      jsonOf(request!).body,
      /^Backup is UP\.\nUp since 11:50 UTC\. The downtime lasted 1 hour, 30 minutes\./,
    )
  },
  hostile([request]) {
    const { formatted_body, 'm.mentions': mentions } = jsonOf(request!)
    const tags = new Set(formatted_body.match(/<[^>]*>/g))
    for (const tag of tags)
      assert.match(String(tag), /^<\/?(p|b|br|ul|li|pre|code|a)( href="https:\/\/monitor[^"]*")?>$/)
    assert.deepEqual(mentions, {})
  },
  permanent: [],
  notice([request], notice) {
    const { body, formatted_body } = jsonOf(request!)
    assert.ok(body.endsWith(`${notice.text}\n\n${notice.url}`))
    assert.ok(formatted_body.includes(`href="${notice.url}"`))
  },
  digest([request]) {
    const { formatted_body, 'm.mentions': mentions } = jsonOf(request!)
    assert.doesNotMatch(
      formatted_body.replace(/<\/?(p|b|br|a)( href="https:\/\/monitor[^"]*")?>/g, ''),
      /[<>]/,
    )
    assert.deepEqual(mentions, {})
  },
})

test('a pause requested in the body of a response is respected', async t => {
  const body = '{"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 2500}'
  const recorder = await openRecorder(t, () => ({ status: 429, body }))
  const to = aDestination(matrix, settings, { operator: operatorAt(recorder.url) })
  await assert.rejects(async () => matrix.send(anAlert(), to, testWays()), {
    message: 'Received status code 429',
    options: { permanent: false, retryAfterMs: 2500 },
  })
})

test('the homeserver may have a private address', async t => {
  const recorder = await openRecorder(t)
  const to = aDestination(matrix, settings, { operator: operatorAt(recorder.url) })
  await matrix.send(anAlert(), to, testWays(null, { permits: isPublicAddress }))
  assert.equal(recorder.requests.length, 1)
})

test('without a homeserver or a token, nothing is sent', async () => {
  for (const operator of [
    {},
    { MATRIX_HOMESERVER: 'https://matrix.example.org' },
    { MATRIX_ACCESS_TOKEN: 'x' },
  ]) {
    const to = aDestination(matrix, settings, { operator })
    await assert.rejects(async () => matrix.send(anAlert(), to, testWays()), {
      name: 'DeliveryError',
      message: 'Matrix is not set up (MATRIX_HOMESERVER, MATRIX_ACCESS_TOKEN)',
    })
  }
})

test('a room is joined by its alias, and the response has its ID', async t => {
  const recorder = await openRecorder(t, () => ({ body: '{"room_id": "!abc:example.org"}' }))
  const operator = operatorAt(recorder.url)
  const answer = await testWays().http(joinRequest(operator, '#ops:example.org'))
  const [request] = recorder.requests
  assert.equal(`${request?.method} ${request?.url}`, 'POST /_matrix/client/v3/join/%23ops%3Aexample.org')
  assert.equal(request?.headers.authorization, 'Bearer syt_s3cr3t')
  assert.equal(joinedRoom(answer, operator), '!abc:example.org')
})

test('the reason why a room cannot be joined is reported', () => {
  const joined = (status: number, body = '{}') =>
    joinedRoom({ status, body, headers: {}, receivedAt: 0 }, operatorAt('https://matrix.example.org'))
  const failures: [number, string, string][] = [
    [403, '{}', 'The room cannot be joined. Invite @punctual:example.org to it first.'],
    [404, '{}', 'There is no such room.'],
    [429, '{}', 'The Matrix server is asked too often just now; try again later.'],
    [502, 'Bad Gateway', 'The room cannot be joined: the Matrix server answered with status 502.'],
    [200, '{"room_id": 7}', 'The room cannot be joined: the Matrix server answered with status 200.'],
  ]
  for (const [status, body, message] of failures) {
    assert.throws(() => joined(status, body), { name: 'Refusal', message, field: 'room_id' })
  }
})

test('a room is given by its ID or an alias', () => {
  for (const room_id of ['!a:example.org', '#ops:example.org']) {
    assert.equal(checkSettings(matrix, { room_id }).room_id, room_id)
  }
  for (const room_id of ['ops', '#', '@alice:example.org']) {
    assert.throws(() => checkSettings(matrix, { room_id }), { name: 'Refusal', field: 'room_id' })
  }
})
