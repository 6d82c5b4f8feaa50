/** One command of a check at a time: a symbolic link to the process that runs it, which is made at once or not. */
import { createHash } from 'node:crypto'
import { readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './spool.js'

export type Lock = { isHeld: true; release(): void } | { isHeld: false; by: number }

/** Takes the lock of the check with this address, or says who has it; null if there can be none. */
export function takeLock(folder: string, url: string): Lock | null {
  const file = join(folder, `lock.${createHash('sha256').update(url).digest('hex').slice(0, 20)}`)
  for (;;) {
    try {
      symlinkSync(String(process.pid), file)
      return { isHeld: true, release: () => rmSync(file, { force: true }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return null
    }
    const holder = holderOf(file)
    if (holder === null) continue
    if (isAlive(Number(holder))) return { isHeld: false, by: Number(holder) }
    takeAway(file, holder)
  }
}

/** Removes the lock of a process that has ended, unless another has taken it in the meantime. */
function takeAway(file: string, holder: string): void {
  const own = `${file}.${process.pid}`
  try {
    renameSync(file, own)
    if (holderOf(own) !== holder) renameSync(own, file)
  } catch {
    // Another process was faster.
  }
  rmSync(own, { force: true })
}

function holderOf(file: string): string | null {
  try {
    return readlinkSync(file)
  } catch {
    return null
  }
}
