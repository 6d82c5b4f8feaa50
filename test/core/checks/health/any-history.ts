/** Random histories of a check: its settings, and what happens after one another. */
import fc from 'fast-check'
import type { Rules, State } from '../../../../src/core/checks/check.js'
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/checks/check-fields.js'
import type { Flip } from '../../../../src/core/checks/flip.js'
import { CAUSES } from '../../../../src/core/checks/health/cause.js'
import { type PassedDeadline, stateAfterDeadlines } from '../../../../src/core/checks/health/judge.js'
import { applyPing } from '../../../../src/core/pings/ping.js'
import type { LoggedEvent } from '../../../../src/core/pings/run-ledger.js'
import { newCheck } from './replay.js'

export type TestCheck = State & Rules

export interface AnyEvent {
  /** Milliseconds since the event before. */
  after: number
  action: 'start' | 'success' | 'fail' | 'log' | 'look'
  rid: string | null
  durationMs: number | null
}

const MINUTE = 60_000
export const BEGIN = Date.UTC(2026, 2, 2)

const seconds = (max: number) => fc.integer({ min: 1, max }).map(number => number * 30)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const anyTiming: fc.Arbitrary<Partial<Settings>> = fc.oneof(
  fc.integer({ min: 1, max: 120 }).map(minutes => ({ kind: 'simple' as const, periodSeconds: minutes * 60 })),
  fc
    .constantFrom('*/10 * * * *', '0 * * * *', '*/3 * * * *', '15 */2 * * *')
    .map(schedule => ({ kind: 'cron' as const, schedule })),
)

/** Settings in which everything of docs/runs.md may be used. */
export const anySettings: fc.Arbitrary<Settings> = fc
  .record({
    timing: anyTiming,
    graceSeconds: fc.integer({ min: 1, max: 60 }).map(minutes => minutes * 60),
    startWithinSeconds: maybe(seconds(100)),
    maxDurationSeconds: maybe(seconds(300)),
    minDurationSeconds: maybe(seconds(4)),
    trackRuns: fc.constantFrom('latest' as const, 'each' as const),
    failuresToAlert: fc.integer({ min: 1, max: 4 }),
    failureWindow: maybe(fc.integer({ min: 1, max: 6 })),
    tolerated: fc.subarray([...CAUSES]).map(causes => causes.join(',')),
    successesToRecover: fc.integer({ min: 1, max: 3 }),
    earlySeconds: fc.constantFrom(0, 0, 60, 300),
  })
  .map(({ timing, ...rest }) => ({ ...DEFAULT_SETTINGS, ...timing, ...rest }))

/** Settings that use none of it. */
export const plainSettings: fc.Arbitrary<Settings> = fc
  .record({ timing: anyTiming, graceSeconds: fc.integer({ min: 1, max: 60 }).map(minutes => minutes * 60) })
  .map(({ timing, graceSeconds }) => ({ ...DEFAULT_SETTINGS, ...timing, graceSeconds }))

export function anyEvents(
  rids: readonly (string | null)[] = [null, null, 'a', 'b', 'c'],
): fc.Arbitrary<AnyEvent[]> {
  return fc.array(
    fc.record({
      after: fc.oneof(
        fc.integer({ min: 0, max: 90_000 }),
        fc.integer({ min: 0, max: 90 }).map(minutes => minutes * MINUTE),
      ),
      action: fc.constantFrom('start', 'start', 'success', 'success', 'success', 'fail', 'log', 'look'),
      rid: fc.constantFrom(...rids),
      durationMs: fc.oneof(
        { weight: 5, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.nat(200_000) },
      ),
    }) as fc.Arbitrary<AnyEvent>,
    { minLength: 1, maxLength: 40 },
  )
}

/** All that happened to a check. */
export interface Told {
  check: TestCheck
  flips: Flip[]
  passed: PassedDeadline[]
  pings: LoggedEvent[]
}

/** Plays events from `begin` (ms) on, and gives what has happened after each to `after`. Each state is stored and read again. */
export function play(
  settings: Settings,
  events: readonly AnyEvent[],
  after: (told: Told, event: AnyEvent, now: number) => void = () => {},
  begin = BEGIN,
): Told {
  const told: Told = { check: newCheck(settings), flips: [], passed: [], pings: [] }
  let now = begin
  for (const event of events) {
    now += event.after
    const { check } = told
    const { action, rid, durationMs } = event
    if (action === 'look') {
      const { state, flips, passed } = stateAfterDeadlines(check, now, null)
      told.check = stored({ ...check, ...state })
      told.flips.push(...flips)
      told.passed.push(...passed)
    } else {
      const effect = applyPing(check, check, { action, rid, arrivedAt: now, durationMs }, null)
      told.check = stored({ ...check, ...effect.state })
      told.flips.push(...effect.flips)
      told.passed.push(...effect.passed)
      const { at, cause } = effect
      const n = told.check.nPings
      told.pings.push({ n, at, action: effect.action, rid, exitStatus: null, durationMs, cause })
    }
    after(told, event, now)
  }
  return told
}

function stored(check: TestCheck): TestCheck {
  return JSON.parse(JSON.stringify(check))
}
