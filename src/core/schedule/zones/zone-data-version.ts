/** Increased when a change of this module changes its results. */
const RULES_VERSION = 1

/**
 * The version of everything that stored due times depend on besides their schedules: if it differs from the stored
 * one, they are computed again. `runtimeZoneData` is the version of the runtime's zone data, in Node.js
 * `process.versions.tz`, such as `2025b`.
 */
export function zoneDataVersion(runtimeZoneData: string | undefined): string {
  return `${runtimeZoneData ?? 'unknown'}/${RULES_VERSION}`
}
