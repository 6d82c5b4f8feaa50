import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { pid } from 'node:process'
import { digestOf, newToken } from './secrets/secrets.js'

/** A unique name for this process, from which processes on the same machine can find out whether it is still running. */
export function newWorkerName(): string {
  return [hostname(), machineId(), pid, newToken().slice(0, 8)].join(' ')
}

/** Whether the process with this worker name has ended. False if it is unknown, such as on another machine. */
export function hasEnded(name: string): boolean {
  const [host, where, id] = name.split(' ')
  if (host !== hostname() || where !== machineId() || where === UNKNOWN) return false
  // Another name with this process's ID belongs to an earlier process.
  if (Number(id) === pid) return true
  try {
    process.kill(Number(id), 0)
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH'
  }
}

const UNKNOWN = '-'

/** Identifies the PID namespace: this boot of this machine, and the container. */
function machineId(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    return digestOf(boot + readlinkSync('/proc/self/ns/pid')).slice(0, 8)
  } catch {
    return UNKNOWN
  }
}
