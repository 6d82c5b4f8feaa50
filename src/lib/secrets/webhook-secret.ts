/** The secrets with which event webhooks sign: shown once, and stored encrypted. */
import { createHmac, randomBytes } from 'node:crypto'
import { seal, unseal } from './sealed.js'
import type { SecretKeys } from './secret-key.js'

/** It does not expire. */
const FOREVER = Number.MAX_SAFE_INTEGER

/** A new secret: `whsec_` and 43 URL-safe characters. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/** Encrypts the secret of the webhook with this UUID for storage. */
export function sealWebhookSecret(secretKey: string, uuid: string, secret: string): string {
  return seal(secretKey, purpose(uuid), { secret }, FOREVER)
}

/** Decrypts a stored secret; null if it was sealed with another key. */
export function openWebhookSecret(secretKeys: SecretKeys, uuid: string, stored: string): string | null {
  const opened = unseal(secretKeys, purpose(uuid), stored, 0) as { secret: string } | null
  return opened?.secret ?? null
}

/** The header `Punctual-Signature` of a body that is sent at `now` (ms). */
export function webhookSignature(secret: string, body: string, now: number): string {
  const seconds = Math.floor(now / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

function purpose(uuid: string): string {
  return `event-webhook:${uuid}`
}
