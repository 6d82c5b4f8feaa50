/**
 * One command of a check at a time: a symbolic link to the process that runs it, which is made at once or not. static/exec.sh
 * has the same.
 */
import { readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './spool.js'

export type Lock = { isHeld: true; release(): void } | { isHeld: false; by: number }

/** The longest name of a lock, after its beginning. */
const MAX_NAME = 200

/** Takes the lock of the check with this address, or says who has it; null if there can be none. */
export function takeLock(folder: string, url: string): Lock | null {
  const file = join(folder, `lock.${url.replace(/[^A-Za-z0-9._-]/g, '=').slice(-MAX_NAME)}`)
  const self = knownAs(process.pid)
  for (;;) {
    try {
      symlinkSync(self, file)
      return { isHeld: true, release: () => rmSync(file, { force: true }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return null
    }
    const holder = holderOf(file)
    if (holder === null) continue
    const pid = Number.parseInt(holder, 10)
    if (isAlive(pid) && knownAs(pid) === holder) return { isHeld: false, by: pid }
    takeAway(file, holder)
  }
}

/** What a process is known by: its number, and where /proc tells it, when it began (in ticks), since numbers are used again. */
function knownAs(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return `${pid}.${stat.slice(stat.lastIndexOf(') ') + 2).split(' ')[19]}`
  } catch {
    return String(pid)
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
