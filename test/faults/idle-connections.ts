/** Thousands of connections that send nothing. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { Bench, Fault } from './frame/bench.js'

/** The number of other files that a process has open. */
const SPARE_FILES = 500
const AT_ONCE = 200

export const idleConnections: Fault = {
  name: 'idle connections',
  engines: ['sqlite'],

  async run(bench) {
    const trial = await bench.open()
    const port = Number(new URL(trial.program.site).port)
    const before = residentMegabytes(trial.program.pid)
    const sockets = await openIdle(
      bench,
      port,
      Math.min(bench.thorough ? 10_000 : 2_000, filesAllowed() - SPARE_FILES),
    )
    trial.figures.connections = sockets.filter(socket => !socket.destroyed).length
    const load = trial.startLoad()
    await load.acknowledged(bench.thorough ? 5_000 : 500)
    trial.figures['of them open under load'] = sockets.filter(socket => !socket.destroyed).length
    await load.settle()
    if (before !== null) trial.figures['memory more, MB'] = residentMegabytes(trial.program.pid)! - before
    return trial
  },
}

/** The number of files, and so of connections, that a process may have open here. */
function filesAllowed(): number {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit)
}

async function openIdle(bench: Bench, port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  bench.defer(() => {
    for (const socket of sockets) socket.destroy()
  })
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () => openOne(port))
    sockets.push(...(await Promise.all(some)))
  }
  return sockets
}

function openOne(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
    socket.on('end', () => socket.destroy())
    socket.resume()
  })
}

/** Null if the system does not report it. */
function residentMegabytes(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
  } catch {
    return null
  }
}
