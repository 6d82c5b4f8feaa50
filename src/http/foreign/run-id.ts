import { createHash } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The run ID for another monitor's name of a run: the same for the same name, and a UUID is itself in lower case. */
export function runIdOf(name: string): string {
  const lower = name.toLowerCase()
  if (UUID.test(lower)) return lower
  const digits = createHash('sha256').update(name).digest('hex')
  // Version 8 is for UUIDs with a meaning of one's own (RFC 9562).
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
