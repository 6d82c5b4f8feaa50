import { type Hold, isHeld } from '../instance/outage.js'
import { nextAfter, parseSchedule } from '../schedule/index.js'
import type { Limits, State, Status, Timing } from './check.js'

/** The values that decide the status at an instant. */
export type Deadlines = Pick<State, 'status' | 'lastStart' | 'dueAt' | 'alertAfter'> & Limits

/** The settings that say when a success is due. */
export type Schedule = Pick<Timing, 'kind' | 'periodSeconds' | 'schedule' | 'tz'>

/**
 * When the success after `lastPing` is due (ms), or null if the schedule has no further occurrence. A
 * cron or OnCalendar occurrence must be strictly after the second of `lastPing`. Throws `ScheduleError`
 * for an invalid expression.
 */
export function dueAfter(timing: Schedule, lastPing: number): number | null {
  if (timing.kind === 'simple') return lastPing + timing.periodSeconds * 1000
  return nextAfter(parseSchedule(timing.schedule), timing.tz, Math.floor(lastPing / 1000) * 1000)
}

/**
 * When grace begins: the due time or the start of the run under way, whichever is earlier; null if there is neither.
 */
export function graceStart(check: Pick<Deadlines, 'status' | 'lastStart' | 'dueAt'>): number | null {
  const started = check.status === 'down' ? null : check.lastStart
  if (check.dueAt === null || started === null) return check.dueAt ?? started
  return Math.min(check.dueAt, started)
}

/** When a success is due and when the check goes down (ms), from its status, last ping, last start and timing. */
export function deadlinesOf(
  { status, lastPing, lastStart }: Pick<State, 'status' | 'lastPing' | 'lastStart'>,
  timing: Timing,
): Pick<State, 'dueAt' | 'alertAfter'> {
  const dueAt = status === 'up' && lastPing !== null ? dueAfter(timing, lastPing) : null
  const start = graceStart({ status, lastStart, dueAt })
  return { dueAt, alertAfter: start === null ? null : start + timing.graceSeconds * 1000 }
}

/**
 * The status at `now`. Boundaries belong to the later state: at the due time a check is in grace, at due
 * time plus grace it is down. A deadline within `hold` does not count while the hold lasts: the check stays
 * late instead of going down.
 */
export function statusAt(
  { status, dueAt, alertAfter }: Pick<State, 'status' | 'dueAt' | 'alertAfter'>,
  now: number,
  hold: Hold | null,
): Status {
  if (alertAfter !== null && hasPassed(alertAfter, now, hold)) return 'down'
  return status === 'up' && dueAt !== null && now >= dueAt ? 'grace' : status
}

/** How long (ms) a run may take. */
export function runLimitMs(limits: Limits): number {
  return (limits.maxDurationSeconds ?? limits.graceSeconds) * 1000
}

/** Whether a run is under way and within its limit. `waitedMs`: how long its job waited for our answers. */
export function isRunning(
  check: Pick<Deadlines, 'lastStart'> & Limits,
  now: number,
  hold: Hold | null,
  waitedMs = 0,
): boolean {
  const { lastStart } = check
  return lastStart !== null && !hasPassed(lastStart + runLimitMs(check) + waitedMs, now, hold)
}

function hasPassed(deadline: number, now: number, hold: Hold | null): boolean {
  return now >= deadline && !isHeld(deadline, now, hold)
}

/** Whether a run has started and not ended, even if its limit has passed. */
export function isStarted(check: Pick<State, 'lastStart'>): boolean {
  return check.lastStart !== null
}

/**
 * When the next ping is expected, for display; while a run is under way, its start. Null if the shown status is down,
 * and for new and paused checks without a run.
 */
export function nextPing(
  { status, dueAt, lastStart, tracking }: Deadlines & Pick<State, 'tracking'>,
  shown: Status,
): number | null {
  // A run that took too long, and was only counted, is no longer expected.
  const isJudged = tracking?.runs.some(run => run.judged && run.at === lastStart) === true
  return shown === 'down' ? null : graceStart({ status, dueAt, lastStart: isJudged ? null : lastStart })
}
