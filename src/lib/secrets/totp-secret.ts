/** The secret of an authenticator app as it is stored: sealed, so that a copy of the database makes no codes. */
import { seal, unseal } from './sealed.js'
import type { SecretKeys } from './secret-key.js'

/** It does not expire. */
const FOREVER = Number.MAX_SAFE_INTEGER

/** What is stored of a secret (base32) of the account with this id. */
export function sealTotpSecret(secretKey: string, userId: number, secret: string): string {
  return seal(secretKey, purpose(userId), { secret }, FOREVER)
}

/** The secret that was stored; null where it was sealed with another key. Secrets from before were stored as they are. */
export function openTotpSecret(secretKeys: SecretKeys, userId: number, stored: string): string | null {
  if (isBare(stored)) return stored
  const opened = unseal(secretKeys, purpose(userId), stored, 0) as { secret: string } | null
  return opened?.secret ?? null
}

/** Whether a stored secret is to be sealed anew: it is not sealed, or with a key that was replaced. */
export function wantsSealing(secretKey: string, userId: number, stored: string): boolean {
  return isBare(stored) || openTotpSecret([secretKey], userId, stored) === null
}

function isBare(stored: string): boolean {
  return /^[A-Z2-7]{32}$/.test(stored)
}

function purpose(userId: number): string {
  return `totp:${userId}`
}
