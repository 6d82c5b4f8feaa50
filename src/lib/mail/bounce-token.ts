/**
 * Tokens that identify the message a bounce belongs to: a value, the time of signing and a signature. At most 64
 * characters, the limit before the @ of an envelope sender. Source: docs/behaviour.md, section 4.10.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../secrets/secret-key.js'

const VALID_SECONDS = 48 * 3_600

/** How long (ms) a token is valid. A bounce may take days. */
export const BOUNCES_WITHIN_MS = VALID_SECONDS * 1000

/** The token for `value` (at most 38 characters), signed at `now` (ms). */
export function bounceToken(secretKey: string, value: string, now: number): string {
  const signed = `${value}.${Math.floor(now / 1000).toString(16)}`
  return `${signed}.${macOf(secretKey, signed)}`
}

/** The contents of a token, or null if it was not signed here or is too old at `now` (ms). */
export function readBounceToken(
  secretKeys: SecretKeys,
  token: string,
  now: number,
): { value: string; signedAt: number } | null {
  const match = /^((.+)\.([0-9a-f]{1,10}))\.([0-9a-f]{16})$/.exec(token.toLowerCase())
  if (!match) return null
  const [, signed, value, time, mac] = match
  const isOurs = (key: string) => timingSafeEqual(Buffer.from(macOf(key, signed!)), Buffer.from(mac!))
  if (!secretKeys.some(isOurs)) return null
  const seconds = Number.parseInt(time!, 16)
  return now / 1000 - seconds <= VALID_SECONDS ? { value: value!, signedAt: seconds * 1000 } : null
}

const TOKEN = /[nrm]\.[0-9a-f-]{36}\.[0-9a-f]{1,10}\.[0-9a-f]{16}/gi

/** The maximum number of candidates that are checked in a message. */
const MAX_TOKENS = 20

/** Whether `text` contains a token that is valid at `now` (ms): a cheap test before a bounce is parsed. */
export function containsBounceToken(secretKeys: SecretKeys, text: string, now: number): boolean {
  let checked = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if (readBounceToken(secretKeys, token, now) !== null) return true
    if (++checked === MAX_TOKENS) return false
  }
  return false
}

function macOf(secretKey: string, signed: string): string {
  return createHmac('sha256', secretKey).update(`bounce:${signed}`).digest('hex').slice(0, 16)
}
