import { type Hold, isHeld } from '../instance/outage.js'
import { nextAfter, parseSchedule } from '../schedule/index.js'
import type { Limits, State, Status, Timing } from './check.js'

/** What the status at an instant is made of. */
export type Deadlines = Pick<State, 'status' | 'lastStart' | 'dueAt' | 'alertAfter'> & Limits

/**
 * The instant (ms) by which the success after `lastPing` is due, or null when the schedule has no further
 * occurrence. A cron or OnCalendar occurrence is looked for strictly after the second of `lastPing`.
 * Throws `ScheduleError` for an expression that never was valid.
 */
export function dueAfter(timing: Timing, lastPing: number): number | null {
  if (timing.kind === 'simple') return lastPing + timing.periodSeconds * 1000
  return nextAfter(parseSchedule(timing.schedule), timing.tz, Math.floor(lastPing / 1000) * 1000)
}

/** When grace begins: the due time or the running start, whichever is earlier; null when neither counts. */
export function graceStart(check: Pick<Deadlines, 'status' | 'lastStart' | 'dueAt'>): number | null {
  const started = check.status === 'down' ? null : check.lastStart
  if (check.dueAt === null || started === null) return check.dueAt ?? started
  return Math.min(check.dueAt, started)
}

/** When a success is due and when the check goes down (ms), for its status, last ping, last start and timing. */
export function deadlinesOf(
  { status, lastPing, lastStart }: Pick<State, 'status' | 'lastPing' | 'lastStart'>,
  timing: Timing,
): Pick<State, 'dueAt' | 'alertAfter'> {
  const dueAt = status === 'up' && lastPing !== null ? dueAfter(timing, lastPing) : null
  const start = graceStart({ status, lastStart, dueAt })
  return { dueAt, alertAfter: start === null ? null : start + timing.graceSeconds * 1000 }
}

/**
 * The status to show at `now`. Boundaries belong to the later state: exactly at the due time a check is in
 * grace, exactly at due time plus grace it is down. A deadline that falls into `hold` does not count while
 * the hold lasts: the check stays late instead of going down.
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

/** Whether a run that has begun should have finished by `now`: its limit has passed. */
export function isOverrun(
  check: Pick<Deadlines, 'lastStart'> & Limits,
  now: number,
  hold: Hold | null,
): boolean {
  return check.lastStart !== null && hasPassed(check.lastStart + runLimitMs(check), now, hold)
}

/** Whether a run has begun that may still go on. */
export function isRunning(
  check: Pick<Deadlines, 'lastStart'> & Limits,
  now: number,
  hold: Hold | null,
): boolean {
  return check.lastStart !== null && !isOverrun(check, now, hold)
}

function hasPassed(deadline: number, now: number, hold: Hold | null): boolean {
  return now >= deadline && !isHeld(deadline, now, hold)
}

/** Whether a run has begun and not finished. It stays true when the run has timed out. */
export function isStarted(check: Pick<State, 'lastStart'>): boolean {
  return check.lastStart !== null
}

/**
 * When the next ping is expected, for display: while running, the start itself. Null whenever the shown
 * status is down, and for new and paused checks that are not running.
 */
export function nextPing(
  { status, dueAt, lastStart, tracking }: Deadlines & Pick<State, 'tracking'>,
  shown: Status,
): number | null {
  // A run that took too long, and was only counted, is not waited for.
  const isJudged = tracking?.runs.some(run => run.judged && run.at === lastStart) === true
  return shown === 'down' ? null : graceStart({ status, dueAt, lastStart: isJudged ? null : lastStart })
}
