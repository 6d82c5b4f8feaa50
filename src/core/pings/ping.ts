/** The effect of a ping on its check. */
import type { Rules, State } from '../checks/check.js'
import type { Flip } from '../checks/flip.js'
import { applyTrackedPing } from '../checks/health/apply-tracked-ping.js'
import { hasPassedDeadline, type Waived } from '../checks/health/judge.js'
import { isPlain } from '../checks/health/rules.js'
import { deadlinesOf } from '../checks/status.js'
import type { Hold } from '../instance/outage.js'
import type { PingEffect, PingEvent, SignalledPing } from './ping-event.js'

const NONE: readonly never[] = Object.freeze([])

/** Timestamps further in the future than this (ms) come from a clock that has since been set back. */
export const CLOCK_SET_BACK_MS = 60_000

/**
 * The effect of a ping. Its instant is its arrival, but never before the check's last event, so that the log stays in
 * order. `hold` is the hold at that instant; if it is omitted and a deadline has passed that it decides about, the
 * result is null. `waived`: the times in which nothing is expected of it. Throws `ScheduleError` for an invalid expression.
 */
export function applyPing(
  before: State,
  rules: Rules,
  ping: SignalledPing,
  hold: Hold | null,
  waived?: Waived,
): PingEffect
export function applyPing(
  before: State,
  rules: Rules,
  ping: SignalledPing,
  hold?: Hold | null,
  waived?: Waived,
): PingEffect | null
export function applyPing(
  before: State,
  rules: Rules,
  { action: requested, rid, arrivedAt, durationMs }: SignalledPing,
  hold?: Hold | null,
  waived?: Waived,
): PingEffect | null {
  const at = instantOf(before, arrivedAt)
  const action = before.status === 'paused' && rules.manualResume ? 'ign' : requested
  if (action === 'log' || action === 'ign') {
    return { state: afterLoggedPing(before), action, cause: null, flips: NONE, passed: NONE, at }
  }
  if (isPlain(before, rules)) return applyPlain(before, rules, action, rid, at)
  if (hold === undefined && hasPassedDeadline(before, at)) return null
  return applyTrackedPing(before, rules, { action, rid, at, durationMs }, hold ?? null, waived)
}

/** The effect of a counted ping at its own instant, whatever came after it. */
export function applyCounted(
  before: State,
  rules: Rules,
  ping: PingEvent,
  hold: Hold | null,
  waived?: Waived,
): PingEffect {
  const { action, rid, at } = ping
  if (isPlain(before, rules)) return applyPlain(before, rules, action, rid, at)
  return applyTrackedPing(before, rules, ping, hold, waived)
}

/** The effect of a ping on a check without the settings of docs/runs.md. */
function applyPlain(
  before: State,
  rules: Rules,
  action: PingEvent['action'],
  rid: string | null,
  at: number,
): PingEffect {
  const change = action === 'start' ? start(before, at) : finish(before, action, rid, at)
  const isMoved = change.status !== before.status
  const { dueAt, alertAfter } = deadlinesOf(change, rules)
  const state: State = {
    status: change.status,
    statusSince: isMoved ? at : before.statusSince,
    nPings: before.nPings + 1,
    lastPing: change.lastPing,
    lastStart: change.lastStart,
    lastStartRid: action === 'start' ? rid : before.lastStartRid,
    lastDurationMs: change.lastDurationMs,
    dueAt,
    alertAfter,
    tracking: null,
  }
  const cause = action === 'fail' ? 'failed' : null
  const flips: readonly Flip[] = isMoved
    ? [{ createdAt: at, oldStatus: before.status, newStatus: state.status, reason: cause ?? '' }]
    : NONE
  return { state, action, cause, flips, passed: NONE, at }
}

/** What a start or the end of a run changes, apart from the deadlines. */
type Change = Pick<State, 'status' | 'lastPing' | 'lastStart' | 'lastDurationMs'>

/** Starting a run ends a pause: the check is new again, and running. Source: docs/behaviour.md, section 2.4. */
function start({ status, lastPing, lastDurationMs }: State, at: number): Change {
  return { status: status === 'paused' ? 'new' : status, lastPing, lastStart: at, lastDurationMs }
}

function finish(before: State, action: 'success' | 'fail', rid: string | null, at: number): Change {
  const { lastStart, lastStartRid } = before
  const status = action === 'fail' ? 'down' : 'up'
  if (lastStart === null) return { status, lastPing: at, lastStart, lastDurationMs: null }
  const isSameRun = lastStartRid === rid
  // A success of another run says nothing about the run under way.
  const isStillRunning = !isSameRun && action === 'success' && rid !== null
  return {
    status,
    lastPing: at,
    lastStart: isStillRunning ? lastStart : null,
    lastDurationMs: isSameRun ? Math.max(0, at - lastStart) : null,
  }
}

/** The state after a ping that is only logged. */
export function afterLoggedPing(state: State): State {
  return {
    status: state.status,
    statusSince: state.statusSince,
    nPings: state.nPings + 1,
    lastPing: state.lastPing,
    lastStart: state.lastStart,
    lastStartRid: state.lastStartRid,
    lastDurationMs: state.lastDurationMs,
    dueAt: state.dueAt,
    alertAfter: state.alertAfter,
    tracking: state.tracking,
  }
}

/** When a ping that arrived at `arrivedAt` (ms) is logged. */
export function instantOf(check: State, arrivedAt: number): number {
  const lastEvent = Math.max(check.lastPing ?? 0, check.lastStart ?? 0, check.statusSince)
  return lastEvent - arrivedAt > CLOCK_SET_BACK_MS ? arrivedAt : Math.max(arrivedAt, lastEvent)
}
