/** A state with its deadlines, and without what it need not remember. */
import type { Rules, State } from '../check.js'
import { deadlinesOf } from '../status.js'
import { type Deadline, dueTime, nextDeadline } from './deadlines.js'
import { arePlain, isEach, isPlain } from './rules.js'
import type { Facts } from './runs.js'
import { EMPTY_TALLY, isOnlyCounted, isTolerated } from './tally.js'
import { keptTracking, NO_TRACKING, type Tracking } from './tracking.js'

/** The state after its facts. */
export function settle(facts: Facts, rules: Rules): State {
  const tracking = neededTracking(facts, rules)
  const needed: Facts = { ...facts, tracking: keptTracking(tracking) }
  const next = nextDeadline(needed, rules)
  const staysUp = next !== null && isCountedOnly(next, tracking, rules)
  return {
    ...needed,
    tracking: keptTracking({ ...tracking, countAt: staysUp ? next.at : null }),
    dueAt: dueTime(needed, rules),
    alertAfter: next === null || staysUp ? null : next.at,
  }
}

/** The state with `dueAt` and `alertAfter` made to fit its status, last ping, last start and settings. */
export function withDeadlines<T extends State & Rules>(check: T): T {
  if (isPlain(check, check)) return { ...check, ...deadlinesOf(check, check) }
  const { dueAt, alertAfter, tracking } = settle(check, check)
  return { ...check, dueAt, alertAfter, tracking }
}

/** When the next deadline passes (ms), whether the check goes down then or not; null where there is none. */
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
  const forgetsRuns = status !== 'up' && arePlain(rules)
  const latest = forgetsRuns ? [] : known.runs.filter(run => run.at === lastStart)
  const counts = rules.failuresToAlert > 1
  return {
    ...known,
    ...(isEach(rules) ? {} : { runs: latest, finished: [] }),
    ...(counts ? {} : { ...EMPTY_TALLY, missed: null }),
    coveredUntil: neededCover(facts, rules),
    countAt: null,
  }
}

function neededCover({ status, lastPing, tracking }: Facts, rules: Rules): number | null {
  const coveredUntil = tracking?.coveredUntil ?? null
  if (coveredUntil === null || (status !== 'up' && arePlain(rules))) return null
  const isFinishedSince = lastPing !== null && coveredUntil <= lastPing
  return isFinishedSince && (!isEach(rules) || rules.kind === 'simple') ? null : coveredUntil
}
