/**
 * Runs, tolerance and early pings with a real clock: when the program alerts, and when it does not. Takes four
 * minutes.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './frame/bench.js'
import { Timeline } from './frame/timeline.js'
import type { Trial } from './frame/trial.js'

const MINUTE_MS = 60_000

export const runTimes: Fault = {
  name: 'runs by a real clock',
  engines: ['sqlite', 'postgres'],
  // This cannot be made faster.
  inShort: [],

  async run(bench) {
    const trial = await bench.open()
    await Promise.all([
      notStarted(trial),
      tooLong(trial),
      threeFailures(trial),
      earlyPing(trial),
      hungRun(trial),
    ])
    return trial
  },
}

/** Due each minute and to be started within 60 s: no start arrives. */
async function notStarted(trial: Trial): Promise<void> {
  const line = await Timeline.open(trial, 'not started', { start_within: 60, max_duration: 120 })
  await line.ping('')
  await line.alertComes('missed', 60 + 60, line.begin)
  await line.ping('')
  await line.waitForMessage('up')
}

/** A run that starts in time may take 120 s, longer than the period and the start time; the next run takes longer. */
async function tooLong(trial: Trial): Promise<void> {
  const line = await Timeline.open(trial, 'limit', { start_within: 60, max_duration: 120 })
  await line.ping('')
  await sleep(50_000)
  await line.ping('/start')
  await sleep(100_000)
  await line.ping('')
  assert.equal(await line.status(), 'up')
  assert.deepEqual(trial.arrivals(line.check, 'down'), [], 'a run of 100 s is within its limit')
  const started = trial.program.now()
  await line.ping('/start')
  await line.alertComes('overrun', 120, started)
  await line.ping('')
  await line.waitForMessage('up')
}

async function threeFailures(trial: Trial): Promise<void> {
  const line = await Timeline.open(trial, 'three failures', { failures_to_alert: 3 })
  for (const count of [1, 2]) {
    await line.ping('/fail')
    assert.deepEqual([await line.status(), (await line.shown()).failing.count], ['up', count])
    await sleep(15_000)
    assert.deepEqual(trial.arrivals(line.check, 'down'), [], `failure ${count} of 3 sends no alert`)
  }
  const failed = trial.program.now()
  await line.ping('/fail')
  await line.alertComes('failed', 0, failed)
  await line.ping('')
  await line.waitForMessage('up')
}

/**
 * Of two checks that are due each minute and pinged two seconds before, only the one without `early` is late then.
 */
async function earlyPing(trial: Trial): Promise<void> {
  const schedule = '* * * * *'
  const early = await Timeline.open(trial, 'early', { schedule, early: 5 })
  const strict = await Timeline.open(trial, 'not early', { schedule, early: 0 })
  const now = trial.program.now()
  // Far enough away for both to be pinged before the minute begins.
  const minute = Math.ceil((now + 10_000) / MINUTE_MS) * MINUTE_MS
  await sleep(minute - MINUTE_MS + 5_000 - now)
  for (const line of [early, strict]) await line.ping('')
  await sleep(minute - 2_000 - trial.program.now())
  for (const line of [early, strict]) await line.ping('')
  assert.ok(trial.program.now() < minute, 'both were pinged in time')
  await sleep(minute + 2_000 - trial.program.now())
  assert.deepEqual([await early.status(), await strict.status()], ['up', 'grace'])
  await strict.alertComes('missed', 60, minute)
  await early.alertComes('missed', 120, minute)
}

/** A hangs; B and C start and succeed after it. */
async function hungRun(trial: Trial): Promise<void> {
  const line = await Timeline.open(trial, 'hung run', { track_runs: 'each', max_duration: 60, period: 3_600 })
  const [a, b, c] = await Promise.all(['A', 'B', 'C'].map(name => line.run(name)))
  const started = trial.program.now()
  await a!.starts()
  for (const healthy of [b!, c!]) {
    await sleep(10_000)
    await healthy.starts()
    await sleep(5_000)
    await healthy.succeeds()
    assert.equal(await line.status(), 'up')
  }
  await line.alertComes('overrun', 60, started)
  assert.deepEqual(await line.outcomes(), { A: 'overrun', B: 'success', C: 'success' })
  await a!.succeeds()
  await line.waitForMessage('up')
  assert.deepEqual(await line.outcomes(), { A: 'overrun', B: 'success', C: 'success' })
}
