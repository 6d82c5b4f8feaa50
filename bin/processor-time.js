import { readFileSync } from 'node:fs'

/** Processor time (s) that this process has taken, and its children that have ended: on Linux also theirs. */
export function processorSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childSeconds()
}

/** Node.js does not know it. On other systems than Linux it is 0. */
function childSeconds() {
  if (process.platform !== 'linux') return 0
  // cutime and cstime of proc(5), in ticks of 10 ms. The name of the program, in parentheses, may contain spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
