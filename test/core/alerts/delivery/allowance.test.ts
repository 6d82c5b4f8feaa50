import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type AlertClass,
  allowanceFor,
  MAX_PER_MINUTE,
  type SentCounts,
  withOneMore,
} from '../../../../src/core/alerts/delivery/allowance.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.parse('2026-03-05T12:00:00Z')

const NONE = { from: null, down: 0, other: 0 }
const NOTHING: SentCounts = { minute: NONE, hour: NONE }
const sent = (alertClass: AlertClass, ...instants: number[]) =>
  instants.reduce((before, at) => withOneMore(before, alertClass, at), NOTHING)
const downAt = (...instants: number[]) => sent('down', ...instants)

const cases: [string, SentCounts, number, number, ReturnType<typeof allowanceFor>][] = [
  ['nothing was sent', NOTHING, 30, NOW, { messages: MAX_PER_MINUTE }],
  ['two were sent this minute', downAt(NOW, NOW), 30, NOW + 1, { messages: MAX_PER_MINUTE - 2 }],
  [
    'five were sent this minute',
    downAt(...Array(MAX_PER_MINUTE).fill(NOW)),
    30,
    NOW + 59_999,
    { messages: 0, until: NOW + MINUTE, limit: 'minute' },
  ],
  [
    'that minute is over',
    downAt(...Array(MAX_PER_MINUTE).fill(NOW)),
    30,
    NOW + MINUTE,
    { messages: MAX_PER_MINUTE },
  ],
  ['one is left of the hour', downAt(NOW, NOW + 2 * MINUTE), 3, NOW + 9 * MINUTE, { messages: 1 }],
  [
    'the hour is used up',
    downAt(NOW, NOW + MINUTE, NOW + 2 * MINUTE),
    3,
    NOW + 9 * MINUTE,
    { messages: 0, until: NOW + HOUR, limit: 'hour' },
  ],
  ['that hour is over', downAt(NOW, NOW + 1, NOW + 2), 3, NOW + HOUR, { messages: 3 }],
  ['there is no limit an hour', downAt(NOW, NOW, NOW), 0, NOW + MINUTE, { messages: MAX_PER_MINUTE }],
  ['the clock was set back since', downAt(...Array(9).fill(NOW)), 9, NOW - 1, { messages: MAX_PER_MINUTE }],
]

for (const [name, before, hourly, now, expected] of cases) {
  test(`allowance for down alerts: ${name}`, () =>
    assert.deepEqual(allowanceFor(before, 'down', hourly, now), expected))
}

test('down alerts count only against down alerts, recoveries against both', () => {
  const recovered = sent('other', NOW, NOW, NOW, NOW, NOW)
  assert.deepEqual(allowanceFor(recovered, 'down', 5, NOW), { messages: MAX_PER_MINUTE })
  assert.deepEqual(allowanceFor(recovered, 'other', 30, NOW), {
    messages: 0,
    until: NOW + MINUTE,
    limit: 'minute',
  })
  assert.deepEqual(allowanceFor(downAt(NOW, NOW), 'other', 30, NOW), { messages: MAX_PER_MINUTE - 2 })
  assert.deepEqual(allowanceFor(downAt(NOW, NOW), 'other', 2, NOW + MINUTE), {
    messages: 0,
    until: NOW + HOUR,
    limit: 'hour',
  })
})

test('the allowance never exceeds the limits, and nothing waits an hour', () => {
  const gaps = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 * MINUTE }), fc.constantFrom('down', 'other')), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 40 }), (waits, hourly) => {
      let now = NOW
      let counts = NOTHING
      const messages: { at: number; alertClass: AlertClass }[] = []
      for (const [wait, alertClass] of waits as [number, AlertClass][]) {
        now += wait
        const allowance = allowanceFor(counts, alertClass, hourly, now)
        if ('until' in allowance) {
          const { until, limit } = allowance
          assert.ok(until > now && until <= now + HOUR)
          assert.ok(!('until' in allowanceFor(counts, alertClass, hourly, until)) || limit === 'minute')
          continue
        }
        assert.ok(allowance.messages > 0)
        messages.push({ at: now, alertClass })
        counts = withOneMore(counts, alertClass, now)
      }
      const instants = messages.map(({ at }) => at)
      for (const [from, length, most] of windows(instants, hourly)) {
        const within = messages.filter(({ at }) => at >= from && at < from + length)
        const down = within.filter(({ alertClass }) => alertClass === 'down').length
        assert.ok(down <= most, `${down} down alerts within ${length} ms, at most ${most}`)
        const others = within.length - down
        assert.ok(others <= most, `${others} others within ${length} ms, at most ${most}`)
      }
    }),
  )
})

/** The windows that the rule counts in: each begins with the first message after the one before. */
function windows(sent: readonly number[], hourly: number): [number, number, number][] {
  return (
    [
      [MINUTE, MAX_PER_MINUTE],
      [HOUR, hourly],
    ] as const
  ).flatMap(([length, most]) => {
    const found: [number, number, number][] = []
    let end = Number.NEGATIVE_INFINITY
    for (const at of sent) {
      if (at < end) continue
      found.push([at, length, most])
      end = at + length
    }
    return found
  })
}
