/** The clock of the machine is set an hour ahead while the program runs, and back again. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { BEAT_INTERVAL_MS } from '../../src/core/instance/beats.js'
import { auditSilence } from './frame/audit.js'
import type { Fault } from './frame/bench.js'
import type { Trial } from './frame/trial.js'

const HOUR_MS = 3_600_000

export const clockStepped: Fault = {
  name: 'clock an hour ahead, and back',
  engines: ['sqlite', 'postgres'],
  inShort: ['sqlite'],
  run: async bench => await stepAheadAndBack(await bench.open()),
}

/** Sets the clock of the trial's program an hour ahead and back again, both under load. Returns the trial. */
export async function stepAheadAndBack(trial: Trial): Promise<Trial> {
  await stepAhead(trial)
  await trial.proveAlive()
  await trial.settled()
  // The hour that was skipped counts as an outage until the clock is set back.
  await auditSilence(trial)
  await stepBack(trial)
  return trial
}

async function stepAhead(trial: Trial): Promise<void> {
  // Its ping is due in the skipped hour.
  const skipped = await trial.fallSilent(HOUR_MS / 2)
  trial.missed.push(skipped)
  const load = trial.startLoad()
  await load.acknowledged(100)
  trial.program.setClock(HOUR_MS)
  trial.clockStepMs = HOUR_MS
  // Beats are seconds apart. The next one records the outage, and the hold begins.
  await sleep(BEAT_INTERVAL_MS + 500)
  await load.acknowledged(100)
  await load.settle()
  await trial.waitForMessage(skipped, 'down')
}

async function stepBack(trial: Trial): Promise<void> {
  trial.receiver.hang('hook')
  const load = trial.startLoad()
  await load.acknowledged(100)
  // Created while the clock is ahead: a message to be retried, and a check that was pinged and then falls silent.
  const failed = await trial.newCheck('failed while ahead')
  assert.equal(await trial.ping(failed, '/fail'), 200)
  const silent = await trial.fallSilent(2_000)
  await trial.eventually('a request that hangs', () => (trial.receiver.hanging() > 0 ? true : null))
  trial.program.setClock(0)
  await sleep(BEAT_INTERVAL_MS + 500)
  trial.receiver.answerAgain()
  await load.acknowledged(100)
  await load.settle()
  const from = Date.now()
  await trial.waitForMessage(failed, 'down')
  await trial.waitForMessage(silent, 'down')
  trial.figures['alerts made while ahead arrive after, s'] = ((Date.now() - from) / 1000).toFixed(1)
}
