/** Raised when a change of this module makes it answer otherwise than before. */
const RULES_VERSION = 1

/**
 * What stored due times depend on besides their schedules: they are to be computed anew when this differs
 * from when they were stored. `runtimeZoneData` is the version of the runtime's zone data, in Node.js
 * `process.versions.tz`, such as `2025b`.
 */
export function zoneDataVersion(runtimeZoneData: string | undefined): string {
  return `${runtimeZoneData ?? 'unknown'}/${RULES_VERSION}`
}
