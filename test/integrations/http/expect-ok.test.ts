import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectOk } from '../../../src/integrations/http/expect-ok.js'
import { DeliveryError } from '../../../src/integrations/integration.js'

const receivedAt = Date.parse('2026-01-01T00:00:00Z')
const failure = (status: number, headers: Record<string, string> = {}, permanent?: number[]) => {
  try {
    expectOk({ status, headers, body: '', receivedAt }, permanent ? { permanent } : {})
  } catch (error) {
    assert.ok(error instanceof DeliveryError)
    return { message: error.message, ...error.options }
  }
  return null
}

test('four statuses mean success', () => {
  for (const status of [200, 201, 202, 204]) assert.equal(failure(status), null)
  for (const status of [203, 206, 304, 404, 500]) {
    assert.deepEqual(failure(status), { message: `Received status code ${status}`, permanent: false })
  }
})

test('a status about the content of a request refuses this message alone', () => {
  for (const status of [400, 413, 415, 422]) assert.equal(failure(status)?.refused, true)
  for (const status of [401, 403, 404, 408, 429, 500]) assert.equal(failure(status)?.refused, undefined)
})

test('a status can mean a permanent failure', () => {
  assert.equal(failure(404, {}, [404])?.permanent, true)
  assert.equal(failure(410, {}, [404])?.permanent, false)
})

test('Retry-After is read in seconds and as a date', () => {
  const waits = (status: number, value: string) => failure(status, { 'retry-after': value })?.retryAfterMs
  assert.equal(waits(429, '120'), 120_000)
  assert.equal(waits(429, '0.25'), 250)
  assert.equal(waits(503, 'Thu, 01 Jan 2026 00:01:00 GMT'), 60_000)
  assert.equal(waits(503, 'Wed, 31 Dec 2025 00:00:00 GMT'), 0)
  assert.equal(waits(503, 'Thursday, 01-Jan-26 00:01:00 GMT'), 60_000)
  for (const rubbish of ['soon', 'soon 9999', 'try after 2030', '-5', '1e99', ''])
    assert.equal(waits(503, rubbish), undefined, rubbish)
  assert.equal(waits(500, '120'), undefined)
})
