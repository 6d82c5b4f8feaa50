/** Encrypts the secrets of authenticator apps, so that a copy of the database cannot generate codes. */
import { seal, unseal } from './sealed.js'
import type { SecretKeys } from './secret-key.js'

/** It does not expire. */
const FOREVER = Number.MAX_SAFE_INTEGER

/** Encrypts a secret (base32) of the account with this ID for storage. */
export function sealTotpSecret(secretKey: string, userId: number, secret: string): string {
  return seal(secretKey, purpose(userId), { secret }, FOREVER)
}

/** Decrypts a stored secret; null if it was sealed with another key. Old installations stored secrets in plain text. */
export function openTotpSecret(secretKeys: SecretKeys, userId: number, stored: string): string | null {
  if (isBare(stored)) return stored
  const opened = unseal(secretKeys, purpose(userId), stored, 0) as { secret: string } | null
  return opened?.secret ?? null
}

/** Whether a stored secret must be sealed again, because it is in plain text or sealed with a previous key. */
export function wantsSealing(secretKey: string, userId: number, stored: string): boolean {
  return isBare(stored) || openTotpSecret([secretKey], userId, stored) === null
}

function isBare(stored: string): boolean {
  return /^[A-Z2-7]{32}$/.test(stored)
}

function purpose(userId: number): string {
  return `totp:${userId}`
}
