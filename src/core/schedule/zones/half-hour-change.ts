import { includes } from '../number-set.js'
import type { Rule } from '../schedule.js'
import { timeAtLeast } from '../time-rule.js'
import type { Stretch, Zone } from './zone.js'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const EVERY_HOUR = 2 ** 24 - 1

/**
 * Moves `found` for a job that waits for its hour while the clock changes by half an hour. It counts whole hours from
 * the beginning of the wait, so for it the hour begins at half past. If no minute of the hour is left by then, the
 * first one is kept. Lord Howe Island is the only place left with such changes.
 *
 * `found` is the first occurrence after `instant` (milliseconds UTC) and is in `stretch`. The reason is in
 * docs/decisions/0020-half-hour-changes.md.
 */
export function afterHalfHourChange(
  rule: Rule,
  zone: Zone,
  instant: number,
  found: number,
  stretch: Stretch,
): number {
  const change = stretch.since
  if (rule.times.hours.low === EVERY_HOUR || change <= instant || found - change > DAY_MS) return found
  const before = zone.at(change - 1)
  const shift = (stretch.offset - before.offset) % HOUR_MS
  if (shift === 0) return found

  const reading = found + stretch.offset
  const midnight = Math.floor(reading / DAY_MS) * DAY_MS
  const waited = !includes(rule.times.hours, hourOf(change - 1 + before.offset))
  if (!waited || change + stretch.offset < midnight) return found

  const hour = hourOf(reading)
  const begin = hour * HOUR_MS + ((shift + HOUR_MS) % HOUR_MS)
  const later = timeAtLeast(rule.times, begin / 1000) * 1000
  return later >= 0 && Math.floor(later / HOUR_MS) === hour ? midnight + later - stretch.offset : found
}

function hourOf(reading: number): number {
  return Math.floor(reading / HOUR_MS) - Math.floor(reading / DAY_MS) * 24
}
