/** Instants in words, in a time zone. `tz` is an IANA name; an unknown one counts as UTC. */
import { MONTH_NAMES, WEEKDAY_NAMES } from '../schedule/english.js'
import { canonicalZone } from '../schedule/zones/canonical-zone.js'
import { type Zone, zoneNamed } from '../schedule/zones/zone.js'
import type { Span } from './spans.js'

/** In the format of e-mail: `Thu, 01 Jan 2026 09:30:00 +0100`. Source: RFC 5322, section 3.3. */
export function rfcDate(ms: number, tz: string): string {
  const { weekday, day, month, year, hour, minute, second, offset } = partsOf(ms, tz)
  return `${weekday}, ${day} ${month} ${year} ${hour}:${minute}:${second} ${offset.replace(':', '')}`
}

/** The day: `1 Jan 2026`. */
export function dayWords(ms: number, tz: string): string {
  return dayOf(partsOf(ms, tz))
}

/**
 * A span, with the day only if needed: `03:00-03:02 UTC` on the day of `now`, else `1 Jan 2026 23:58
 * to 2 Jan 2026 00:04 UTC`.
 */
export function spanWords(from: number, to: number, now: number, tz: string): string {
  const [start, end, today] = [partsOf(from, tz), partsOf(to, tz), partsOf(now, tz)]
  const sameDay = dayOf(start) === dayOf(end)
  const head = sameDay && dayOf(start) === dayOf(today) ? timeIn(start) : `${dayOf(start)} ${timeIn(start)}`
  const tail = sameDay ? `-${timeIn(end)}` : ` to ${dayOf(end)} ${timeIn(end)}`
  return `${head}${tail} ${zoneWords(end, tz)}`
}

/** In the format of pages: `Thu 1 Jan 2026 09:30:00 UTC+01:00`. */
export function exactWords(ms: number, tz: string): string {
  const parts = partsOf(ms, tz)
  const { weekday, day, month, year, hour, minute, second } = parts
  return `${weekday} ${Number(day)} ${month} ${year} ${hour}:${minute}:${second} ${zoneWords(parts, tz)}`
}

/** In sentences: `02:05` on the day of `now`, `14 Jan 02:05` in its year, else `14 Jan 2025 02:05`. */
export function clockWords(ms: number, now: number, tz: string): string {
  const [parts, today] = [partsOf(ms, tz), partsOf(now, tz)]
  if (dayOf(parts) === dayOf(today)) return timeIn(parts)
  return `${dayIn(parts, today)} ${timeIn(parts)}`
}

/** Both ends of a span in sentences, the second with its day only if that is another: `14 Jan 02:05` and `02:09`. */
export function endsInWords({ from, to }: Span, now: number, tz: string): [string, string] {
  const isOneDay = dayWords(from, tz) === dayWords(to, tz)
  return [clockWords(from, now, tz), isOneDay ? timeOfDay(to, tz) : clockWords(to, now, tz)]
}

/**
 * A range in sentences. A whole day is the day alone, `14 Jan`; otherwise both ends have their day if it is not that of
 * `now` for both: `02:00 to 03:00`, `13 Jan 20:00 to 14 Jan 08:00`.
 */
export function rangeWords(from: number, to: number, now: number, tz: string): string {
  const [start, end, today] = [from, to, now].map(ms => partsOf(ms, tz)) as [Parts, Parts, Parts]
  const isToday = [start, end].every(parts => dayOf(parts) === dayOf(today))
  if (isToday) return `${timeIn(start)} to ${timeIn(end)}`
  const isDay =
    timeIn(start) === '00:00' && timeIn(end) === '00:00' && dayOf(start) === dayOf(partsOf(to - 1, tz))
  return isDay
    ? dayIn(start, today)
    : `${dayIn(start, today)} ${timeIn(start)} to ${dayIn(end, today)} ${timeIn(end)}`
}

/** The same with the zone, for texts that do not say whose clock it is: `02:05 UTC+01:00`. */
export function clockWordsWithZone(ms: number, now: number, tz: string): string {
  return `${clockWords(ms, now, tz)} ${zoneWords(partsOf(ms, tz), tz)}`
}

/** The time alone, for places that say the day: `02:05`. */
export function timeOfDay(ms: number, tz: string): string {
  return timeIn(partsOf(ms, tz))
}

/** The same with seconds: `02:05:09`. */
export function clockWithSeconds(ms: number, tz: string): string {
  const parts = partsOf(ms, tz)
  return `${timeIn(parts)}:${parts.second}`
}

interface Parts {
  weekday: string
  day: string
  month: string
  year: string
  hour: string
  minute: string
  second: string
  /** `+01:00` */
  offset: string
}

/** Computed, since `Intl` takes ten times as long and pages have hundreds of instants. */
function partsOf(ms: number, tz: string): Parts {
  const offset = zoneOrUtc(tz).at(ms).offset
  const clock = new Date(ms + offset)
  const minutes = Math.floor(Math.abs(offset) / 60_000)
  return {
    weekday: WEEKDAYS[clock.getUTCDay()]!,
    day: twoDigits(clock.getUTCDate()),
    month: MONTHS[clock.getUTCMonth()]!,
    year: String(clock.getUTCFullYear()),
    hour: twoDigits(clock.getUTCHours()),
    minute: twoDigits(clock.getUTCMinutes()),
    second: twoDigits(clock.getUTCSeconds()),
    offset: `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`,
  }
}

const WEEKDAYS = WEEKDAY_NAMES.map(name => name.slice(0, 3))
const MONTHS = MONTH_NAMES.map(name => name.slice(0, 3))

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

function dayOf({ day, month, year }: Parts): string {
  return `${Number(day)} ${month} ${year}`
}

/** The day, with the year if it is not that of `today`. */
function dayIn({ day, month, year }: Parts, today: Parts): string {
  return `${Number(day)} ${month}${year === today.year ? '' : ` ${year}`}`
}

function timeIn({ hour, minute }: Parts): string {
  return `${hour}:${minute}`
}

const UTC = zoneNamed('UTC')

/** The zone with this name; UTC if there is none. */
function zoneOrUtc(tz: string): Zone {
  return canonicalZone(tz) === null ? UTC : zoneNamed(tz)
}

function zoneWords(parts: Parts, tz: string): string {
  return tz === 'UTC' || canonicalZone(tz) === null ? 'UTC' : `UTC${parts.offset}`
}
