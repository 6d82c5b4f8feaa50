import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { Refusal } from '../../core/errors.js'
import { openDatabase } from './connection.js'

/**
 * Writes a consistent copy of the database `from` to the new file `to`, readable only by its owner, and syncs it to
 * disk. Throws a `Refusal` if `to` exists; deletes the copy on failure.
 */
export async function backup(from: string, to: string): Promise<void> {
  const copy = createFile(to)
  try {
    const database = openDatabase(from, { mustExist: true })
    try {
      // VACUUM INTO reads one snapshot; the online backup starts over whenever the file changes.
      database.prepare('VACUUM INTO ?').run(to)
    } finally {
      database.close()
    }
    fsyncSync(copy)
  } catch (error) {
    rmSync(to, { force: true })
    throw error
  } finally {
    closeSync(copy)
  }
}

function createFile(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new Refusal('conflict', `${file} exists already`)
    }
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'its folder does not exist' : (error as Error).message
    throw new Refusal('invalid', `${file} cannot be written: ${reason}`)
  }
}
