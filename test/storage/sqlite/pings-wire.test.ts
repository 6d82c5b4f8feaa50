import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArrivedPing } from '../../../src/core/pings/arrived-ping.js'
import { packPings, unpackPings } from '../../../src/storage/sqlite/pings-wire.js'

const ping: ArrivedPing = {
  target: { uuid: '3cba109f-4b8a-4f0b-8c8e-2a2a54fb1d0c' },
  arrivedAt: 1_767_268_800_000,
  arrivedUs: 7,
  action: 'fail',
  exitStatus: 2,
  rid: '9c5a1bd1-6c1e-4d6c-8a4e-0f2b8c3d4e5f',
  durationMs: null,
  ranAt: null,
  invalid: null,
  scheme: 'https',
  remoteAddr: null,
  method: 'POST',
  ua: 'a"b\\c\u0000\u2028\ud800 \u{1f512}',
  body: null,
}

for (const [name, over] of [
  ['by slug', { target: { pingKey: 'k', slug: 's', create: true } }],
  ['with a duration', { durationMs: 1_250 }],
  ['that is back-dated', { ranAt: 1_767_268_700_000 }],
  ['whose sender has waited', { waitedMs: 1_000 }],
  ['that is recorded already', { durationMs: 1_250, waitedMs: 1_000, isRecorded: true }],
  ['that is an unread e-mail', { mail: null }],
  ['that is an e-mail', { mail: { subject: 'Backup "done"', body: '' } }],
] as const) {
  test(`a ping ${name} reaches the writing thread as it was`, () => {
    const batch = [ping, { ...ping, ...over }]
    assert.deepEqual(unpackPings(structuredClone(packPings(batch))), batch)
  })
}

for (const [name, bodies] of [
  ['without bodies', [null, null]],
  ['with a body in one of them', [null, Uint8Array.of(0, 255, 34)]],
] as const) {
  test(`a batch ${name} reaches the writing thread as it was`, () => {
    const batch = bodies.map(body => ({ ...ping, body }))
    assert.deepEqual(unpackPings(structuredClone(packPings(batch))), batch)
  })
}
