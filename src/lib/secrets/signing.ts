import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from './secret-key.js'

/**
 * The signature of `value` for one `purpose`, so that a link made for one thing opens no other: 22 URL-safe
 * characters, the first 128 bits of an HMAC-SHA256.
 */
export function signatureOf(secretKey: string, purpose: string, value: string): string {
  return createHmac('sha256', secretKey).update(`${purpose}:${value}`).digest('base64url').slice(0, 22)
}

/** Whether `signature` is the one that {@link signatureOf} makes with one of the keys. Every wrong one takes the same time. */
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
