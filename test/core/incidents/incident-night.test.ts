import assert from 'node:assert/strict'
import { test } from 'node:test'
import { together, wholeGroups } from '../../../src/core/incidents/incident-night.js'

const MINUTE = 60_000
/** Incidents, newest first, that began this many minutes before now. */
const ago = (...minutes: number[]) => minutes.map(one => ({ openedAt: 1e12 - one * MINUTE }))

test('a page ends with a whole group of incidents', () => {
  for (const [name, minutes, least, expected] of [
    ['after the least number if nothing goes on', [0, 10, 20, 30], 2, 2],
    ['after the group that goes on', [0, 10, 11, 12, 30], 2, 4],
    ['unknown if the group may go on', [0, 10, 11, 12], 2, null],
    ['unknown if there are fewer', [0, 10], 2, null],
    ['nowhere without incidents', [], 2, null],
  ] as const) {
    assert.equal(wholeGroups(ago(...minutes), least), expected, name)
  }
})

test('incidents are a group if each began within two minutes of the one before, and they are four', () => {
  const lengths = (...minutes: number[]) => together(ago(...minutes)).map(({ length }) => length)
  assert.deepEqual(lengths(0, 2, 4, 6, 20), [4, 1])
  assert.deepEqual(lengths(0, 2, 4, 20), [1, 1, 1, 1])
  assert.deepEqual(lengths(0, 2, 4, 7, 9, 11), [1, 1, 1, 1, 1, 1])
})
