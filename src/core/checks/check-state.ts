/** The state of a check for people: since when, why, and what comes next. */

import type { Hold } from '../instance/outage.js'
import type { Limits, State, Status, Timing } from './check.js'
import type { Flip, FlipReason } from './flip.js'
import { startTimeMs } from './health/rules.js'
import { isRunningLong } from './running-long.js'
import { isRunning, runLimitMs, statusAt } from './status.js'

export interface CheckState {
  status: Status
  /** The run under way: since when, until when it may take, and whether it takes unusually long. */
  running: { since: number; limitAt: number; long: boolean } | null
  /** When the status began, by the rules rather than by when the watcher noticed. */
  since: number
  /** Up and late: when the next success is due; null if the schedule has ended. */
  expectedAt: number | null
  /** Up and late: when the check goes down if no ping arrives. */
  downAt: number | null
  /** Down: the reason, and the deadlines that passed. */
  reason: FlipReason
  missed: { expectedAt: number; graceEndedAt: number } | null
}

type Watched = Omit<State, 'nPings' | 'lastStartRid'> & Limits & Pick<Timing, 'startWithinSeconds'>

/** Since when a check has been down: `downAt` of its incident, which may be older. A deadline that the watcher has not noticed counts from when it passed. */
export function downSince(check: Pick<Watched, 'status' | 'statusSince' | 'alertAfter'>): number {
  return check.status === 'down' ? check.statusSince : (check.alertAfter ?? check.statusSince)
}

/**
 * The state of a check at `now`. `lastFlip`: its newest flip, or null if unknown. A check whose deadline has passed
 * is down from that deadline on, even before the watcher has stored it.
 */
export function checkState(
  check: Watched,
  lastFlip: Pick<Flip, 'newStatus' | 'reason' | 'createdAt'> | null,
  now: number,
  hold: Hold | null,
): CheckState {
  const status = statusAt(check, now, hold)
  const waitedMs = check.tracking?.runs.find(run => run.at === check.lastStart)?.waited?.ms ?? 0
  const limitAt = check.lastStart === null ? null : check.lastStart + runLimitMs(check) + waitedMs
  const running = isRunning(check, now, hold, waitedMs)
    ? { since: check.lastStart!, limitAt: limitAt!, long: isRunningLong(check, now) }
    : null
  const state: CheckState = {
    status,
    running,
    since: check.statusSince,
    expectedAt: status === 'up' || status === 'grace' ? check.dueAt : null,
    downAt: status === 'down' || check.status === 'down' ? null : check.alertAfter,
    reason: '',
    missed: null,
  }
  if (status === 'grace') state.since = check.dueAt!
  if (status !== 'down') return state
  const flip = lastFlip?.newStatus === 'down' ? lastFlip : null
  const unnoticed = check.status !== 'down'
  state.since = downSince(check)
  const overran = limitAt !== null && limitAt <= state.since
  state.reason = unnoticed ? (overran ? 'overrun' : 'missed') : (flip?.reason ?? '')
  if (state.reason === 'missed')
    state.missed = { expectedAt: state.since - startTimeMs(check), graceEndedAt: state.since }
  return state
}
