/** Kills processes that a command started outside its process group (`setsid`), found by their environment. Linux only. */
import { readdir, readFile } from 'node:fs/promises'

/** A process may start another before it is killed. */
const ROUNDS = 3

/** Kills every process whose initial environment contains `marker`, given as `NAME=value`. */
export async function killMarked(marker: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const pids = await findMarked(marker)
    for (const pid of pids) kill(pid)
    if (pids.length === 0) return
  }
}

async function findMarked(marker: string): Promise<number[]> {
  const found: number[] = []
  const names = await readdir('/proc').catch(() => [])
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    // Unreadable if the process has ended or belongs to another user.
    const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '')
    if (environment.split('\0').includes(marker)) found.push(Number(name))
  }
  return found
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
