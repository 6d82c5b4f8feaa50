import { readdirSync, readFileSync } from 'node:fs'

/** Processor time (s) of this process, of its children that have ended and, on Linux, of all its descendants. */
export function processorSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + (process.platform === 'linux' ? childSeconds() : 0)
}

/** Node.js does not know it. A browser, for example, runs until the last test file of its process has ended. */
function childSeconds() {
  const found = new Map(
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .flatMap(id => [statOf(id)].flatMap(stat => (stat ? [[Number(id), stat]] : []))),
  )
  let seconds = found.get(process.pid)?.ended ?? 0
  const parents = [process.pid]
  for (const parent of parents)
    for (const [id, stat] of found) {
      if (stat.parent !== parent) continue
      seconds += stat.own + stat.ended
      parents.push(id)
    }
  return seconds
}

/** From proc(5), whose times are in ticks of 10 ms; null if the process has ended. */
function statOf(id) {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1).split(' ').map(Number)
    return { parent: fields[1], own: (fields[11] + fields[12]) / 100, ended: (fields[13] + fields[14]) / 100 }
  } catch {
    return null
  }
}
