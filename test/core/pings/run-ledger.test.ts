/** The runs of a check, read from its log: docs/runs.md. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LoggedEvent, type RunLog, runsIn } from '../../../src/core/pings/run-ledger.js'

const MINUTE = 60_000

/** `start a@0`: a start with run ID a at minute 0; `success@5`; `fail@5:3` with exit status 3; `success@5 12s`. */
function logOf(text: string): LoggedEvent[] {
  return text.split(', ').map((part, place) => {
    const [, action, rid, at, exit, seconds] = /^(\w+)(?: (\w))?@([\d.]+)(?::(\d+))?(?: (\d+)s)?$/.exec(part)!
    return {
      n: place + 1,
      at: Number(at) * MINUTE,
      action: action as LoggedEvent['action'],
      rid: rid ?? null,
      exitStatus: exit === undefined ? null : Number(exit),
      durationMs: seconds === undefined ? null : Number(seconds) * 1000,
      cause: action === 'fail' ? 'failed' : null,
    }
  })
}

function told(pings: string, rest: Partial<RunLog> = {}): string[] {
  return runsIn({ pings: logOf(pings), passed: [], open: [], trackRuns: 'each', ...rest }).map(run => {
    const duration = run.durationMs === null ? '?' : `${run.durationMs / MINUTE}`
    return `${run.rid ?? '-'} ${run.outcome} ${duration} pings ${run.pings}`
  })
}

const overrun = (rid: string | null, minute: number) => ({
  at: (minute + 60) * MINUTE,
  cause: 'overrun' as const,
  since: minute * MINUTE,
  rid,
})

const tables: [string, string, Partial<RunLog>, string[]][] = [
  ['a start and its end', 'start@0, success@5', {}, ['- success 5 pings 1,2']],
  ['an end without a start', 'success@5', {}, ['- success ? pings 1']],
  ['the duration that the client measured', 'start@0, success@5 30s', {}, ['- success 0.5 pings 1,2']],
  ['a failure', 'start a@0, fail a@2:3', {}, ['a failed 2 pings 1,2']],
  [
    'overlapping runs',
    'start a@0, start b@1, success b@2, success a@9',
    {},
    ['a success 9 pings 1,4', 'b success 1 pings 2,3'],
  ],
  ['logs and ignored pings', 'log@0, ign@1, success@2', {}, ['- success ? pings 3']],
  [
    'a run that was replaced',
    'start@0, start@1, success@2',
    {},
    ['- superseded ? pings 1', '- success 1 pings 2,3'],
  ],
  [
    'a run that took too long and ended',
    'start a@0, success a@90',
    { passed: [overrun('a', 0)] },
    ['a overrun 90 pings 1,2'],
  ],
  [
    'a run that took too long and did not end',
    'start a@0',
    { passed: [overrun('a', 0)] },
    ['a overrun ? pings 1'],
  ],
  ['a run that is open', 'start a@0', { open: [{ rid: 'a', at: 0 }] }, ['a open ? pings 1']],
  ['a start after the end of its run', 'success a@0, start a@1', {}, ['a success ? pings 1,2']],
  [
    'a start more than a minute after it',
    'success a@0, start a@1.1',
    {},
    ['a success ? pings 1', 'a superseded ? pings 2'],
  ],
  [
    'a start sent twice, after the end',
    'start a@0, success a@1, start a@1.5',
    {},
    ['a success 1 pings 1,2,3'],
  ],
  [
    'the same with `latest`: another run',
    'success a@0, start a@1',
    { trackRuns: 'latest' },
    ['a success ? pings 1', 'a superseded ? pings 2'],
  ],
]

for (const [name, pings, rest, expected] of tables) {
  test(`the ledger has ${name}`, () => assert.deepEqual(told(pings, rest), expected))
}
