/**
 * The maximum length of a check's description in messages, and in messages that only close an incident, in UTF-16 units.
 * The management API accepts any length.
 */
export const SENT_DESCRIPTION = 50_000
export const CLOSING_DESCRIPTION = 1_000

/** A description as messages contain it: if it is longer than `max`, its beginning and `…`. */
export function sentDescription(desc: string, max = SENT_DESCRIPTION): string {
  if (desc.length <= max) return desc
  return `${desc.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
