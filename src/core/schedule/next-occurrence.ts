import type { Rule } from './schedule.js'
import { afterHalfHourChange } from './zones/half-hour-change.js'
import { FAR_MS, firstShowing, lowestUnseen, readingAtLeast } from './zones/wall-clock.js'
import type { Zone } from './zones/zone.js'

/** The first occurrence of `rule` after `instant` and in or before the month `lastMonth`, or null. */
export function nextOccurrence(rule: Rule, zone: Zone, instant: number, lastMonth: number): number | null {
  return rule.repeated === 'first'
    ? nextOfFirst(rule, zone, instant, lastMonth)
    : nextOfEvery(rule, zone, instant, lastMonth)
}

/** A reading counts when it is first shown, so only readings not shown up to `instant` are still to come. */
function nextOfFirst(rule: Rule, zone: Zone, instant: number, lastMonth: number): number | null {
  const here = zone.at(instant)
  let from = lowestUnseen(zone, instant)
  for (;;) {
    const reading = readingAtLeast(rule, from, lastMonth)
    if (reading === null) return null
    const stretch = reading - here.offset < here.until ? here : firstShowing(zone, reading)
    if (reading - stretch.offset >= stretch.since) return reading - stretch.offset
    if (rule.skipped === 'moved') return stretch.since
    from = stretch.since + stretch.offset
  }
}

/** A reading counts each time it is shown, so each stretch is searched separately. */
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
      from = Math.max(reading, resumed)
      // Nothing matches before `from`, so stretches that end well before it are skipped.
      const near = zone.at(from - FAR_MS)
      stretch = near.since > after.since ? near : after
    }
  }
}
