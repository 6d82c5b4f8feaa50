import type { Rule } from './schedule.js'
import { FAR_MS, firstShowing, lowestUnseen, readingAtMost } from './zones/wall-clock.js'
import type { Zone } from './zones/zone.js'

/** The last occurrence of `rule` before `instant` and in or after the month `firstMonth`, or null. */
export function previousOccurrence(
  rule: Rule,
  zone: Zone,
  instant: number,
  firstMonth: number,
): number | null {
  return rule.repeated === 'first'
    ? previousOfFirst(rule, zone, instant, firstMonth)
    : previousOfEvery(rule, zone, instant, firstMonth)
}

function previousOfFirst(rule: Rule, zone: Zone, instant: number, firstMonth: number): number | null {
  let from = lowestUnseen(zone, instant - 1) - 1
  for (;;) {
    const reading = readingAtMost(rule, from, firstMonth)
    if (reading === null) return null
    const stretch = firstShowing(zone, reading)
    if (reading - stretch.offset >= stretch.since) return reading - stretch.offset
    if (rule.skipped === 'moved') return stretch.since
    from = lowestUnseen(zone, stretch.since - 1) - 1
  }
}

function previousOfEvery(rule: Rule, zone: Zone, instant: number, firstMonth: number): number | null {
  let stretch = zone.at(instant - 1)
  let from = instant - 1 + stretch.offset
  for (;;) {
    const reading = readingAtMost(rule, from, firstMonth)
    if (reading !== null && reading - stretch.offset >= stretch.since) return reading - stretch.offset
    const before = zone.at(stretch.since - 1)
    const ended = stretch.since - 1 + before.offset
    if (before.offset > stretch.offset) {
      from = ended
      stretch = before
    } else {
      if (reading === null) return null
      from = Math.min(reading, ended)
      // Nothing matches after `from`, so stretches that begin well after it are skipped.
      const near = zone.at(from + FAR_MS)
      stretch = near.until < before.until ? near : before
    }
  }
}
