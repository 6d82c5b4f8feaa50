import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flip, FlipReason } from '../../../../src/core/checks/flip.js'
import { type RunEvent, runsOf, usualDuration } from '../../../../src/core/checks/history/run-strip.js'
import type { Action } from '../../../../src/core/pings/ping-event.js'

/** `start@0 success@5`: pings in minutes, with the exit status after a colon, and what the client measured after ~. */
function log(text: string): RunEvent[] {
  return text.split(' ').map((word, index) => {
    const [event, measured] = word.split('~')
    const [action, minute, exitStatus] = event!.split(/[@:]/)
    return {
      n: index + 1,
      at: Number(minute) * 60_000,
      action: action as Action,
      rid: null,
      exitStatus: exitStatus === undefined ? null : Number(exitStatus),
      durationMs: measured === undefined ? null : Number(measured) * 60_000,
    }
  })
}

const fall = (minute: number, reason: FlipReason): Flip => ({
  createdAt: minute * 60_000,
  oldStatus: 'up',
  newStatus: 'down',
  reason,
})

const strips: [string, string, Flip[], number | null, string][] = [
  ['runs with and without a known start', 'start@0 success@5 success@60', [], null, 'success:5 success:?'],
  ['what the client measured wins', 'success@1~3 start@5 fail@9~2', [], null, 'success:3 fail:2'],
  ['failures', 'start@0 fail@2:3', [fall(2, 'failed')], null, 'fail:2'],
  ['logs and ignored pings are no runs', 'log@0 ign@1 success@2', [], null, 'success:?'],
  [
    'a run that was missed is a gap',
    'success@0 success@90',
    [fall(65, 'missed')],
    null,
    'success:? missed:? success:?',
  ],
  [
    'a run that did not end',
    'success@0 start@10 success@90',
    [fall(70, 'overrun')],
    null,
    'success:? overrun:? success:80',
  ],
  ['a run that is going on stands last', 'success@0 start@10', [], 10, 'success:? running:?'],
  ['what was missed before the log is not shown', 'success@50', [fall(40, 'missed')], null, 'success:?'],
]

for (const [name, pings, flips, since, expected] of strips) {
  test(`the strip of runs: ${name}`, () => {
    const runs = runsOf(log(pings), flips, since === null ? null : since * 60_000, 30)
    const found = runs.map(run => `${run.outcome}:${run.durationMs === null ? '?' : run.durationMs / 60_000}`)
    assert.equal(found.join(' '), expected)
  })
}

test('the strip shows the newest runs', () => {
  const runs = runsOf(log('success@1 success@2 success@3'), [], 240_000, 2)
  assert.deepEqual(
    runs.map(run => run.at / 60_000),
    [3, 4],
  )
})

test('the usual duration has the median, the 95th percentile and the number of runs', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  assert.deepEqual(usualDuration(hundred), { medianMs: 50, p95Ms: 95, runs: 100 })
  assert.deepEqual(usualDuration([7]), { medianMs: 7, p95Ms: 7, runs: 1 })
  assert.equal(usualDuration([]), null)
})
