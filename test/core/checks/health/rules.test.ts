/** Rules that no history shows. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseCauses } from '../../../../src/core/checks/health/cause.js'
import { isSuccess, parseExitCodes } from '../../../../src/core/checks/health/exit-codes.js'
import { holdWhileUnheard } from '../../../../src/core/checks/health/judge.js'
import { isHeld } from '../../../../src/core/instance/outage.js'
import { applyPing } from '../../../../src/core/pings/ping.js'
import { newCheck, settingsOf } from './replay.js'

const T = Date.UTC(2026, 2, 2, 9)
const DAY = 86_400_000

describe('lists of exit statuses', () => {
  const lists: [string, number[], number[]][] = [
    ['0', [0], [1, 255]],
    ['0,3', [0, 3], [1, 2]],
    ['3', [3], [0]],
    ['0, 100-110', [0, 100, 105, 110], [99, 111]],
  ]
  for (const [list, successes, failures] of lists) {
    test(`${list} names ${successes}, not ${failures}`, () => {
      assert.ok(successes.every(code => isSuccess(list, code)))
      assert.ok(!failures.some(code => isSuccess(list, code)))
    })
  }
  for (const list of ['', 'a', '0,', '-1', '256', '5-3', '0;1', '0-256']) {
    test(`"${list}" is not a valid list`, () => assert.equal(parseExitCodes(list), null))
  }
})

test('a list of causes has each cause once, in a fixed order', () => {
  assert.deepEqual(parseCauses('missed, failed,missed'), ['failed', 'missed'])
  assert.deepEqual(parseCauses(''), [])
  assert.equal(parseCauses('failed,late'), null)
})

describe('a ping that arrives while other pings are not on disk', () => {
  const heardUntil = T - 5_000
  const hold = holdWhileUnheard(null, heardUntil, T)

  test('does not judge deadlines for which pings may still arrive', () => {
    assert.ok(isHeld(heardUntil + 1, T, hold))
    assert.ok(isHeld(T, T, hold))
  })

  test('judges earlier deadlines', () => assert.ok(!isHeld(heardUntil, T, hold)))

  test('keeps a hold that goes further back', () => {
    const wide = holdWhileUnheard({ from: T - DAY, until: T + 1 }, heardUntil, T)
    assert.ok(isHeld(T - DAY, T, wide))
  })
})

test('at most 100 unfinished runs are remembered; the oldest is dropped', () => {
  const settings = settingsOf({ timeout: 3_600, track_runs: 'each', max_duration: 7_200 })
  let check = newCheck(settings)
  for (let number = 0; number < 130; number++) {
    const ping = { action: 'start' as const, rid: `run ${number}`, arrivedAt: T + number, durationMs: null }
    check = { ...check, ...applyPing(check, check, ping, null).state }
  }
  const runs = check.tracking!.runs
  assert.deepEqual([runs.length, runs[0]!.rid, runs.at(-1)!.rid], [100, 'run 30', 'run 129'])
  assert.equal(check.alertAfter, T + 30 + 7_200_000)
})

test('a check with the defaults ignores the client’s duration', () => {
  const ping = { action: 'success' as const, rid: null, arrivedAt: T, durationMs: 5_000 }
  const plain = newCheck(settingsOf({ timeout: 3_600 }))
  assert.equal(applyPing(plain, plain, ping, null).state.lastDurationMs, null)
  const limited = newCheck(settingsOf({ timeout: 3_600, max_duration: 60 }))
  assert.equal(applyPing(limited, limited, ping, null).state.lastDurationMs, 5_000)
})
