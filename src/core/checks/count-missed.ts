import { occurrences, parseSchedule } from '../schedule/index.js'
import type { Timing } from './check.js'
import { startTimeMs } from './health/rules.js'

/** Counting ends here. */
export const MOST_COUNTED = 1_000

/**
 * How many occurrences from `dueAt` on had passed, with the time to start that they have, when something came again at
 * `until` (ms). At most one more than {@link MOST_COUNTED}.
 */
export function countMissed(timing: Timing, dueAt: number, until: number): number {
  const last = until - startTimeMs(timing)
  if (timing.kind === 'simple') {
    const count = Math.floor((last - dueAt) / (timing.periodSeconds * 1000)) + 1
    return Math.min(Math.max(count, 0), MOST_COUNTED + 1)
  }
  let count = 0
  for (const occurrence of occurrences(parseSchedule(timing.schedule), timing.tz, dueAt - 1)) {
    if (occurrence > last || count > MOST_COUNTED) break
    count += 1
  }
  return count
}
