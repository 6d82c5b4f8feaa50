/**
 * Links that Healthchecks signed with its `SECRET_KEY`, which is one of ours after an import: `value:time:signature`.
 * Source: Django, core/signing.py, `TimestampSigner`.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from './secret-key.js'

/** The value that was signed with one of the keys for `salt`, whenever that was; null if the signature is wrong. */
export function unsignDjango(secretKeys: SecretKeys, salt: string, signed: string): string | null {
  const parts = /^(([^:]+):[0-9A-Za-z]+):([\w-]{43})$/.exec(signed)
  if (!parts) return null
  const given = Buffer.from(parts[3]!)
  const right = secretKeys.some(key => timingSafeEqual(given, Buffer.from(signatureOf(key, salt, parts[1]!))))
  return right ? parts[2]! : null
}

/** A value signed as Django does. `time`: seconds since 1970 in base 62. */
export function signDjango(secretKey: string, salt: string, value: string, time: string): string {
  const text = `${value}:${time}`
  return `${text}:${signatureOf(secretKey, salt, text)}`
}

function signatureOf(secretKey: string, salt: string, text: string): string {
  const key = createHash('sha256').update(`${salt}signer${secretKey}`).digest()
  return createHmac('sha256', key).update(text).digest('base64url')
}
