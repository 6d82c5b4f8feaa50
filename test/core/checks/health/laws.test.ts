/** What holds for every history, whatever the settings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { State } from '../../../../src/core/checks/check.js'
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/checks/check-fields.js'
import type { Flip } from '../../../../src/core/checks/flip.js'
import { applyTrackedPing } from '../../../../src/core/checks/health/apply-tracked-ping.js'
import { isPlain } from '../../../../src/core/checks/health/rules.js'
import { openRuns } from '../../../../src/core/checks/health/runs.js'
import { nextDeadlineAt } from '../../../../src/core/checks/health/settle.js'
import { nextPing, statusAt } from '../../../../src/core/checks/status.js'
import { runsIn } from '../../../../src/core/pings/run-ledger.js'
import { CheckModel, STEPS } from '../../../_support/fuzz/model.js'
import { type AnyEvent, anyEvents, anySettings, BEGIN, plainSettings, play } from './any-history.js'
import { promiseIsKept, runsEndOnce, toleranceHolds } from './law-checks.js'
import { newCheck } from './replay.js'

const RUNS = { numRuns: 3_000 }

/** Settings that the model knows, with all others at their defaults. */
const modelledSettings: fc.Arbitrary<Settings> = fc
  .record({
    periodSeconds: fc.constantFrom(60, 600, 3_600),
    graceSeconds: fc.constantFrom(60, 300, 3_600),
    schedule: fc.constantFrom(null, ...Object.keys(STEPS).filter(text => text.includes(' '))),
  })
  .map(({ schedule, ...rest }) => ({
    ...DEFAULT_SETTINGS,
    ...rest,
    ...(schedule !== null && { kind: 'cron' as const, schedule }),
  }))

test('with the defaults, both code paths give the same states and flips', () => {
  fc.assert(
    fc.property(plainSettings, anyEvents([null]), (settings, events) => {
      const prompt = withLooks(settings, events)
      const tracked: State[] = []
      const flips: Flip[] = []
      let check = newCheck(settings)
      let now = BEGIN
      let last = BEGIN
      for (const { after, action, rid, durationMs } of prompt) {
        now += after
        if (action === 'look' || action === 'log') continue
        last = now
        const effect = applyTrackedPing(check, check, { action, rid, at: now, durationMs }, null)
        flips.push(...effect.flips)
        check = { ...check, ...effect.state }
        tracked.push(effect.state)
      }
      const plain: State[] = []
      const told = play(settings, prompt, ({ check: after }, { action }) => {
        if (action !== 'look' && action !== 'log') plain.push(after)
      })
      const pick = ({ status, dueAt, alertAfter, lastPing, lastStart, lastDurationMs }: State) => {
        return [status, dueAt, alertAfter, lastPing, lastStart, lastDurationMs]
      }
      assert.deepEqual(tracked.map(pick), plain.map(pick))
      assert.deepEqual(
        flips,
        told.flips.filter(({ createdAt }) => createdAt <= last),
      )
    }),
    RUNS,
  )
})

test("with the defaults a check is what the reference's model says", () => {
  fc.assert(
    fc.property(modelledSettings, anyEvents(), (settings, events) => {
      const model = new CheckModel('', '', 0)
      model.timeout = settings.periodSeconds
      model.grace = settings.graceSeconds
      model.schedule = settings.kind === 'cron' ? settings.schedule : null
      play(settings, events, ({ check, flips }, { action, rid }, now) => {
        if (action === 'look') model.watch(now)
        else model.ping(action, 'GET', rid, now)
        const status = statusAt(check, now, null)
        assert.deepEqual(
          [status, nextPing(check, status), check.lastStart, check.lastPing, check.lastDurationMs],
          [model.shown(now), model.nextPing(now), model.lastStart, model.lastPing, model.lastDuration],
        )
        const seen = flips.map(({ newStatus, createdAt }) => ({
          at: createdAt,
          up: newStatus === 'up' ? 1 : 0,
        }))
        assert.deepEqual(seen, model.flips)
        assert.equal(check.tracking, null)
      })
    }),
    RUNS,
  )
})

