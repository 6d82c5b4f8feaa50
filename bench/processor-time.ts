/** Processor time of a program and its database, which other programs on the machine affect far less than a rate. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The processor time (µs) that each process has used so far, by process ID. */
export type ProcessorTimes = ReadonlyMap<number, number>

/** Identifies the backends of a PostgreSQL database. */
export interface Backends {
  /** The folder of the server's cluster. */
  folder: string
  database: string
}

/** The processor times of a program and, on PostgreSQL, of the processes that serve its database. */
export function processorTimes(pid: number, backends: Backends | null): ProcessorTimes {
  const pids = [pid, ...(backends ? backendsOf(backends) : [])]
  return new Map(pids.map(one => [one, processorTime(one)]))
}

/** The processor time (µs) used between two moments. Processes that have ended since are left out. */
export function spentBetween(before: ProcessorTimes, after: ProcessorTimes): number {
  return [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0)
}

/** The processor time (µs) that a process has used, all threads together; 0 if it is not known. */
export function processorTime(pid: number): number {
  if (pid === 0 || !existsSync(`/proc/${pid}/task`)) return 0
  // The first number is in nanoseconds; /proc/PID/stat counts in ticks of ten milliseconds.
  const times = readdirSync(`/proc/${pid}/task`).map(thread =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1000
}

/** The processes that serve connections to a database; the server names it in their titles. */
function backendsOf({ folder, database }: Backends): number[] {
  const server = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0]!
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
  return children.filter(child => {
    const title = `/proc/${child}/cmdline`
    return existsSync(title) && readFileSync(title, 'utf8').includes(` ${database} `)
  })
}
