/** The example of every operation of Punctual's own API, as its reference shows it, is sent and answered as documented, also if each write has to wait. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NATIVE_PREFIX } from '../../src/http/native/native-routes.js'
import { curlExample } from '../../src/views/pages/instance/curl-example.js'
import { document, operations, requestOf, world } from '../_support/native/examples.js'
import { schemaMismatch } from '../_support/schema-mismatch.js'
import { makeLooksStale } from '../_support/stale-looks.js'

for (const shown of operations) {
  const { operationId, responses } = shown.operation
  test(`the example of ${operationId} is answered as documented`, async t => {
    makeLooksStale(t)
    const { method = 'GET', url, token, body } = requestOf(shown)
    const reply = await world.send(method, url!.slice(world.root.length), {
      headers: { Authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    })
    assert.ok(reply.status < 300, reply.text)
    const [type, content] = Object.entries(responses[reply.status]!.content!)[0]!
    assert.equal(reply.headers.get('content-type')?.split(';')[0], type)
    if (type !== 'application/json') return
    assert.equal(schemaMismatch(reply.json, content.schema, document.components.schemas), null)
  })
}

test('a token that ends itself is told so', async t => {
  makeLooksStale(t)
  const { token, uuid } = await world.token({ userId: world.alice.id })
  const headers = { Authorization: `Bearer ${token}` }
  const ended = await world.send('DELETE', `${NATIVE_PREFIX}/me/tokens/${uuid}`, { headers })
  assert.ok(ended.status < 300, ended.text)
  assert.equal((await world.send('GET', `${NATIVE_PREFIX}/me`, { headers })).status, 401)
})

test('every operation that takes a body has an example, which has all that its schema requires', () => {
  for (const { operation } of operations) {
    const body = operation.requestBody?.content['application/json']
    if (operation.requestBody === undefined) continue
    assert.ok(body?.example, `${operation.operationId} has no example`)
    assert.equal(schemaMismatch(body.example, body.schema, document.components.schemas), null)
  }
})

test('the reference shows the example of every operation', async () => {
  const { text } = await world.get('/docs/own-api')
  const base = document.servers[0]!.url
  const escaped = (command: string) =>
    command.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
  for (const { path, method, operation } of operations) {
    const command = curlExample(base + path, method, operation)
    assert.ok(text.includes(escaped(command)), command)
  }
})
