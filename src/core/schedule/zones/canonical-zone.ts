import { CANONICAL_ZONES } from './canonical-zones.js'
import { LEGACY_ZONES } from './legacy-zones.js'

const canonical = new Set(CANONICAL_ZONES)
let withNewer: ReadonlySet<string> | undefined

/**
 * The canonical name of a time zone: `name` if it is canonical, the successor of a legacy name, else null. Letter
 * case counts; offsets such as `+02:00` are not names.
 */
export function canonicalZone(name: string): string | null {
  const successor = LEGACY_ZONES.get(name)
  if (successor !== undefined) return successor
  return isCanonicalZone(name) ? name : null
}

/** Whether `name` is a canonical time zone, in our list or, if it is newer, in the runtime's data. */
export function isCanonicalZone(name: string): boolean {
  return canonical.has(name) || allCanonical().has(name)
}

/** Every canonical time zone, sorted. */
export function zoneNames(): string[] {
  return [...allCanonical()].sort()
}

/** Our list and the newer zones of the runtime, which still uses legacy names for some zones. */
function allCanonical(): ReadonlySet<string> {
  withNewer ??= new Set([
    ...CANONICAL_ZONES,
    ...Intl.supportedValuesOf('timeZone').filter(name => name.includes('/') && !LEGACY_ZONES.has(name)),
  ])
  return withNewer
}
