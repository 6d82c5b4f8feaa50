import { CANONICAL_ZONES } from './canonical-zones.js'
import { LEGACY_ZONES } from './legacy-zones.js'

const canonical = new Set(CANONICAL_ZONES)
let withNewer: ReadonlySet<string> | undefined

/**
 * The canonical name of a time zone: `name` itself where it is canonical, its successor where it is one of
 * the legacy names, null where it is neither. Names are case-exact; bare offsets such as `+02:00` are none.
 */
export function canonicalZone(name: string): string | null {
  const successor = LEGACY_ZONES.get(name)
  if (successor !== undefined) return successor
  return isCanonicalZone(name) ? name : null
}

/** Whether `name` is a canonical time zone, one that is newer than our list but known to the runtime included. */
export function isCanonicalZone(name: string): boolean {
  return canonical.has(name) || allCanonical().has(name)
}

/** Every canonical time zone, sorted. */
export function zoneNames(): string[] {
  return [...allCanonical()].sort()
}

/** Our list and what the runtime knows beyond it. The runtime still calls some zones by legacy names. */
function allCanonical(): ReadonlySet<string> {
  withNewer ??= new Set([
    ...CANONICAL_ZONES,
    ...Intl.supportedValuesOf('timeZone').filter(name => name.includes('/') && !LEGACY_ZONES.has(name)),
  ])
  return withNewer
}
