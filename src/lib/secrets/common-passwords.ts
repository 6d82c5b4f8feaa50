import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { packageRoot } from '../package-root.js'

const decompress = promisify(brotliDecompress)

/**
 * Whether a password is in the list of some 18,000 that are used most; letter case does not matter. The list is read for
 * each question, of which there are few, so that it takes no memory. Its source stands at its beginning.
 */
export async function isListedPassword(password: string): Promise<boolean> {
  const file = join(packageRoot, 'src/lib/secrets/common-passwords.txt.br')
  const list = (await decompress(await readFile(file))).toString()
  return !password.includes('\n') && list.includes(`\n${password.toLowerCase()}\n`)
}
