import { nextAfter, parseSchedule } from '../schedule/index.js'
import type { Status, Timing } from './check.js'

/**
 * When a ping is expected next, or null where that is not known. While a check is down its schedule goes on; a period
 * counts from the next ping.
 */
export function nextExpected(
  check: Pick<Timing, 'kind' | 'schedule' | 'tz'> & { dueAt: number | null },
  status: Status,
  now: number,
): number | null {
  if (status === 'up' || status === 'grace') return check.dueAt
  if (status !== 'down' || check.kind === 'simple') return null
  return nextAfter(parseSchedule(check.schedule), check.tz, now)
}
