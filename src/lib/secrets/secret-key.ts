import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.js'

/** The keys whose signatures and sealed values are accepted: the current one, which creates them, and the previous one. */
export type SecretKeys = readonly string[]

/** The keys of an installation. `SECRET_KEY_PREVIOUS` is empty except during a change of keys. */
export function secretKeysOf({
  SECRET_KEY,
  SECRET_KEY_PREVIOUS,
}: {
  SECRET_KEY: string
  SECRET_KEY_PREVIOUS: string
}): SecretKeys {
  return SECRET_KEY_PREVIOUS === '' ? [SECRET_KEY] : [SECRET_KEY, SECRET_KEY_PREVIOUS]
}

/** The file of the generated signing key in a data folder. */
export function secretKeyFile(dataDir: string): string {
  return join(dataDir, 'secret_key')
}

/** The key stored in a data folder, or null if there is none. Throws if the file is empty or cannot be read. */
export function readSecretKey(dataDir: string): string | null {
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

export function newSecretKey(): string {
  return randomBytes(36).toString('base64url')
}

/** The key stored in a data folder. If there is none, generates one, readable only by its owner. */
export function readOrCreateSecretKey(dataDir: string): string {
  const kept = readSecretKey(dataDir)
  if (kept !== null) return kept
  makeFolder(dataDir)
  const key = newSecretKey()
  try {
    createWhole(secretKeyFile(dataDir), `${key}\n`)
  } catch (error) {
    // Another process has just written a key: use that.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readOrCreateSecretKey(dataDir)
    throw error
  }
  return key
}

/** What linking fails with where the file system has no links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/** Creates a file, readable only by its owner, that no process finds without its text. Throws EEXIST if it is there already. */
function createWhole(file: string, text: string): void {
  const part = `${file}.${randomBytes(6).toString('hex')}`
  const options = { mode: 0o600, flag: 'wx', flush: true }
  try {
    writeFileSync(part, text, options)
    linkSync(part, file)
  } catch (error) {
    if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code!)) throw error
    writeFileSync(file, text, options)
  } finally {
    rmSync(part, { force: true })
  }
}
