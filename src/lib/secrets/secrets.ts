import { hash, randomBytes, randomInt } from 'node:crypto'

/** What an API key may do: read and write, or read only. */
export type ApiKeyKind = 'rw' | 'ro'

/** A new API key: `hcw_` or `hcr_` and 28 letters and digits. Shown once; only its digest is stored. */
export function newApiKey(kind: ApiKeyKind): string {
  return (kind === 'rw' ? 'hcw_' : 'hcr_') + randomText(28, ALPHANUMERIC)
}

/** A new ping key: 22 lower-case letters and digits. Stored in plain text, because pages show it in ping URLs. */
export function newPingKey(): string {
  return randomText(22, ALPHANUMERIC.toLowerCase().slice(0, 36))
}

/** The digest to store for a random secret: SHA-256 in hexadecimal. Random secrets need no salt. */
export function digestOf(secret: string): string {
  return hash('sha256', secret)
}

/** A random token for links and sessions: 43 URL-safe characters, 256 bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * A new recovery code: 120 bits as six groups of four letters and digits, none of which look alike. That is too many
 * bits to guess from a digest. Source: OWASP ASVS 5.0, 6.5.2.
 */
export function newRecoveryCode(): string {
  return Array.from({ length: 6 }, () => randomText(4, UNMISTAKABLE)).join('-')
}

/** Source: Crockford's Base32. */
const UNMISTAKABLE = '0123456789abcdefghjkmnpqrstvwxyz'

const ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** A random UUID, version 4. */
export { randomUUID as newUuid } from 'node:crypto'
