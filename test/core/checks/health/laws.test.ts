/** What holds for every history, whatever the settings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { State } from '../../../../src/core/checks/check.js'
import { applyTrackedPing } from '../../../../src/core/checks/health/apply-tracked-ping.js'
import { includesCause } from '../../../../src/core/checks/health/cause.js'
import { isPlain, startTimeMs } from '../../../../src/core/checks/health/rules.js'
import { openRuns } from '../../../../src/core/checks/health/runs.js'
import { nextDeadlineAt } from '../../../../src/core/checks/health/settle.js'
import { runLimitMs } from '../../../../src/core/checks/status.js'
import { runsIn } from '../../../../src/core/pings/run-ledger.js'
import { type AnyEvent, anyEvents, anySettings, BEGIN, plainSettings, play } from './any-history.js'
import { newCheck } from './replay.js'

const RUNS = { numRuns: 3_000 }

test('with the defaults, both code paths give the same states and flips', () => {
  fc.assert(
    fc.property(plainSettings, anyEvents([null]), (settings, events) => {
      const prompt = withLooks(settings, events)
      const tracked: State[] = []
      let check = newCheck(settings)
      let now = BEGIN
      let flips = 0
      for (const { after, action, rid, durationMs } of prompt) {
        now += after
        if (action === 'look' || action === 'log') continue
        const event = { action, rid, at: now, durationMs }
        const effect = applyTrackedPing(check, check, event, null)
        flips += effect.flips.length
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
      const last = now
      const before = told.flips.filter(({ createdAt }) => createdAt <= last)
      assert.ok(flips <= before.length)
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
      const { flips, passed, pings } = play(settings, events)
      const failures = [
        ...pings.flatMap(({ at, cause }) => (cause ? [{ at, cause }] : [])),
        ...passed.map(({ at, cause }) => ({ at, cause })),
      ]
      let upSince = 0
      for (const { newStatus, reason, createdAt } of flips) {
        if (newStatus === 'up') upSince = createdAt
        if (newStatus !== 'down' || reason === '' || !includesCause(settings.tolerated, reason)) continue
        const counted = failures.filter(one => one.at >= upSince && one.at <= createdAt)
        assert.ok(counted.length >= settings.failuresToAlert, `${counted.length} at ${createdAt}`)
      }
    }),
    RUNS,
  )
})

test('every run has exactly one outcome', () => {
  fc.assert(
    fc.property(anySettings, anyEvents(), (settings, events) => {
      fc.pre(!isPlain(newCheck(settings), settings))
      const { check, passed, pings } = play(settings, distinct(events))
      const open = check.status === 'down' && settings.trackRuns === 'latest' ? [] : openRuns(check, check)
      const runs = runsIn({ pings, passed, open, trackRuns: settings.trackRuns })
      const counted = pings.filter(({ action }) => action !== 'log' && action !== 'ign')
      assert.deepEqual(
        runs.flatMap(run => run.pings).sort((a, b) => a - b),
        counted.map(({ n }) => n),
      )
      const overruns = passed.filter(({ cause }) => cause === 'overrun').length
      assert.equal(runs.filter(({ outcome }) => outcome === 'overrun').length, overruns)
      assert.equal(runs.filter(({ outcome }) => outcome === 'open').length, open.length)
    }),
    RUNS,
  )
})

test('no deadline is earlier than computed', () => {
  fc.assert(
    fc.property(anySettings, anyEvents(), (settings, events) => {
      const check = newCheck(settings)
      let promised: number | null = null
      let known = 0
      play(settings, events, ({ check: after, passed }, { action }, now) => {
        for (const { at, cause, since } of passed.slice(known)) {
          assert.equal(at, since + (cause === 'missed' ? startTimeMs(check) : runLimitMs(check)))
          assert.ok(at <= now)
        }
        // What passes first is what was promised.
        if (passed.length > known && promised !== null) assert.equal(passed[known]!.at, promised)
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
