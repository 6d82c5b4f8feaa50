/** The example of every operation of Punctual's own API, as its reference shows it, is sent and answered as documented. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { curlExample } from '../../src/views/pages/instance/curl-example.js'
import { document, operations, requestOf, world } from '../_support/native/examples.js'
import { schemaMismatch } from '../_support/schema-mismatch.js'

for (const shown of operations) {
  const { operationId, responses } = shown.operation
  test(`the example of ${operationId} is answered as documented`, async () => {
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
