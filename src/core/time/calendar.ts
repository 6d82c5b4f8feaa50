/**
 * Days and months by the clock of a zone. A day is the number of days since 1970-01-01, a month is `year *
 * 12 + (0 for January ... 11 for December)`. Instants are milliseconds UTC. `tz` is an IANA name;
 * RangeError if there is no such zone.
 */
import { firstDayOf, monthOf } from '../schedule/civil-month.js'
import { firstShowing } from '../schedule/zones/wall-clock.js'
import { zoneNamed } from '../schedule/zones/zone.js'

const DAY_MS = 86_400_000

/** The day that the clock shows at `instant`. */
export function dayAt(instant: number, tz: string): number {
  return Math.floor((instant + zoneNamed(tz).at(instant).offset) / DAY_MS)
}

/** The month that the clock shows at `instant`. */
export function monthAt(instant: number, tz: string): number {
  return monthOf(dayAt(instant, tz))
}

/** The first instant of a day, even if the clock skips midnight. */
export function startOfDay(day: number, tz: string): number {
  return instantAt(day, 0, tz)
}

/**
 * The instant at which the clock first shows `minutes` after midnight on a day; if it skips that time,
 * the instant after the gap.
 */
export function instantAt(day: number, minutes: number, tz: string): number {
  const reading = day * DAY_MS + minutes * 60_000
  const stretch = firstShowing(zoneNamed(tz), reading)
  return Math.max(reading - stretch.offset, stretch.since)
}

const MORNING = 9 * 60

/** 9:00 on the day after that of `now`. */
export function tomorrowMorning(now: number, tz: string): number {
  return instantAt(dayAt(now, tz) + 1, MORNING, tz)
}

/** The first instant of a month. */
export function startOfMonth(month: number, tz: string): number {
  return startOfDay(firstDayOf(month), tz)
}
