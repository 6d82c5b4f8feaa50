/** Encrypted values for links and cookies, which only this installation can create and read. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { SecretKeys } from './secret-key.js'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts `value` as URL-safe text for one `purpose`, valid until `expiresAt` (ms UTC). AES-256-GCM. */
export function seal(secretKey: string, purpose: string, value: object, expiresAt: number): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey, purpose), nonce)
  const text = cipher.update(JSON.stringify({ value, expiresAt }))
  return Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** The value sealed for this purpose with one of the keys, or null if it has expired or is not authentic. */
export function unseal(secretKeys: SecretKeys, purpose: string, sealed: string, now: number): unknown {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null
  for (const key of secretKeys) {
    const opened = decrypt(keyOf(key, purpose), bytes)
    if (opened) return now < opened.expiresAt ? opened.value : null
  }
  return null
}

function decrypt(key: Uint8Array, bytes: Buffer): { value: unknown; expiresAt: number } | null {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return JSON.parse(Buffer.concat([text, decipher.final()]).toString())
  } catch {
    return null
  }
}

function keyOf(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', `seal:${purpose}`, 32))
}
