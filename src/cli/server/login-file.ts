import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Refusal } from '../../core/errors.js'

/** The servers that this user is signed in to. */
export interface Logins {
  /** The address that commands use unless another one is named. */
  current: string | null
  /** The API token for each address. */
  tokens: Record<string, string>
}

/** Reads the file; without one there are no logins. Throws a `Refusal` if it cannot be read. */
export async function readLogins(file: string): Promise<Logins> {
  try {
    const { current = null, tokens = {} } = JSON.parse(await readFile(file, 'utf8'))
    return { current, tokens }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, tokens: {} }
    throw new Refusal('invalid', `${file} cannot be read: ${(error as Error).message}`)
  }
}

/** Writes the file, whole or not at all. Only this user can read it, since it contains tokens. */
export async function writeLogins(file: string, logins: Logins): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const written = `${file}.${process.pid}`
  await writeFile(written, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
  await rename(written, file)
}
