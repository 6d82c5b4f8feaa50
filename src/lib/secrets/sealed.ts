/** Encrypted values for links and cookies, which only this installation can create and read. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { SecretKeys } from './secret-key.js'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** How many bytes are encrypted in a turn. */
const PIECE_BYTES = 262_144

/** Encrypts `value` as URL-safe text for one `purpose`, valid until `expiresAt` (ms UTC). AES-256-GCM. */
export function seal(secretKey: string, purpose: string, value: object, expiresAt: number): string {
  const sealing = sealBytes(secretKey, purpose, Buffer.from(JSON.stringify({ value, expiresAt })))
  for (;;) {
    const step = sealing.next()
    if (step.done) return step.value
  }
}

/** As {@link seal}, in turns, of bytes, which may be many. They do not expire. */
export function* sealBytes(secretKey: string, purpose: string, bytes: Uint8Array): Generator<void, string> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey, purpose), nonce)
  const pieces: Uint8Array[] = [nonce]
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    pieces.push(cipher.update(bytes.subarray(at, at + PIECE_BYTES)))
    yield
  }
  return Buffer.concat([...pieces, cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** The value sealed for this purpose with one of the keys, or null if it has expired or is not authentic. */
export function unseal(secretKeys: SecretKeys, purpose: string, sealed: string, now: number): unknown {
  const bytes = unsealBytes(secretKeys, purpose, sealed)
  if (bytes === null) return null
  const { value, expiresAt } = JSON.parse(bytes.toString()) as { value: unknown; expiresAt: number }
  return now < expiresAt ? value : null
}

/** The bytes sealed for this purpose with one of the keys, or null if they are not authentic. */
export function unsealBytes(
  secretKeys: SecretKeys,
  purpose: string,
  sealed: string,
): Buffer<ArrayBuffer> | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  for (const key of secretKeys) {
    const opened = decrypt(keyOf(key, purpose), bytes)
    if (opened) return opened
  }
  return null
}

function decrypt(key: Uint8Array, bytes: Buffer): Buffer<ArrayBuffer> | null {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([opened, decipher.final()])
  } catch {
    return null
  }
}

function keyOf(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', `seal:${purpose}`, 32))
}
