/** Computes the deadlines of a state and drops tracking that is no longer needed. */
import type { Rules, State } from '../check.js'
import { deadlinesOf } from '../status.js'
import { type Deadline, dueTime, nextDeadline } from './deadlines.js'
import { arePlain, isPlain, tracksEachRun } from './rules.js'
import type { Facts } from './runs.js'
import { EMPTY_TALLY, isOnlyCounted, isTolerated } from './tally.js'
import {
  type HeldOccurrences,
  NO_TRACKING,
  type TrackedRun,
  type Tracking,
  trackingOrNull,
} from './tracking.js'

/** The state of a check with these facts. */
export function settle(facts: Facts, rules: Rules): State {
  const tracking = neededTracking(facts, rules)
  const needed: Facts = { ...facts, tracking: trackingOrNull(tracking) }
  const next = nextDeadline(needed, rules)
  const staysUp = next !== null && isCountedOnly(next, tracking, rules)
  return {
    ...needed,
    tracking: trackingOrNull({ ...tracking, countAt: staysUp ? next.at : null }),
    dueAt: dueTime(needed, rules),
    alertAfter: next === null || staysUp ? null : next.at,
  }
}

/** The check with `dueAt` and `alertAfter` computed from its status, last ping, last start and settings. */
export function withDeadlines<T extends State & Rules>(check: T): T {
  if (isPlain(check, check)) return { ...check, ...deadlinesOf(check, check) }
  const { dueAt, alertAfter, tracking } = settle(check, check)
  return { ...check, dueAt, alertAfter, tracking }
}

/** When the next deadline passes (ms), whether or not the check then goes down; null if there is none. */
export function nextDeadlineAt({
  alertAfter,
  tracking,
}: Pick<State, 'alertAfter' | 'tracking'>): number | null {
  return alertAfter ?? tracking?.countAt ?? null
}

function isCountedOnly({ cause, at, run }: Deadline, tracking: Tracking, rules: Rules): boolean {
  return (run?.counted && isTolerated(cause, rules)) || isOnlyCounted(tracking, cause, at, rules)
}

function neededTracking(facts: Facts, rules: Rules): Tracking {
  const { status, lastStart, tracking } = facts
  const known = tracking ?? NO_TRACKING
  // A check that is new has a deadline only by its run.
  const keeps = (run: TrackedRun) => status === 'up' || !arePlain(rules) || (status === 'new' && run.waited)
  const latest = known.runs.filter(run => run.at === lastStart && keeps(run))
  const counts = rules.failuresToAlert > 1
  const { held, ...rest } = known
  return {
    ...rest,
    ...(held && isNeeded(held, dueTime(facts, rules)) && { held }),
    ...(tracksEachRun(rules) ? {} : { runs: latest, finished: [] }),
    ...(counts ? {} : { ...EMPTY_TALLY, missed: null }),
    coveredUntil: neededCover(facts, rules),
    countAt: null,
  }
}

function isNeeded({ last, isOver }: HeldOccurrences, due: number | null): boolean {
  return due !== null && (isOver ? due === last : due < last)
}

function neededCover({ status, lastPing, tracking }: Facts, rules: Rules): number | null {
  const coveredUntil = tracking?.coveredUntil ?? null
  if (coveredUntil === null || (status !== 'up' && arePlain(rules))) return null
  const isFinishedSince = lastPing !== null && coveredUntil <= lastPing
  return isFinishedSince && (!tracksEachRun(rules) || rules.kind === 'simple') ? null : coveredUntil
}
