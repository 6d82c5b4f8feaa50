import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { packageRoot } from '../package-root.js'

const decompress = promisify(brotliDecompress)

/**
 * Whether a password is one of the 18,000 or so most common ones, ignoring case. The list is read on every call, because
 * calls are rare and keeping it would take memory. The first lines of the list name its source.
 */
export async function isListedPassword(password: string): Promise<boolean> {
  const file = join(packageRoot, 'src/lib/secrets/common-passwords.txt.br')
  const list = (await decompress(await readFile(file))).toString()
  return !password.includes('\n') && list.includes(`\n${password.toLowerCase()}\n`)
}
