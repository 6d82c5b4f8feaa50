import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isoSeconds } from '../../../src/core/wire/timestamp.js'

test('an instant is written to the second, on any day and in any order of days', () => {
  const instant = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 })
  fc.assert(
    fc.property(fc.array(instant), instants => {
      for (const ms of instants) {
        assert.equal(isoSeconds(ms), `${new Date(ms).toISOString().slice(0, 19)}+00:00`)
      }
    }),
  )
})

test('what is no instant is not written', () => {
  assert.throws(() => isoSeconds(Number.NaN), RangeError)
})
