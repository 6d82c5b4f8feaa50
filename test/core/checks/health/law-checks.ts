/** The laws as checks of what has happened, in memory or read from a store. */
import assert from 'node:assert/strict'
import type { Settings } from '../../../../src/core/checks/check-fields.js'
import type { Flip } from '../../../../src/core/checks/flip.js'
import { includesCause } from '../../../../src/core/checks/health/cause.js'
import type { PassedDeadline } from '../../../../src/core/checks/health/judge.js'
import { startTimeMs } from '../../../../src/core/checks/health/rules.js'
import { runLimitMs } from '../../../../src/core/checks/status.js'
import type { LedgerRun, LoggedEvent } from '../../../../src/core/pings/run-ledger.js'

export interface Happened {
  flips: readonly Flip[]
  passed: readonly PassedDeadline[]
  pings: readonly LoggedEvent[]
}

/**
 * Before a tolerated failure takes the check down there are N that count, since it came up last and, where they have to be in
 * a row, since the last success.
 */
export function toleranceHolds(settings: Settings, { flips, passed, pings }: Happened): void {
  const failures = [
    ...pings.flatMap(({ at, cause }) => (cause ? [{ at, cause }] : [])),
    ...passed.map(({ at, cause }) => ({ at, cause })),
  ].filter(({ cause }) => includesCause(settings.tolerated, cause))
  let upSince = 0
  for (const { newStatus, reason, createdAt } of flips) {
    if (newStatus === 'up') upSince = createdAt
    if (newStatus !== 'down' || reason === '' || !includesCause(settings.tolerated, reason)) continue
    const successes = pings.filter(({ at, action }) => action === 'success' && at < createdAt)
    const succeededAt = settings.failureWindow === null ? (successes.at(-1)?.at ?? 0) : 0
    const counted = failures.filter(({ at }) => at >= upSince && at > succeededAt && at <= createdAt)
    assert.ok(counted.length >= settings.failuresToAlert, `${counted.length} at ${createdAt}`)
  }
}

/** Each ping belongs to one run; as many runs are overruns, or open, as passed their deadline, or are `open`. */
export function runsEndOnce(runs: readonly LedgerRun[], { passed, pings }: Happened, open: number): void {
  const counted = pings.filter(({ action }) => action !== 'log' && action !== 'ign')
  assert.deepEqual(
    runs.flatMap(run => run.pings).sort((a, b) => a - b),
    counted.map(({ n }) => n),
  )
  const overruns = passed.filter(({ cause }) => cause === 'overrun').length
  const count = (outcome: LedgerRun['outcome']) => runs.filter(run => run.outcome === outcome).length
  assert.deepEqual([count('overrun'), count('open')], [overruns, open])
  const unfinished = runs.filter(run => run.endedAt === null).map(({ outcome }) => outcome)
  assert.ok(unfinished.every(outcome => ['overrun', 'open', 'superseded'].includes(outcome)))
}

/** Deadlines that have passed by `now` are as long after their beginning as is set; the first is the one that was promised. */
export function promiseIsKept(
  settings: Settings,
  passed: readonly PassedDeadline[],
  promised: number | null,
  now: number,
): void {
  for (const { at, cause, since } of passed) {
    assert.equal(at, since + (cause === 'missed' ? startTimeMs(settings) : runLimitMs(settings)))
    assert.ok(at <= now)
  }
  if (passed.length > 0 && promised !== null) assert.equal(passed[0]!.at, promised)
}
