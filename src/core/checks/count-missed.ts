import { occurrences, parseSchedule } from '../schedule/index.js'
import { type Span, without } from '../time/spans.js'
import type { Timing } from './check.js'
import { startTimeMs } from './health/rules.js'

/** Counting ends here. */
export const MOST_COUNTED = 1_000

/**
 * How many occurrences from `dueAt` on had passed, with the time to start that they have, when something came again at
 * `until` (ms), without those in `waived`, in order, at which nothing was expected. At most one more than {@link MOST_COUNTED}.
 */
export function countMissed(
  timing: Timing,
  dueAt: number,
  until: number,
  waived: readonly Span[] = [],
): number {
  const end = until - startTimeMs(timing) + 1
  if (end <= dueAt) return 0
  let count = 0
  for (const { from, to } of without([{ from: dueAt, to: end }], waived)) {
    if (timing.kind === 'simple') {
      const periodMs = timing.periodSeconds * 1000
      count += Math.ceil((to - dueAt) / periodMs) - Math.ceil((from - dueAt) / periodMs)
      continue
    }
    for (const occurrence of occurrences(parseSchedule(timing.schedule), timing.tz, from - 1)) {
      if (occurrence >= to || count > MOST_COUNTED) break
      count += 1
    }
  }
  return Math.min(count, MOST_COUNTED + 1)
}
