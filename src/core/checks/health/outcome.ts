/** The check after a success or a failure, from a ping or from a deadline. */
import type { Rules, State } from '../check.js'
import type { Flip } from '../flip.js'
import type { Cause } from './cause.js'
import { type Facts, tracked } from './runs.js'
import {
  countedFailures,
  EMPTY_TALLY,
  isOnlyCounted,
  isTolerated,
  withFailure,
  withSuccess,
} from './tally.js'
import { NO_TRACKING } from './tracking.js'

export interface Step {
  facts: Facts
  flip: Flip | null
}

/**
 * The check after a success at `at` (ms). `isRepeated`: its occurrence already counted as a failure, so it ends
 * failures in a row but is not another result in a window.
 */
export function succeed(before: Facts, at: number, rules: Rules, isRepeated: boolean): Step {
  const tracking = before.tracking ?? NO_TRACKING
  if (before.status !== 'down') {
    const isNoResult = isRepeated && rules.failureWindow !== null
    return moveTo(isNoResult ? before : tracked(before, withSuccess(tracking, rules)), 'up', at)
  }
  const successes = tracking.successes + 1
  if (successes < rules.successesToRecover) return { facts: tracked(before, { successes }), flip: null }
  return moveTo(tracked(before, { ...EMPTY_TALLY, successes: 0 }), 'up', at)
}

/**
 * The check after a failure at `at` (ms). `isRepeated`: its occurrence was already counted, and is not counted again.
 */
export function fail(before: Facts, cause: Cause, at: number, rules: Rules, isRepeated: boolean): Step {
  const tracking = before.tracking ?? NO_TRACKING
  if (before.status === 'down') return { facts: tracked(before, { successes: 0 }), flip: null }
  if (isRepeated && isTolerated(cause, rules)) return moveTo(before, 'up', at)
  if (isOnlyCounted(tracking, cause, at, rules)) {
    return moveTo(tracked(before, withFailure(tracking, at, rules)), 'up', at)
  }
  const [first] = countedFailures(tracking, rules)
  const createdAt = Math.max(at, before.lastPing ?? 0)
  const since = first && first.at < createdAt ? first.at : undefined
  return moveTo(
    tracked(before, { ...EMPTY_TALLY, missed: null, successes: 0 }),
    'down',
    createdAt,
    cause,
    since,
  )
}

function moveTo(
  before: Facts,
  status: State['status'],
  at: number,
  reason: Flip['reason'] = '',
  since?: number,
): Step {
  if (before.status === status) return { facts: before, flip: null }
  const flip: Flip = { createdAt: at, oldStatus: before.status, newStatus: status, reason }
  if (since !== undefined) flip.since = since
  return { facts: { ...before, status, statusSince: at }, flip }
}
