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
    assert.deepEqual(failure(status), {
      message: `Received status code ${status}`,
      permanent: false,
      answered: true,
    })
  }
})

const statuses: [what: string, answered: true | undefined, statuses: number[]][] = [
  ['refuses the content of this message', true, [400, 413, 415, 422]],
  ['refuses its address or sender', true, [401, 403, 404, 405, 410]],
  ['fails with this message', true, [500, 501, 505, 508]],
  ['is not what it should be', true, [203, 206, 301, 304, 418, 451, 519, 531]],
  ['takes no message now', undefined, [408, 425, 429]],
  ['is away behind a proxy', undefined, [502, 503, 504]],
  ['is away behind Cloudflare', undefined, [520, 521, 522, 523, 524, 525, 526, 527, 530]],
]

for (const [what, answered, some] of statuses) {
  test(`a receiver ${answered ? 'answers' : 'does not answer'} with a status that says: it ${what}`, () => {
    for (const status of some) assert.equal(failure(status)?.answered, answered, `${status}`)
  })
}

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
