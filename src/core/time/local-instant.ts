/** Dates and times as a form of a browser has them: `2026-11-22T14:00`, by the clock of a time zone. */
import { firstShowing } from '../schedule/zones/wall-clock.js'
import { zoneNamed } from '../schedule/zones/zone.js'

const FORMAT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?$/

/**
 * The instant (ms) at which the clock of `tz` first shows this time, or the first one after it if the clock skips it;
 * null if the text is not a time.
 */
export function parseLocal(text: string, tz: string): number | null {
  const found = FORMAT.exec(text.trim())
  if (!found) return null
  const [year, month, day, hour, minute] = found.slice(1, 6).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const reading = Date.UTC(year, month - 1, day, hour, minute)
  const isReal = new Date(reading).toISOString().slice(0, 16) === text.trim().slice(0, 16)
  if (!isReal) return null
  const stretch = firstShowing(zoneNamed(tz), reading)
  return Math.max(reading - stretch.offset, stretch.since)
}

/** What the clock of `tz` shows at an instant (ms), to the minute. */
export function localText(instant: number, tz: string): string {
  const reading = instant + zoneNamed(tz).at(instant).offset
  return new Date(reading).toISOString().slice(0, 16)
}
