/** Instants on the wire: ISO 8601, UTC, with the offset. Source: docs/behaviour.md, sections 3.3 and 4.8. */

/** In whole seconds, cut off: `2026-01-02T03:04:05+00:00`. */
export function isoSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const day = Math.floor(seconds / DAY_SECONDS)
  const place = day & (DAYS_KEPT - 1)
  if (days[place] !== day) {
    dates[place] = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, -13)
    days[place] = day
  }
  const time = seconds - day * DAY_SECONDS
  const minutes = Math.floor(time / 60)
  return `${dates[place]}${DIGITS[Math.floor(minutes / 60)]}:${DIGITS[minutes % 60]}:${DIGITS[time % 60]}+00:00`
}

const DAY_SECONDS = 86_400
const DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** Recent days as texts: most instants of a list are of few days, and a Date takes three times as long. */
const DAYS_KEPT = 64
const days = new Float64Array(DAYS_KEPT).fill(Number.NaN)
const dates: string[] = Array.from({ length: DAYS_KEPT }, () => '')

/** In microseconds; a whole second has no decimals. `us` (0-999) orders instants of the same millisecond. */
export function isoMicroseconds(ms: number, us: number): string {
  const text = new Date(ms).toISOString()
  if (us === 0 && ms % 1000 === 0) return `${text.slice(0, 19)}+00:00`
  return `${text.slice(0, 23)}${String(us).padStart(3, '0')}+00:00`
}

/** In milliseconds: `2026-01-02T03:04:05.678+00:00`. */
export function isoMilliseconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}+00:00`
}
