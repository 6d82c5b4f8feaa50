/** The status that a badge shows for a set of checks. Source: docs/behaviour.md, section 5.2. */
import type { Status } from './check.js'

export type BadgeStatus = 'up' | 'late' | 'down'

/** The number of states that a badge distinguishes; with two, late counts as up. */
export type BadgeStates = 2 | 3

/** The checks of a badge: all of them, those in grace, those down. */
export interface BadgeCounts {
  total: number
  grace: number
  down: number
}

/** Counts statuses. New, paused and running checks are neither late nor down. */
export function countStatuses(statuses: Iterable<Status>): BadgeCounts {
  const counts = { total: 0, grace: 0, down: 0 }
  for (const status of statuses) {
    counts.total++
    if (status === 'grace' || status === 'down') counts[status]++
  }
  return counts
}

/** Down if any check is down; late, if the badge distinguishes it, if any is late; else up. */
export function badgeStatus(counts: BadgeCounts, states: BadgeStates): BadgeStatus {
  if (counts.down > 0) return 'down'
  return states === 3 && counts.grace > 0 ? 'late' : 'up'
}
