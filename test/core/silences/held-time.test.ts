import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type HeldAsk, heldLengths } from '../../../src/core/silences/held-time.js'
import type { Timed } from '../../../src/core/silences/silence.js'
import { activeWithin } from '../../../src/core/silences/windows.js'
import { spansOf } from '../../../src/core/time/edges.js'
import { joined, lengthOf, type Span, within } from '../../../src/core/time/spans.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Riga moves its clock a week later. */
const START = Date.UTC(2027, 9, 24)

const instant = fc.integer({ min: 0, max: 30 * DAY }).map(after => START + after)
const span = fc.tuple(instant, instant).map(([a, b]): Span => ({ from: Math.min(a, b), to: Math.max(a, b) }))
const silence: fc.Arbitrary<Timed> = fc.record({
  times: fc.oneof(
    span.map(times => ({ kind: 'once' as const, ...times })),
    fc.record({
      kind: fc.constant('oncalendar' as const),
      schedule: fc.constantFrom('*:0/2', '*:0/2:30', '3:30', 'Mon 9:00', '*:*', 'Sat *:0/20\nSun 3:0/7'),
      tz: fc.constantFrom('UTC', 'Europe/Riga', 'America/New_York'),
      durationSeconds: fc.constantFrom(60, 90, 3_600, 86_400),
      from: instant,
    }),
  ),
  endedAt: fc.option(instant, { nil: null }),
})

/** The length of the joined windows, computed for each that asks alone. */
function plainLength({ silences, others, spans }: HeldAsk): number {
  const parts = spans.flatMap(one => {
    const active = silences.flatMap(silence => windowsBetween(silence, one.from, one.to))
    return joined([...active, ...others].flatMap(other => within(other, one) ?? []))
  })
  return lengthOf(parts)
}

test('how long each was held is the length of its own windows and spans, joined', () => {
  const world = fc.array(silence, { minLength: 1, maxLength: 6 }).chain(silences =>
    fc.array(
      fc.record({
        // Some have equal windows, but are others.
        silences: fc.subarray([...silences, { ...silences[0]! }]),
        others: fc.array(span, { maxLength: 3 }),
        spans: fc.tuple(span, fc.integer({ min: 0, max: 9 * DAY })).map(([one, later]) => {
          return [one, { from: one.to + later, to: one.to + later + HOUR }]
        }),
      }),
      { maxLength: 6 },
    ),
  )
  fc.assert(
    fc.property(world, asks => {
      assert.deepEqual(heldLengths(asks), asks.map(plainLength))
    }),
    { numRuns: 300 },
  )
})

test('two hundred silences that begin each other minute are joined for many that ask', () => {
  const silences = Array.from(
    { length: 200 },
    (_, index): Timed => ({
      times: {
        kind: 'oncalendar',
        schedule: `*:0/2:${index % 30}`,
        tz: 'Europe/Riga',
        durationSeconds: 60,
        from: START - index,
      },
      endedAt: null,
    }),
  )
  const spans = [{ from: START, to: START + 7 * DAY }]
  const asks = Array.from({ length: 100 }, (_, index) => ({
    silences: silences.slice(index),
    others: [],
    spans,
  }))
  const held = heldLengths(asks)
  // Each of two minutes has 89 seconds: the last one begins at second 29.
  assert.ok(held.slice(0, 100).every(length => length === (7 * DAY * 89) / 120))
})

function windowsBetween(silence: Timed, from: number, to: number): Span[] {
  return spansOf(activeWithin(silence, { from, to }))
}
