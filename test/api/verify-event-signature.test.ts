import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyEventSignature } from '../../src/client/index.js'
import { webhookSignature } from '../../src/lib/secrets/webhook-secret.js'

const NOW = 1_800_000_000_000
const BODY = '{"type":"check.down","object":{"name":"Größe"}}'
const HEADER = webhookSignature('whsec_a', BODY, NOW)

test('what the installation signed is genuine, as text and as bytes, for five minutes', async () => {
  for (const body of [BODY, new TextEncoder().encode(BODY)])
    for (const now of [NOW, NOW + 299_000, NOW - 299_000])
      assert.equal(await verifyEventSignature('whsec_a', HEADER, body, { now }), true)
  assert.equal(await verifyEventSignature('whsec_a', HEADER, BODY, { now: NOW + 301_000 }), false)
  const strict = { now: NOW + 11_000, toleranceSeconds: 10 }
  assert.equal(await verifyEventSignature('whsec_a', HEADER, BODY, strict), false)
  assert.equal(await verifyEventSignature('whsec_a', HEADER, BODY), false)
})

test('another secret, body, time or form is not', async () => {
  const now = { now: NOW }
  assert.equal(await verifyEventSignature('whsec_b', HEADER, BODY, now), false)
  assert.equal(await verifyEventSignature('whsec_a', HEADER, `${BODY} `, now), false)
  const later = HEADER.replace(/^t=\d+/, `t=${NOW / 1000 + 1}`)
  for (const header of [later, '', null, undefined, 'v1=00', HEADER.slice(0, -1), `${HEADER}0`])
    assert.equal(await verifyEventSignature('whsec_a', header, BODY, now), false, String(header))
})
