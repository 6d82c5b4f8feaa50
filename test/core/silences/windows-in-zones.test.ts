/** Recurring windows over both changes of the clock, compared with a walk along the wall clock minute by minute. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Timed } from '../../../src/core/silences/silence.js'
import { activeAt, activeWithin } from '../../../src/core/silences/windows.js'
import { spansOf } from '../../../src/core/time/edges.js'
import type { Span } from '../../../src/core/time/spans.js'
import { changesIn, readingAt } from '../../_support/wall-clock.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const ZONES = [
  'Europe/Riga',
  'Europe/London',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
]

for (const zone of ZONES) {
  test(`weekly and daily windows follow the clock over both changes in ${zone}`, () => {
    const changes = changesIn(zone, 2027).map(at => ({
      at,
      jump: readingAt(zone, at) - readingAt(zone, at - MINUTE) - MINUTE,
    }))
    assert.ok(changes.some(({ jump }) => jump > 0) && changes.some(({ jump }) => jump < 0))
    for (const { at, jump } of changes) {
      const from = at - 8 * DAY
      const shown = Array.from({ length: (10 * DAY) / MINUTE }, (_, index) =>
        readingAt(zone, from + index * MINUTE),
      )
      // In the hour that is skipped or repeated, just before it, and after it.
      const inside = readingAt(zone, at - MINUTE) + MINUTE + jump / 2
      for (const reading of [inside, inside - HOUR, inside + 3 * HOUR]) {
        for (const durationSeconds of [30 * 60, 4 * 3600]) {
          for (const every of ['day', 'week'] as const)
            compare(zone, shown, from, reading, durationSeconds, every)
        }
      }
    }
  })
}

test('a weekly window begins in each week, at its local time, over a whole year', () => {
  const silence = weekly('Europe/Riga', '30 2 * * sun', 2 * 3600, Date.UTC(2027, 0, 1))
  const windows = windowsBetween(silence, Date.UTC(2027, 0, 1), Date.UTC(2028, 0, 1))
  assert.equal(windows.length, 52)
  for (const { from, to } of windows) assert.equal(to - from, 2 * HOUR)
  const times = windows.map(({ from }) =>
    new Date(readingAt('Europe/Riga', from)).toISOString().slice(11, 16),
  )
  assert.deepEqual(new Set(times), new Set(['02:30']))
})

function compare(
  zone: string,
  shown: readonly number[],
  from: number,
  reading: number,
  durationSeconds: number,
  every: 'day' | 'week',
): void {
  const date = new Date(reading)
  const time = reading % DAY
  const day = every === 'week' ? date.getUTCDay() : '*'
  const schedule = `${date.getUTCMinutes()} ${date.getUTCHours()} * * ${day}`
  const silence = weekly(zone, schedule, durationSeconds, 0)
  const names = (at: number) =>
    at % DAY === time && (every === 'day' || new Date(at).getUTCDay() === date.getUTCDay())
  // Each time that the clock is to show happens at the first instant at which it has shown it, or jumped over it.
  let seen = shown[0]!
  let startedAt: number | null = null
  for (const [index, reading] of shown.entries()) {
    const at = from + index * MINUTE
    for (let passed = seen + MINUTE; passed <= reading; passed += MINUTE) if (names(passed)) startedAt = at
    seen = Math.max(seen, reading)
    if (startedAt === null || index % 5 > 0) continue
    const expected: boolean = at - startedAt < durationSeconds * 1000
    assert.equal(
      activeAt(silence, at),
      expected,
      `${zone} ${schedule} for ${durationSeconds} s at ${new Date(at).toISOString()}`,
    )
  }
}

function weekly(tz: string, schedule: string, durationSeconds: number, from: number): Timed {
  return { times: { kind: 'cron', schedule, tz, durationSeconds, from }, endedAt: null }
}

function windowsBetween(silence: Timed, from: number, to: number): Span[] {
  return spansOf(activeWithin(silence, { from, to }))
}
