import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approximateWords, periodWords, relativeWords, runLength } from '../../../src/core/time/duration.js'

const S = 1000
const MIN = 60 * S
const H = 60 * MIN
const D = 24 * H

const cases = <T>(title: string, run: (input: T) => string, table: [T, string][]) =>
  test(title, () => {
    for (const [input, expected] of table) assert.equal(run(input), expected)
  })

cases('a downtime is worded in its two largest units', approximateWords, [
  [0, '0 seconds'],
  [-5 * S, '0 seconds'],
  [999, '0 seconds'],
  [1 * S, '1 second'],
  [12 * S, '12 seconds'],
  [MIN, '1 minute'],
  [12 * MIN + 24 * S, '12 minutes, 24 seconds'],
  [H + 30 * MIN, '1 hour, 30 minutes'],
  [H + 59 * S, '1 hour'],
  [D + 6 * H, '1 day, 6 hours'],
  [D + 59 * MIN, '1 day'],
  [400 * D + 23 * H, '400 days, 23 hours'],
])

cases('a period is worded exactly, in weeks only when nothing else remains', periodWords, [
  [60, '1 minute'],
  [90, '1 minute 30 seconds'],
  [3600, '1 hour'],
  [5400, '1 hour 30 minutes'],
  [86_400, '1 day'],
  [604_800, '1 week'],
  [1_209_600, '2 weeks'],
  [691_200, '8 days'],
  [604_801, '7 days 1 second'],
  [31_536_000, '365 days'],
])

cases('a past instant is worded relative to now', (ago: number) => relativeWords(10 * D, 10 * D + ago), [
  [-MIN, 'just now'],
  [0, 'just now'],
  [12 * S, '12 seconds ago'],
  [10 * MIN + 59 * S, '10 minutes ago'],
  [H + 50 * MIN, '1 hour, 50 minutes ago'],
  [D, '1 day ago'],
  [D + 3 * H, '1 day, 3 hours ago'],
])

cases('the length of a run is worded shortly', runLength, [
  [0, '0 ms'],
  [310, '310 ms'],
  [42 * S, '42 s'],
  [12 * MIN + 5 * S, '12 min 5 s'],
  [H + 20 * MIN, '1 h 20 min'],
  [2 * D + 4 * H, '2 d 4 h'],
])
