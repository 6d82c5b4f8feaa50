import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The SHA-256 digests of the files `names` in `folder`, in the format of `sha256sum --check`. */
export function checksums(folder, names) {
  const digest = name =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return names.map(name => `${digest(name)}  ${name}\n`).join('')
}
