/** Early pings: pings shortly before the occurrence that they belong to. */
import { nextAfter, parseSchedule, previousBefore } from '../../schedule/index.js'
import type { Rules } from '../check.js'
import { nextUncovered } from './deadlines.js'
import { startTimeMs } from './rules.js'
import type { Facts } from './runs.js'

/**
 * The occurrence (ms) for which a ping at `at` (ms) is early, or null. `startedAt`: when its run started, if known; a
 * run belongs to the occurrence that is nearest to its start.
 */
export function occurrenceAhead(
  facts: Facts,
  rules: Rules,
  at: number,
  startedAt: number | null,
): number | null {
  if (rules.earlySeconds === 0 || rules.kind === 'simple') return null
  const schedule = parseSchedule(rules.schedule)
  const ahead = nextAfter(schedule, rules.tz, at)
  if (ahead === null || ahead - at > rules.earlySeconds * 1000) return null
  const before = previousBefore(schedule, rules.tz, ahead)
  if (before === null) return ahead
  const begun = startedAt ?? at
  const isNearer = ahead - begun < begun - before
  return isNearer && isSettled(facts, rules, before, ahead, at) ? ahead : null
}

/** Whether an occurrence (ms) is the next one after `now`; without a schedule none is. */
export function isNextOccurrence(
  { kind, schedule, tz }: Pick<Rules, 'kind' | 'schedule' | 'tz'>,
  occurrence: number,
  now: number,
): boolean {
  return kind !== 'simple' && nextAfter(parseSchedule(schedule), tz, now) === occurrence
}

/** Whether nothing more is expected for the occurrence `before` the one ahead. */
function isSettled(facts: Facts, rules: Rules, before: number, ahead: number, at: number): boolean {
  if (facts.status === 'new' || facts.status === 'paused') return true
  if (facts.status === 'down' && before + startTimeMs(rules) <= at) return true
  return nextUncovered(facts, rules) === ahead
}
