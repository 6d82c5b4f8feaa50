import { statSync } from 'node:fs'
import { MOVED_FILE } from '../errors.js'

/**
 * How often to look (ms): it takes as long as the rest of a small transaction. What was recorded before its file was deleted is gone in any
 * case, and so may be what is recorded in this time after.
 */
const LOOK_EVERY_MS = 10

/**
 * Returns a function that throws if a file of an open database is not at its path any more: it was deleted, moved or
 * replaced. SQLite would go on with the file that it has open, and what it writes there could be lost when the program
 * ends. Call `inPlace` when the file has just been opened, and the function in transactions: the write-ahead log exists
 * from the first one on. Nothing is judged that has no identity: a database in memory, or on a file system without inodes.
 */
export function inPlace(file: string): () => void {
  const opened = new Map([[file, identityOf(file)]])
  let seenAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - seenAt < LOOK_EVERY_MS) return
    for (const path of [file, `${file}-wal`]) {
      const before = opened.get(path)
      const found = identityOf(path)
      if (before === undefined) opened.set(path, found)
      else if (isKnown(before) && found !== UNKNOWN && found !== before) throw moved(path)
    }
    seenAt = now
  }
}

/** There is no file at the path. */
const MISSING = 'missing'
/** It cannot be told which file is at the path. */
const UNKNOWN = 'unknown'

function identityOf(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return ino === 0n ? UNKNOWN : `${dev} ${ino}`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? MISSING : UNKNOWN
  }
}

function isKnown(identity: string): boolean {
  return identity !== MISSING && identity !== UNKNOWN
}

/** The error has SQLite's own code for this, which SQLite uses only without a write-ahead log. */
function moved(path: string): Error {
  const message = `${path} was deleted, moved or replaced while Punctual runs: put the same file back, or stop Punctual and restore a backup`
  return Object.assign(new Error(message), { code: MOVED_FILE })
}
