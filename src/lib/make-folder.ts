import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder that only its owner can access, and any missing parents. Throws the file system's error.
 * Does not use `mkdirSync` with `recursive`, which hangs on a file system without folder creation, such as /proc.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    makeFolder(dirname(folder))
    mkdirSync(folder, { mode: 0o700 })
  }
}
