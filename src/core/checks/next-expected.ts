import { nextAfter, parseSchedule } from '../schedule/index.js'
import type { Status, Timing } from './check.js'

/**
 * When the next ping is expected, or null if that is not known. While a check is down, its schedule continues, but a
 * period counts from the next ping.
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
