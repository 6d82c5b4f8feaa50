import { afterHalfHourChange } from './half-hour-change.js'
import type { Rule } from './schedule.js'
import { FAR_MS, firstShowing, lowestUnseen, readingAtLeast } from './wall-clock.js'
import type { Zone } from './zone.js'

/** The first occurrence of `rule` after `instant` and in or before the month `lastMonth`, or null. */
export function nextOccurrence(rule: Rule, zone: Zone, instant: number, lastMonth: number): number | null {
  return rule.repeated === 'both'
    ? nextOfEvery(rule, zone, instant, lastMonth)
    : nextOfFirst(rule, zone, instant, lastMonth)
}

function nextOfFirst(rule: Rule, zone: Zone, instant: number, lastMonth: number): number | null {
  let from = lowestUnseen(zone, instant)
  for (;;) {
    const reading = readingAtLeast(rule, from, lastMonth)
    if (reading === null) return null
    const stretch = firstShowing(zone, reading)
    if (reading - stretch.offset >= stretch.since) return reading - stretch.offset
    if (rule.skipped === 'moved') return stretch.since
    from = stretch.since + stretch.offset
  }
}

function nextOfEvery(rule: Rule, zone: Zone, instant: number, lastMonth: number): number | null {
  let stretch = zone.at(instant)
  let from = instant + stretch.offset + 1
  for (;;) {
    const reading = readingAtLeast(rule, from, lastMonth)
    if (reading !== null && reading - stretch.offset < stretch.until) {
      return afterHalfHourChange(rule, zone, instant, reading - stretch.offset, stretch)
    }
    const after = zone.at(stretch.until)
    const resumed = stretch.until + after.offset
    if (after.offset < stretch.offset) {
      from = resumed
      stretch = after
    } else {
      if (reading === null) return null
      // Nothing before `reading` matches, so whatever the clock does until shortly before it is of no concern.
      from = Math.max(reading, resumed)
      const near = zone.at(from - FAR_MS)
      stretch = near.since > after.since ? near : after
    }
  }
}
