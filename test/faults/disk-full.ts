/** The disk of the database fills up under load; later there is room again. */
import { spawnSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Fault } from './frame/bench.js'
import type { Trial } from './frame/trial.js'

const roundsOf = ({ thorough }: Bench) => (thorough ? 5 : 1)

export const diskFull: Fault = {
  name: 'disk full',
  engines: ['sqlite'],
  // Messages that were being sent at that moment could not be recorded as sent.
  mayRepeat: roundsOf,

  async run(bench) {
    const { trial, fill, empty, how } = (await onSmallDisk(bench)) ?? (await underFileLimit(bench))
    trial.figures['made full by'] = how
    const rounds = roundsOf(bench)
    for (let round = 1; round <= rounds; round++) {
      const last = round === rounds
      if (last) trial.missed.push(await trial.fallSilent(15_000))
      const load = trial.startLoad()
      await load.acknowledged(200)
      fill()
      await load.next(entry => entry.status === 503)
      if (last) await trial.absence()
      empty()
      const from = Date.now()
      const first = await load.next(entry => entry.status === 200 && entry.at >= from)
      trial.figures['takes pings again after, ms'] = first.at - from
      await load.acknowledged(200)
      await load.settle()
    }
    return trial
  },
}

interface Disk {
  trial: Trial
  fill(): void
  empty(): void
  how: string
}

/** A file system in memory with a size of its own, where mounting is allowed. */
async function onSmallDisk(bench: Bench): Promise<Disk | null> {
  const disk = bench.folder()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]).status !== 0) return null
  bench.defer(() => spawnSync('umount', ['-l', disk]))
  const trial = await bench.open({ data: disk })
  const ballast = join(disk, 'ballast')
  return {
    trial,
    how: 'a small tmpfs',
    fill() {
      const { bavail, bsize } = statfsSync(disk)
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize))
      } catch {
        // The program has written in the meantime, so there is no room for the last bytes.
      }
    },
    empty: () => rmSync(ballast),
  }
}

/**
 * Elsewhere, a limit on the size of the program's files: SQLite's writes fail in the same way, with another error.
 */
async function underFileLimit(bench: Bench): Promise<Disk> {
  const trial = await bench.open()
  const limit = (size: string) => {
    const { status, error, stderr } = spawnSync('prlimit', [
      '--pid',
      String(trial.program.pid),
      `--fsize=${size}:`,
    ])
    if (status !== 0) throw error ?? new Error(String(stderr))
  }
  return {
    trial,
    how: 'a limit on the size of files',
    fill: () => limit('65536'),
    empty: () => limit('unlimited'),
  }
}
