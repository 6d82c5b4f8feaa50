/**
 * The names of messages towards a bounce: a value, when it was signed, and a signature, at most 64 characters so
 * that they fit before the @ of an envelope sender. Source: docs/behaviour.md, section 4.10.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../secrets/secret-key.js'

/** A bounce that comes later is not believed. */
const LASTS_SECONDS = 48 * 3_600

/** The token for `value` (36 characters more at most two), signed at `now` (ms). */
export function bounceToken(secretKey: string, value: string, now: number): string {
  const signed = `${value}.${Math.floor(now / 1000).toString(16)}`
  return `${signed}.${macOf(secretKey, signed)}`
}

/** What a token that was signed here and is not too old at `now` (ms) holds; null for any other text. */
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
  return now / 1000 - seconds <= LASTS_SECONDS ? { value: value!, signedAt: seconds * 1000 } : null
}

const TOKEN = /[nr]\.[0-9a-f-]{36}\.[0-9a-f]{1,10}\.[0-9a-f]{16}/gi

/** A message that holds so many texts that look like tokens is not searched to its end. */
const MOST_TOKENS = 20

/** Whether a token that is good at `now` (ms) stands anywhere in `text`: cheap to ask before a bounce is parsed. */
export function holdsBounceToken(secretKeys: SecretKeys, text: string, now: number): boolean {
  let looked = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if (readBounceToken(secretKeys, token, now) !== null) return true
    if (++looked === MOST_TOKENS) return false
  }
  return false
}

function macOf(secretKey: string, signed: string): string {
  return createHmac('sha256', secretKey).update(`bounce:${signed}`).digest('hex').slice(0, 16)
}
