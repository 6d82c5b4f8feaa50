import { nextOccurrence } from './next-occurrence.js'
import { lastMonthFrom } from './occurrences.js'
import type { Rule, Schedule } from './schedule.js'
import { readingAtLeast } from './zones/wall-clock.js'
import { type Zone, zoneNamed } from './zones/zone.js'

/** One line of a preview. */
export interface Upcoming {
  /** Milliseconds UTC. Of a skipped occurrence, when the clock jumped over it. */
  readonly instant: number
  /**
   * The effect of a clock change: the occurrence is `moved` to the end of the gap that its time is in, is a
   * `duplicate` of a time that the clock showed before, or is `skipped`.
   */
  readonly mark: 'moved' | 'duplicate' | 'skipped' | null
  /**
   * The time that the schedule names, as a clock would show it: milliseconds since 1970-01-01T00:00
   * as if the clock were UTC.
   */
  readonly reading: number
}

/**
 * The next `count` occurrences of `schedule` after `from` (milliseconds UTC) by the clock of `tz`, or fewer if it
 * ends, together with those that a clock change skips, which are not counted. Several skipped by one change are shown
 * as one, and none if the schedule runs at the end of the gap anyway.
 */
export function upcoming(schedule: Schedule, tz: string, from: number, count: number): Upcoming[] {
  const found: Upcoming[] = []
  const lines = schedule.rules.map(rule => ({ rule, zone: zoneNamed(rule.zone ?? tz) }))
  let instant = Math.floor(from)
  let left = count
  while (left > 0) {
    const lastMonth = lastMonthFrom(schedule, instant)
    const next = lines
      .map(({ rule, zone }) => nextOfLine(rule, zone, instant, lastMonth))
      .filter(one => one !== null)
      .sort((a, b) => a.instant - b.instant || Number(a.mark !== null) - Number(b.mark !== null))[0]
    if (next === undefined) break
    found.push(next)
    instant = next.instant
    if (next.mark !== 'skipped') left -= 1
  }
  return found
}

function nextOfLine(rule: Rule, zone: Zone, instant: number, lastMonth: number): Upcoming | null {
  const next = nextOccurrence(rule, zone, instant, lastMonth)
  if (rule.skipped === 'dropped') {
    const unskipped: Rule = { ...rule, skipped: 'moved', repeated: 'first' }
    const would = nextOccurrence(unskipped, zone, instant, lastMonth)
    if (would !== null && (next === null || would < next)) {
      return { instant: would, mark: 'skipped', reading: firstInGap(rule, zone, would, lastMonth) }
    }
  }
  return next === null ? null : marked(rule, zone, next, lastMonth)
}

function marked(rule: Rule, zone: Zone, instant: number, lastMonth: number): Upcoming {
  const stretch = zone.at(instant)
  const reading = instant + stretch.offset
  if (readingAtLeast(rule, reading, lastMonth) !== reading) {
    return { instant, mark: 'moved', reading: firstInGap(rule, zone, instant, lastMonth) }
  }
  const duplicate = rule.repeated === 'both' && reading < stretch.since + zone.at(stretch.since - 1).offset
  return { instant, mark: duplicate ? 'duplicate' : null, reading }
}

/** The first reading of `rule` among those skipped at `change`. */
function firstInGap(rule: Rule, zone: Zone, change: number, lastMonth: number): number {
  return readingAtLeast(rule, change + zone.at(change - 1).offset, lastMonth)!
}
