import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/core/checks/check-fields.js'
import { isRunningLong } from '../../../src/core/checks/running-long.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const table: [string, { lastStart: number | null; lastDurationMs: number | null }, number, boolean][] = [
  ['no run is under way', { lastStart: null, lastDurationMs: MINUTE }, HOUR, false],
  ['less than twice the last run', { lastStart: 0, lastDurationMs: 5 * MINUTE }, 10 * MINUTE - 1, false],
  ['twice the last run', { lastStart: 0, lastDurationMs: 5 * MINUTE }, 10 * MINUTE, true],
  [
    'a minute is never long, however short the last run was',
    { lastStart: 0, lastDurationMs: 10 },
    59_999,
    false,
  ],
  ['a minute after a run that took no time', { lastStart: 0, lastDurationMs: 10 }, MINUTE, true],
  ['less than half of the limit, nothing timed', { lastStart: 0, lastDurationMs: null }, HOUR - 1, false],
  ['half of the limit, nothing timed', { lastStart: 0, lastDurationMs: null }, HOUR, true],
]

for (const [name, run, now, expected] of table) {
  test(`running long: ${name}`, () => {
    assert.equal(isRunningLong({ ...DEFAULT_SETTINGS, ...run, graceSeconds: 7_200 }, now), expected)
  })
}
