import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeTicks } from '../../../src/core/time/time-ticks.js'

const at = (text: string) => Date.parse(text)
const labels = (from: string, to: string, tz = 'UTC') =>
  timeTicks(at(from), at(to), tz, 6).map(({ label }) => label)

test('an axis of weeks has days, an axis of hours has round times', () => {
  assert.deepEqual(labels('2026-08-21T03:51:02Z', '2026-08-25T03:51:02Z'), [
    ...['22 Aug', '23 Aug', '24 Aug', '25 Aug'],
  ])
  assert.deepEqual(labels('2026-08-21T21:10:00Z', '2026-08-22T02:00:00Z'), [
    ...['22:00', '23:00', '22 Aug', '01:00', '02:00'],
  ])
  assert.deepEqual(labels('2026-08-21T21:10:00Z', '2026-08-21T21:10:20Z'), ['21:10'])
})

test('times are round by the clock of the zone, across a change of it too', () => {
  assert.deepEqual(labels('2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z', 'Europe/Riga'), [
    ...['25 Oct', '12:00', '26 Oct', '12:00'],
  ])
  const [first, second] = timeTicks(at('2026-10-24T00:00:00Z'), at('2026-10-27T00:00:00Z'), 'Europe/Riga', 4)
  assert.equal(second!.at - first!.at, 25 * 3_600_000)
})

test('an hour that the clock skips has no mark of its own', () => {
  const skipped = labels('2026-03-29T00:00:00Z', '2026-03-29T03:00:00Z', 'Europe/Berlin')
  assert.deepEqual(skipped, ['01:00', '03:00', '04:00', '05:00'])
})

test('there are never more marks than wanted, and all are within the axis', () => {
  for (let length = 60_000; length < 400 * 86_400_000; length *= 1.7) {
    const from = at('2026-03-28T22:13:44Z')
    const ticks = timeTicks(from, from + length, 'America/St_Johns', 6)
    assert.ok(ticks.length <= 7, `${ticks.length} in ${length} ms`)
    assert.ok(ticks.every(tick => tick.at >= from && tick.at <= from + length))
  }
})
