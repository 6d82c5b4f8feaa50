import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checksIn, passChecks } from '../../../src/storage/projects/config/check-pieces.js'
import type { StoredObject } from '../../../src/storage/projects/config/stored-object.js'
import { finished } from '../../_support/config/at-once.js'

const list = fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 })

test('checks come out of pieces as they were, in their order', () => {
  // Some have the very same list, others an equal one.
  const checks = fc
    .tuple(list, fc.array(fc.tuple(fc.string(), fc.option(list), fc.jsonValue())))
    .map(([shared, all]) =>
      all.map(
        ([key, own, value]): StoredObject => ({
          key,
          owner: own && 'punctual.yaml',
          ref: `ref of ${key}`,
          seen: 'seen',
          values: new Map([
            ['name', key],
            ['channels', own ?? shared],
            // As it is read again: JSON has no -0.
            ['value', JSON.parse(JSON.stringify(value))],
          ]),
          isOver: false,
        }),
      ),
    )
  fc.assert(
    fc.property(checks, sent => {
      const pieces: Uint8Array[] = []
      finished(passChecks(sent, piece => pieces.push(piece)))
      assert.deepEqual(finished(checksIn(pieces)), sent)
    }),
  )
})

test('many checks are sent in pieces of limited length, each with lists of its own', () => {
  const channels = Array.from({ length: 500 }, (_, n) => `channel-${n}`)
  const sent = Array.from(
    { length: 2_000 },
    (_, n): StoredObject => ({
      key: `check-${n}`,
      owner: null,
      ref: `ref-${n}`,
      seen: 'seen',
      values: new Map<string, string | readonly string[]>([
        ['desc', 'é'.repeat(100)],
        ['channels', n % 2 === 0 ? channels : [...channels]],
      ]),
      isOver: false,
    }),
  )
  const pieces: Uint8Array[] = []
  finished(passChecks(sent, piece => pieces.push(piece)))
  assert.ok(pieces.every(piece => piece.byteLength < 100_000 && piece.byteLength === piece.buffer.byteLength))
  assert.deepEqual(finished(checksIn(pieces)), sent)
})
