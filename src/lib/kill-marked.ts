/** Ends what a command started outside of its process group (`setsid`), which is known by its environment. Linux only. */
import { readdir, readFile } from 'node:fs/promises'

/** A process that is being ended may start another. */
const ROUNDS = 3

/** Kills the processes in whose first environment `marker` stood, as `NAME=value`. */
export async function killMarked(marker: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const pids = await marked(marker)
    for (const pid of pids) kill(pid)
    if (pids.length === 0) return
  }
}

async function marked(marker: string): Promise<number[]> {
  const found: number[] = []
  const names = await readdir('/proc').catch(() => [])
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    // That of a process which has ended, or is another user's, cannot be read.
    const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '')
    if (environment.split('\0').includes(marker)) found.push(Number(name))
  }
  return found
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
