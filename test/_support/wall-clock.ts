/** Wall clocks computed only by the runtime's formatter, to compare ours with. */

const formatters = new Map<string, Intl.DateTimeFormat>()

/** What a clock in `zone` shows at `instant`, as milliseconds since 1970-01-01T00:00 as if it were UTC. */
export function readingAt(zone: string, instant: number): number {
  const format = formatters.get(zone) ?? newFormatter(zone)
  formatters.set(zone, format)
  const [month, day, year, hour, minute, second] = format.format(instant).match(/\d+/g)!.map(Number)
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!)
}

/** The instants from 1 January of `year` on, for a year, at which the clock in `zone` jumps. */
export function changesIn(zone: string, year: number): number[] {
  const found: number[] = []
  let before = offsetAt(zone, Date.UTC(year, 0, 1))
  for (let hour = Date.UTC(year, 0, 1); hour < Date.UTC(year + 1, 0, 1); hour += 3_600_000) {
    if (offsetAt(zone, hour + 3_600_000) === before) continue
    let change = hour + 1000
    while (offsetAt(zone, change) === before) change += 1000
    before = offsetAt(zone, change)
    found.push(change)
  }
  return found
}

function offsetAt(zone: string, instant: number): number {
  return readingAt(zone, instant) - instant
}

function newFormatter(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}