test('the time at which the watcher looks, and restarts, change nothing', () => {
  fc.assert(
    fc.property(anySettings, anyEvents(), fc.array(fc.nat(100)), (settings, events, cuts) => {
      fc.pre(!isPlain(newCheck(settings), settings))
      const quiet = events.filter(({ action }) => action !== 'look')
      const looked = cutUp(quiet, cuts)
      const end: AnyEvent = { after: 40 * 3_600_000, action: 'look', rid: null, durationMs: null }
      const one = play(settings, [...quiet, end])
      const other = play(settings, [...looked, end])
      assert.deepEqual(other.check, one.check)
      assert.deepEqual(other.flips, one.flips)
      assert.deepEqual(other.passed, one.passed)
    }),
    RUNS,
  )
})

test('a tolerance of N never alerts before N counted failures', () => {
  fc.assert(
    fc.property(anySettings, anyEvents(), (settings, events) => {
      fc.pre(settings.failuresToAlert > 1)
      toleranceHolds(settings, play(settings, distinct(events)))
    }),
    RUNS,
  )
})

test('every run has exactly one outcome', () => {
  fc.assert(
    fc.property(anySettings, anyEvents(), (settings, events) => {
      fc.pre(!isPlain(newCheck(settings), settings))
      const told = play(settings, distinct(events))
      const { check, passed, pings } = told
      const open = openRuns(check, check)
      runsEndOnce(runsIn({ pings, passed, open, trackRuns: settings.trackRuns }), told, open.length)
    }),
    RUNS,
  )
})

test('no deadline is earlier than computed', () => {
  fc.assert(
    fc.property(anySettings, anyEvents(), (settings, events) => {
      let promised: number | null = null
      let known = 0
      play(settings, events, ({ check: after, passed }, { action }, now) => {
        promiseIsKept(settings, passed.slice(known), promised, now)
        const next = nextDeadlineAt(after)
        // A look before the deadline, and a log, leave it as it is.
        if (
          (action === 'look' || action === 'log') &&
          passed.length === known &&
          promised !== null &&
          promised > now
        ) {
          assert.equal(next, promised)
        }
        known = passed.length
        promised = next
      })
    }),
    RUNS,
  )
})

test('a deadline that is only counted is never one that takes the check down', () => {
  fc.assert(
    fc.property(anySettings, anyEvents(), (settings, events) => {
      play(settings, events, ({ check }) => {
        assert.ok(check.alertAfter === null || !check.tracking?.countAt)
        const runs = check.tracking?.runs ?? []
        assert.ok(runs.length <= 100)
        assert.ok(runs.every((run, place) => place === 0 || runs[place - 1]!.at <= run.at))
      })
    }),
    RUNS,
  )
})

/** The same events, with a look at each deadline as it passes. */
function withLooks(settings: Parameters<typeof play>[0], events: readonly AnyEvent[]): AnyEvent[] {
  const all: AnyEvent[] = []
  let check = newCheck(settings)
  let now = BEGIN
  for (const event of events) {
    let left = event.after
    const next = nextDeadlineAt(check)
    if (next !== null && next <= now + left) {
      const look: AnyEvent = { after: next - now, action: 'look', rid: null, durationMs: null }
      left -= look.after
      all.push(look)
    }
    all.push({ ...event, after: left })
    now += event.after
    ;({ check } = play(settings, all))
  }
  return all
}

/** The same events, with looks in between. */
function cutUp(events: readonly AnyEvent[], cuts: readonly number[]): AnyEvent[] {
  return events.flatMap((event, place) => {
    const share = (cuts[place] ?? 100) / 100
    const first = Math.floor(event.after * share)
    const look: AnyEvent = { after: first, action: 'look', rid: null, durationMs: null }
    return [look, { ...event, after: event.after - first }]
  })
}

/** The same events, none of them in the same millisecond: the log names a run by its start. */
function distinct(events: readonly AnyEvent[]): AnyEvent[] {
  return events.map(event => ({ ...event, after: event.after + 1 }))
}
