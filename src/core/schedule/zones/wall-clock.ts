import { dayAtLeast, dayAtMost } from '../day-rule.js'
import type { Rule } from '../schedule.js'
import { timeAtLeast, timeAtMost } from '../time-rule.js'
import type { Stretch, Zone } from './zone.js'

/**
 * Readings of a wall clock, as if it were UTC: milliseconds since 1970-01-01T00:00. A clock shows some readings twice
 * and skips others; this file converts between readings and instants.
 */

const DAY_MS = 86_400_000

/** More than any offset, or any change of an offset. */
export const FAR_MS = 2 * DAY_MS

/** The first reading of `rule` at or after `reading`, in or before the month `lastMonth`; or null. */
export function readingAtLeast(rule: Rule, reading: number, lastMonth: number): number | null {
  const from = Math.floor(reading / DAY_MS)
  const day = dayAtLeast(rule.days, from, lastMonth)
  if (day === null) return null
  if (day > from) return day * DAY_MS + timeAtLeast(rule.times, 0) * 1000
  const second = Math.ceil((reading - from * DAY_MS) / 1000)
  const time = second < 86_400 ? timeAtLeast(rule.times, second) : -1
  if (time >= 0) return day * DAY_MS + time * 1000
  const later = dayAtLeast(rule.days, day + 1, lastMonth)
  return later === null ? null : later * DAY_MS + timeAtLeast(rule.times, 0) * 1000
}

/** The last reading of `rule` at or before `reading`, in or after the month `firstMonth`; or null. */
export function readingAtMost(rule: Rule, reading: number, firstMonth: number): number | null {
  const from = Math.floor(reading / DAY_MS)
  const day = dayAtMost(rule.days, from, firstMonth)
  if (day === null) return null
  if (day < from) return day * DAY_MS + timeAtMost(rule.times, 86_399) * 1000
  const time = timeAtMost(rule.times, Math.floor((reading - from * DAY_MS) / 1000))
  if (time >= 0) return day * DAY_MS + time * 1000
  const earlier = dayAtMost(rule.days, day - 1, firstMonth)
  return earlier === null ? null : earlier * DAY_MS + timeAtMost(rule.times, 86_399) * 1000
}

/**
 * The stretch in which the clock first shows `reading` or, if it skips it, a later one. The reading is skipped if it
 * is before the stretch: `reading - stretch.offset < stretch.since`.
 */
export function firstShowing(zone: Zone, reading: number): Stretch {
  let stretch = zone.at(reading - FAR_MS)
  while (reading - stretch.offset >= stretch.until) stretch = zone.at(stretch.until)
  return stretch
}

/** The lowest reading that the clock has not shown up to `instant`, `instant` included. */
export function lowestUnseen(zone: Zone, instant: number): number {
  let stretch = zone.at(instant)
  let unseen = instant + stretch.offset + 1
  while (instant - stretch.since < FAR_MS) {
    const before = zone.at(stretch.since - 1)
    unseen = Math.max(unseen, stretch.since + before.offset)
    stretch = before
  }
  return unseen
}
