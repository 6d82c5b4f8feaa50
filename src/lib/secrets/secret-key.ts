import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.js'

/** The keys that signatures and sealed values are accepted from: the one that makes them, and the one before it. */
export type SecretKeys = readonly string[]

/** The keys of an installation; `SECRET_KEY_PREVIOUS` is empty except while a new key takes over. */
export function secretKeysOf({
  SECRET_KEY,
  SECRET_KEY_PREVIOUS,
}: {
  SECRET_KEY: string
  SECRET_KEY_PREVIOUS: string
}): SecretKeys {
  return SECRET_KEY_PREVIOUS === '' ? [SECRET_KEY] : [SECRET_KEY, SECRET_KEY_PREVIOUS]
}

/** Where a data folder keeps the signing key that Punctual made. */
export function secretKeyFile(dataDir: string): string {
  return join(dataDir, 'secret_key')
}

/** The key kept in a data folder, or null when there is none. Throws when the file cannot be read or is empty. */
export function keptSecretKey(dataDir: string): string | null {
  const file = secretKeyFile(dataDir)
  let key: string
  try {
    key = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  if (key === '') throw new Error(`${file} is empty: delete it, and a new key is made`)
  return key
}

/** The key kept in a data folder, made now (readable by its owner alone) if there is none. */
export function keepSecretKey(dataDir: string): string {
  const kept = keptSecretKey(dataDir)
  if (kept !== null) return kept
  makeFolder(dataDir)
  const key = randomBytes(36).toString('base64url')
  try {
    writeFileSync(secretKeyFile(dataDir), `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    // Another process was quicker: its key is the one.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return keepSecretKey(dataDir)
    throw error
  }
  return key
}
