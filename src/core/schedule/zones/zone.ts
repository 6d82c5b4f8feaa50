import { canonicalZone } from './canonical-zone.js'
import { changesWithin } from './zone-changes.js'

/** A time during which a zone has one offset. All three are milliseconds; `until` is excluded. */
export interface Stretch {
  readonly since: number
  readonly until: number
  /** How far the wall clock is ahead of UTC. */
  readonly offset: number
}

/** The span that is looked up at a time: about 13 months, so a query about today finds two or three changes. */
const SPAN_MS = 2 ** 35

/** Outside the years 1 to 9999, a zone keeps the offset at the ends of that time. */
const FIRST_SPAN = Math.floor(-62_135_596_800_000 / SPAN_MS)
const LAST_SPAN = Math.floor(253_402_300_799_999 / SPAN_MS)

/** A time zone. Its offsets are looked up span by span on first use, and cached. */
export class Zone {
  #spans = new Map<number, Stretch[]>()
  #recent: Stretch = { since: 0, until: 0, offset: 0 }

  constructor(readonly name: string) {}

  /** The stretch around `instant` (milliseconds UTC), cut at the ends of the span that was looked up. */
  at(instant: number): Stretch {
    const recent = this.#recent
    if (instant >= recent.since && instant < recent.until) return recent
    this.#recent = this.#find(instant)
    return this.#recent
  }

  #find(instant: number): Stretch {
    const number = Math.min(Math.max(Math.floor(instant / SPAN_MS), FIRST_SPAN), LAST_SPAN)
    const span = this.#spans.get(number) ?? this.#lookUp(number)
    this.#spans.set(number, span)
    return span.find(stretch => instant < stretch.until) ?? span.at(-1)!
  }

  #lookUp(number: number): Stretch[] {
    const since = number === FIRST_SPAN ? Number.NEGATIVE_INFINITY : number * SPAN_MS
    const until = number === LAST_SPAN ? Number.POSITIVE_INFINITY : (number + 1) * SPAN_MS
    const changes = changesWithin(this.name, number * SPAN_MS, (number + 1) * SPAN_MS)
    return changes.map(({ instant, offset }, index) => ({
      since: index === 0 ? since : instant,
      until: changes[index + 1]?.instant ?? until,
      offset,
    }))
  }
}

const zones = new Map<string, Zone>()

/** The zone with this canonical or legacy name. Throws RangeError for an unknown name. */
export function zoneNamed(name: string): Zone {
  const known = zones.get(name)
  if (known !== undefined) return known
  const canonical = canonicalZone(name)
  if (canonical === null) throw new RangeError(`"${name}" is not a time zone`)
  const zone = zones.get(canonical) ?? new Zone(canonical)
  zones.set(canonical, zone)
  zones.set(name, zone)
  return zone
}
