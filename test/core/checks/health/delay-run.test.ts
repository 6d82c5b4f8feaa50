/** Runs whose jobs waited for our answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pinged, State } from '../../../../src/core/checks/check.js'
import { checkState } from '../../../../src/core/checks/check-state.js'
import { delayRun } from '../../../../src/core/checks/health/delay-run.js'
import { stateAfterDeadlines } from '../../../../src/core/checks/health/judge.js'
import { applyPing } from '../../../../src/core/pings/ping.js'
import type { Action } from '../../../../src/core/pings/ping-event.js'
import type { HistorySettings } from './histories/history.js'
import { newCheck, settingsOf } from './replay.js'

const START = 1_000_000_000
const WAIT_MS = 7_000

// name, settings, and how long a run may take (ms)
const KINDS: [string, HistorySettings, number][] = [
  ['with the defaults', { grace: 60 }, 60_000],
  ['with a limit', { max_duration: 5 }, 5_000],
  ['with a limit, on a schedule', { max_duration: 5, schedule: '0 0 * * *' }, 5_000],
  ['of a check that tracks each run', { max_duration: 5, track_runs: 'each' }, 5_000],
  [
    'of a check that tolerates failures',
    { max_duration: 5, failures_to_alert: 2, tolerated: 'overrun' },
    5_000,
  ],
]

for (const [name, settings, limitMs] of KINDS)
  for (const isNew of [false, true])
    test(`a run ${name} counts from our answer${isNew ? ', the first one too' : ''}`, () => {
      const before = isNew ? check(settings) : after(check(settings), 'success', START - 10_000)
      const waiting = delayed(after(before, 'start', START))
      const limitAt = START + WAIT_MS + limitMs
      assert.equal(waiting.lastStart, START)
      assert.equal(waiting.alertAfter ?? waiting.tracking!.countAt, limitAt)
      assert.equal(checkState(waiting, null, limitAt - 1, null).running!.limitAt, limitAt)
      assert.equal(judged(waiting, limitAt - 1).status, before.status)
      const late = judged(waiting, limitAt)
      assert.equal(late.status, settings.failures_to_alert ? 'up' : 'down')
      // Durations are those of the log.
      const done = after(waiting, 'success', limitAt - 1)
      assert.deepEqual([done.status, done.lastDurationMs], ['up', WAIT_MS + limitMs - 1])
      assert.equal(done.tracking?.runs.length ?? 0, 0)
    })

test('the time that the end of a run is due is later too if the run has no limit of its own', () => {
  const settings = { timeout: 60, grace: 60 }
  const before = after(check(settings), 'success', START - 90_000)
  const started = after(before, 'start', START)
  assert.equal(started.alertAfter, START + 30_000)
  const waiting = delayed(started)
  assert.equal(waiting.alertAfter, START + 37_000)
  const again = after(waiting, 'success', START + 36_999)
  assert.deepEqual([again.status, again.tracking], ['up', null])
})

test('of a check that is down, a run that waited ends as an overrun later', () => {
  const down = after(check({ max_duration: 5, successes_to_recover: 2 }), 'fail', START - 1_000)
  const waiting = delayed(after(down, 'start', START))
  const passedAt = (at: number) =>
    applyPing(waiting, waiting, { action: 'start', rid: null, arrivedAt: at, durationMs: null }, null).passed
  assert.deepEqual(passedAt(START + 11_999), [])
  assert.deepEqual(passedAt(START + 12_000), [
    { at: START + 12_000, cause: 'overrun', since: START, rid: null },
  ])
})

test('waits of a run that overlap count once, and others add up', () => {
  const started = after(check({ max_duration: 5 }), 'start', START)
  const wait = (from: number, to: number) => ({ rid: null, from: START + from, to: START + to })
  const waits = [wait(0, 4_000), wait(1_000, 6_000), wait(2_000, 3_000), wait(8_000, 9_000)]
  let state: State = started
  for (const one of waits) state = delayRun(state, started, one)
  assert.equal(state.alertAfter, START + 5_000 + 6_000 + 1_000)
})

test('a wait changes nothing without a run of its run ID, or of one whose limit has passed', () => {
  const started = after(check({ max_duration: 5 }), 'start', START)
  const wait = { rid: null, from: START, to: START + WAIT_MS }
  const other = { ...wait, rid: '00000000-0000-4000-8000-000000000001' }
  const ended = after(started, 'success', START + 1)
  const over = judged(started, START + 5_000)
  assert.equal(over.status, 'down')
  assert.equal(delayRun(started, started, other), started)
  for (const one of [check({}), ended, over]) assert.equal(delayRun(one, one, wait), one)
})

function check(settings: HistorySettings): Pinged {
  return newCheck(settingsOf(settings))
}

function after(before: Pinged, action: Action, arrivedAt: number): Pinged {
  const { state } = applyPing(before, before, { action, rid: null, arrivedAt, durationMs: null }, null)
  return { ...before, ...state }
}

function delayed(started: Pinged): Pinged {
  return { ...started, ...delayRun(started, started, { rid: null, from: START, to: START + WAIT_MS }) }
}

function judged(before: Pinged, now: number): Pinged {
  return { ...before, ...stateAfterDeadlines(before, now, null).state }
}
