import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { pid } from 'node:process'
import { digestOf, newToken } from './secrets/secrets.js'

/** A name for this process that no other has, and by which processes of the same machine know whether it lives. */
export function workerName(): string {
  return [hostname(), machine(), pid, newToken().slice(0, 8)].join(' ')
}

/** Whether the process that made a worker's name is known to have ended. False where that cannot be told from here. */
export function hasEnded(name: string): boolean {
  const [host, where, id] = name.split(' ')
  if (host !== hostname() || where !== machine() || where === UNKNOWN) return false
  // A name with this process's number that is not its own is that of an earlier process.
  if (Number(id) === pid) return true
  try {
    process.kill(Number(id), 0)
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH'
  }
}

const UNKNOWN = '-'

/** Names what gives processes their numbers: this boot of this machine, and the container. */
function machine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    return digestOf(boot + readlinkSync('/proc/self/ns/pid')).slice(0, 8)
  } catch {
    return UNKNOWN
  }
}
