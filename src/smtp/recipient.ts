import type { MailTarget } from '../actions/pings/record-mail.js'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const KEY_AND_SLUG = /^([A-Za-z0-9_-]{22})\+([a-z0-9_-]+)$/

/**
 * Parses the address of a check at `domain`: its UUID, or ping key and slug. Returns `elsewhere` for other domains,
 * because mail is not relayed, and `malformed` if no check can have the address. Domains are compared ignoring case, as
 * RFC 5321 requires. Source: docs/behaviour.md, section 6.1.
 */
export function parseRecipient(address: string, domain: string): MailTarget | 'elsewhere' | 'malformed' {
  const at = address.indexOf('@')
  const local = address.slice(0, at)
  if (at === -1 || address.slice(at + 1).toLowerCase() !== domain.toLowerCase()) return 'elsewhere'
  if (UUID.test(local)) return { uuid: local.toLowerCase() }
  const match = KEY_AND_SLUG.exec(local)
  return match ? { pingKey: match[1]!, slug: match[2]! } : 'malformed'
}
