import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  afterRequest,
  type CanaryRecord,
  type CanaryResult,
  judgeCanary,
  NEW_RUN,
  NO_CANARY,
} from '../../../src/core/instance/canary.js'
import { holdAt, type Outage } from '../../../src/core/instance/outage.js'

const S = 1_000
const M = 60 * S
const T = 1_800_000_000_000
const MAX_HOLD = 10 * M

/**
 * What comes of a request a minute, from T on: each a character, `+` for a success, `-` for a failure, `p` for a failure that
 * a ping arrived just before, `R` for the start of a new process that fails. `record` is what was known before.
 */
function watched(requests: string, record: CanaryRecord = NO_CANARY, maxHoldMs = MAX_HOLD) {
  let run = NEW_RUN
  let lastPing: number | null = null
  let known = record
  const results: CanaryResult[] = []
  for (const [minute, what] of [...requests].entries()) {
    const now = T + minute * M
    if (what === 'R') run = NEW_RUN
    if (what === 'p') lastPing = now - S
    run = afterRequest(run, now, what === '+')
    const result = judgeCanary(known, run, lastPing, now, maxHoldMs)
    results.push(result)
    known = result.record
  }
  return results
}

/** A letter for each request: `!` unreachable from then on, `.` reachable from then on, `o` the outage grows. */
const signs = (results: readonly CanaryResult[]) =>
  results
    .map(({ change, outage }) => (change === 'unreachable' ? '!' : change ? '.' : outage ? 'o' : ' '))
    .join('')

const CASES: [title: string, requests: string, expected: string][] = [
  ['successes change nothing', '+++++', '     '],
  ['two failures in a row change nothing', '+--+--+', '       '],
  ['the third failure in a row begins an outage, a success ends it', '+---+', '   !.'],
  ['an outage grows with each further failure', '+-----+', '   !oo.'],
  ['a canary that never succeeded begins none', '-----', '     '],
  ['a ping ends it', '+---p', '   !.'],
  ['a ping between the failures begins the count anew', '+--p---', '       '],
  ['after the end by a ping nothing begins before the canary succeeds', '+---p----', '   !.    '],
  ['a second outage follows a success', '+---+---+', '   !.  !.'],
  ['a new process goes on with what it finds', '+---R-+', '   !oo.'],
  ['a new process that never succeeded begins none', '+--R---', '       '],
]
for (const [title, requests, expected] of CASES) {
  test(`${title}: ${requests}`, () => assert.equal(signs(watched(requests)), expected))
}

const last = (requests: string, maxHoldMs?: number) =>
  watched(requests, NO_CANARY, maxHoldMs).at(-1)!.outage as Outage

test('an outage lasts from the last success or ping until now, then until the success', () => {
  assert.deepEqual([last('+---').startedAt, last('+---').endedAt, last('+---').partial], [T, T + 3 * M, true])
  assert.deepEqual([last('+---+').startedAt, last('+---+').endedAt], [T, T + 4 * M])
})

test('an outage ends when the ping arrived', () => {
  assert.equal(last('+---p').endedAt, T + 4 * M - S)
})

test('while it lasts, deadlines are held until after the next request', () => {
  for (const failures of [3, 4, 5, 6, 7, 8, 9]) {
    const outage = last(`+${'-'.repeat(failures)}`)
    const hold = holdAt([outage], outage.endedAt + M, MAX_HOLD)
    assert.ok(hold && hold.from <= outage.endedAt, `after ${failures} failures`)
  }
})

test('nothing is held longer than the limit after it was found', () => {
  for (const requests of [`+${'-'.repeat(60)}`, `+${'-'.repeat(60)}+`, `+${'-'.repeat(9)}+`]) {
    const outage = last(requests)
    assert.equal(holdAt([outage], Math.max(outage.endedAt, T + 3 * M + MAX_HOLD), MAX_HOLD), null)
    assert.ok(outage.holdUntil >= outage.endedAt)
  }
  assert.equal(holdAt([last('+---', 0)], T + 3 * M, 0), null)
})

test('an outage found before a standstill ends at the standstill', () => {
  const known = watched('+---').at(-1)!.record
  const later = (succeeded: boolean, lastPing: number | null = null) =>
    judgeCanary(known, afterRequest(NEW_RUN, T + 600 * M, succeeded), lastPing, T + 600 * M, MAX_HOLD)
  assert.deepEqual([later(false).outage, later(false).change], [null, null])
  assert.deepEqual([later(true).outage!.endedAt, later(true).change], [T + 3 * M, 'reachable'])
  assert.deepEqual(later(false, T + 599 * M).change, 'reachable')
})

test('another process that reaches the endpoint shows that pings can', () => {
  const run = [1, 2, 3].reduce((run, n) => afterRequest(run, T + n * M, false), {
    ...NEW_RUN,
    hasSucceeded: true,
  })
  const known = { reachedAt: T + 2 * M, unreachable: null }
  assert.equal(judgeCanary(known, run, null, T + 3 * M, MAX_HOLD).change, null)
})

test('setting the clock back starts no outage', () => {
  const run = [1, 2, 3].reduce((run, n) => afterRequest(run, T + n * M, false), {
    ...NEW_RUN,
    hasSucceeded: true,
  })
  assert.equal(
    judgeCanary({ reachedAt: T + 60 * M, unreachable: null }, run, null, T + 3 * M, MAX_HOLD).change,
    null,
  )
})

test('a ping from before the clock was set back does not show that pings arrive', () => {
  const failing = { hasSucceeded: true, failures: 3, failingSince: T + M }
  const judged = (lastPing: number) =>
    judgeCanary({ reachedAt: T, unreachable: null }, failing, lastPing, T + 3 * M, MAX_HOLD).change
  assert.deepEqual([T + 2 * M, T + 60 * M].map(judged), [null, 'unreachable'])
})
