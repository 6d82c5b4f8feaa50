import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { covered, judge, type Waived } from '../../../src/core/checks/health/judge.js'
import { factsOf } from '../../../src/core/checks/health/runs.js'
import type { Timed } from '../../../src/core/silences/silence.js'
import { Waivers } from '../../../src/core/silences/waivers.js'
import { activeAmong, activeAt } from '../../../src/core/silences/windows.js'
import { spanAt } from '../../../src/core/time/edges.js'
import { checkAt, DAY, HOUR, MIN, T } from '../../_support/check-at.js'

const instant = fc.integer({ min: 0, max: 12 * 24 * 60 }).map(minutes => T + minutes * MIN)
const silence: fc.Arbitrary<Timed> = fc.record({
  times: fc.oneof(
    fc.tuple(instant, instant).map(([a, b]) => ({
      kind: 'once' as const,
      from: Math.min(a, b),
      to: Math.max(a, b) + MIN,
    })),
    fc.record({
      kind: fc.constant('cron' as const),
      schedule: fc.constantFrom('*/7 * * * *', '0 3 * * *', '30 9 * * 1', '* * * * *'),
      tz: fc.constantFrom('UTC', 'Europe/Riga'),
      durationSeconds: fc.constantFrom(60, 300, 3_600, 86_400, 3 * 86_400),
      from: instant,
    }),
  ),
  endedAt: fc.option(instant, { nil: null }),
})

test('a window is found at exactly the instants at which one of the silences is active', () => {
  const asked = fc.tuple(fc.array(silence, { minLength: 1, maxLength: 5 }), fc.array(instant))
  fc.assert(
    fc.property(asked, instant, ([silences, instants], until) => {
      const waived = new Waivers(silences, until).of(silences)
      for (const at of instants) {
        const window = waived.windowAt(at)
        const isActive = at < until && silences.some(one => activeAt(one, at))
        assert.equal(window !== undefined, isActive)
        if (window) assert.ok(window.from <= at && window.to > at && window.to <= until)
      }
    }),
  )
})

test('a window is followed over midnight to its end', () => {
  const night: Timed = {
    times: {
      kind: 'cron',
      schedule: '0 22 * * 5',
      tz: 'UTC',
      durationSeconds: 6 * 86_400,
      from: T - 30 * DAY,
    },
    endedAt: null,
  }
  const friday = Date.UTC(2026, 0, 2, 22)
  const waived = new Waivers([night], friday + 30 * DAY).of([night])
  assert.equal(waived.windowAt(friday + HOUR)?.to, friday + 6 * DAY)
})

test('each check is asked about its own silences only', () => {
  const at = (hour: number): Timed => ({
    times: { kind: 'once', from: T + hour * HOUR, to: T + (hour + 1) * HOUR },
    endedAt: null,
  })
  const silences = [at(1), at(2)] as const
  const waivers = new Waivers(silences, T + DAY)
  const second = waivers.of([silences[1]])
  assert.equal(second.windowAt(T + HOUR), undefined)
  assert.deepEqual(second.windowAt(T + 2 * HOUR), { from: T + 2 * HOUR, to: T + 3 * HOUR })
  assert.deepEqual(waivers.of(silences).windowAt(T + HOUR), { from: T + HOUR, to: T + 3 * HOUR })
})

test('what is judged does not depend on how much of a window is found at once', () => {
  // Of a longer window, the rest would be covered when its occurrences are judged.
  const followed = fc.integer({ min: 0, max: 7 * 24 * 60 }).map(minutes => T + minutes * MIN)
  const rules = fc.record({
    periodSeconds: fc.constantFrom(600, 3_600, 86_400),
    graceSeconds: fc.constantFrom(60, 3_600, 7 * 86_400),
  })
  fc.assert(
    fc.property(
      rules,
      fc.array(silence, { minLength: 1, maxLength: 4 }),
      followed,
      (given, silences, until) => {
        const check = checkAt('up', { lastPing: T, ...given })
        const edges = activeAmong(silences, { from: T, to: until + 1 })(silences)
        const whole: Waived = { windowAt: at => spanAt(edges, at) }
        const before = covered(factsOf(check), T)
        const judged = judge(before, check, until, null, new Waivers(silences, until + 1).of(silences))
        assert.deepEqual(judged, judge(before, check, until, null, whole))
      },
    ),
  )
})

test('only the days that are asked about are looked at', () => {
  let asked = 0
  const counted: Timed = {
    get times() {
      asked++
      return { kind: 'once' as const, from: T, to: T + 300 * DAY }
    },
    endedAt: null,
  }
  const waivers = new Waivers([counted], T + 365 * DAY)
  for (let i = 0; i < 50; i++) assert.ok(waivers.of([counted]).windowAt(T + 5 * DAY + (i * HOUR) / 10))
  assert.ok(asked > 0 && asked < 20, `${asked} looks`)
})
