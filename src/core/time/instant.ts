/** Instants in words, in a time zone. `tz` is an IANA name; a name that `Intl` does not know counts as UTC. */

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
  const time = (parts: Parts) => `${parts.hour}:${parts.minute}`
  const sameDay = dayOf(start) === dayOf(end)
  const head = sameDay && dayOf(start) === dayOf(today) ? time(start) : `${dayOf(start)} ${time(start)}`
  const tail = sameDay ? `-${time(end)}` : ` to ${dayOf(end)} ${time(end)}`
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
  const time = `${parts.hour}:${parts.minute}`
  if (dayOf(parts) === dayOf(today)) return time
  const year = parts.year === today.year ? '' : ` ${parts.year}`
  return `${Number(parts.day)} ${parts.month}${year} ${time}`
}

/** The same with the zone, for texts that do not say whose clock it is: `02:05 UTC+01:00`. */
export function clockWordsWithZone(ms: number, now: number, tz: string): string {
  return `${clockWords(ms, now, tz)} ${zoneWords(partsOf(ms, tz), tz)}`
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

function partsOf(ms: number, tz: string): Parts {
  const parts = Object.fromEntries(
    formatFor(tz)
      .formatToParts(ms)
      .map(part => [part.type, part.value]),
  )
  // Without an offset, `longOffset` is just `GMT`.
  return { ...parts, offset: (parts.timeZoneName ?? '').slice(3, 9) || '+00:00' } as unknown as Parts
}

function dayOf({ day, month, year }: Parts): string {
  return `${Number(day)} ${month} ${year}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(tz: string): Intl.DateTimeFormat {
  const known = formats.get(tz)
  if (known) return known
  const format = newFormat(isZone(tz) ? tz : 'UTC')
  formats.set(tz, format)
  return format
}

function isZone(tz: string): boolean {
  try {
    newFormat(tz)
    return true
  } catch {
    return false
  }
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  })
}

function zoneWords(parts: Parts, tz: string): string {
  return tz === 'UTC' || !isZone(tz) ? 'UTC' : `UTC${parts.offset}`
}
