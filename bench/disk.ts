import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { median } from './median.js'

/** The file system types that keep files in memory (statfs(2)): tmpfs and ramfs. */
const IN_MEMORY = [0x01021994, 0x858458f6]
const SYNCS = 200

/** Throws if `folder` is in memory: a commit costs nothing there, so every figure would be too good. */
export function refuseMemory(folder: string): void {
  if (IN_MEMORY.includes(statfsSync(folder).type)) {
    throw new Error(`${folder} lies in memory: name a folder on a real disk with --folder`)
  }
}

/** The median time (ms) to append 4 kB to a file in `folder` and sync it to disk. */
export function measureFsync(folder: string): number {
  const path = join(folder, 'fsync')
  const file = openSync(path, 'w')
  const page = Buffer.alloc(4096, 1)
  const times = Array.from({ length: SYNCS }, () => {
    writeSync(file, page)
    const start = performance.now()
    fsyncSync(file)
    return performance.now() - start
  })
  closeSync(file)
  rmSync(path)
  return median(times)
}
