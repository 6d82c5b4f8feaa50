import { createHmac } from 'node:crypto'
import type { SecretKeys } from './secret-key.js'

/**
 * What Healthchecks stored of an API key, under each of our secret keys: eight characters of it, a dot, and an
 * HMAC-SHA256 in hexadecimal. An import keeps these as digests. Empty for a key of another form, which Healthchecks
 * stored in plain text. Source: docs/behaviour.md, section 4.2.
 */
export function importedKeyDigests(secretKeys: SecretKeys, key: string): string[] {
  if (!/^hc[wr]_/.test(key)) return []
  return secretKeys.map(
    secret => `${key.slice(4, 12)}.${createHmac('sha256', secret).update(key).digest('hex')}`,
  )
}
