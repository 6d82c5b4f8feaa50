import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from './secret-key.js'

/**
 * The signature of `value`: 22 URL-safe characters, the first 128 bits of an HMAC-SHA256. `purpose` keeps a signed link
 * from being valid for something else.
 */
export function signatureOf(secretKey: string, purpose: string, value: string): string {
  return createHmac('sha256', secretKey).update(`${purpose}:${value}`).digest('base64url').slice(0, 22)
}

/** Whether `signature` is what {@link signatureOf} returns for one of the keys. Compares in constant time. */
export function isSignature(
  secretKeys: SecretKeys,
  purpose: string,
  value: string,
  signature: string,
): boolean {
  const given = Buffer.from(signature)
  return secretKeys.some(key => {
    const expected = Buffer.from(signatureOf(key, purpose, value))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
