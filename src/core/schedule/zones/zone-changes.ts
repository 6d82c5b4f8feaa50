/** An offset (milliseconds ahead of UTC) and the instant from which it applies (milliseconds UTC). */
export interface ZoneChange {
  readonly instant: number
  readonly offset: number
}

/**
 * The offset of `zone` at `since`, and each change up to `until`. The source is the runtime's zone data, read at 64
 * moments; between two moments with different offsets the change is found by bisection.
 *
 * Two changes between neighbouring moments that cancel each other would be missed. Since 1970 no zone has changed
 * back and forth within 6.9 days; 64 moments in 2 ** 35 ms are 6.2 days apart.
 */
export function changesWithin(zone: string, since: number, until: number): ZoneChange[] {
  const changes = [{ instant: since, offset: offsetAt(zone, since) }]
  const step = (until - since) / 64
  for (let end = since + step; end <= until; end += step) {
    const offset = offsetAt(zone, end)
    let last = changes.at(-1)!
    while (last.offset !== offset) {
      last = firstChange(zone, Math.max(last.instant, end - step), end, last.offset)
      if (last.instant >= until) return changes
      changes.push(last)
    }
  }
  return changes
}

/** The first change between `since`, when the offset is `before`, and `until`, when it is different. */
function firstChange(zone: string, since: number, until: number, before: number): ZoneChange {
  let low = Math.floor(since / 1000)
  let high = Math.ceil(until / 1000)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(zone, middle * 1000) === before) low = middle
    else high = middle
  }
  return { instant: high * 1000, offset: offsetAt(zone, high * 1000) }
}

// A formatter needs about 50 kB, so only the one in use is kept.
let zoneInUse = ''
let formatter: Intl.DateTimeFormat

function offsetAt(zone: string, instant: number): number {
  if (zone === 'UTC' || zone === 'Etc/UTC') return 0
  if (zone !== zoneInUse) {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    zoneInUse = zone
  }
  return readOffset(formatter.format(instant))
}

/** The offset at the end of a text such as `1/1/1970, GMT-00:44:30`; a plain `GMT` is 0. */
function readOffset(text: string): number {
  const found = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text)
  if (found === null) return 0
  const [, sign, hours, minutes, seconds = '0'] = found
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -offset : offset
}
