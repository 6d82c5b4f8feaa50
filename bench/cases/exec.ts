import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/lib/package-root.js'
import { startBare } from '../bare.js'
import type { Case, Figure } from '../case.js'
import { median } from '../median.js'

const SCRIPT = join(packageRoot, 'static/exec.sh')
const ROUNDS_PER_RUN = 10

/** The commands that are timed by turns, of those that the machine has. */
const WRAPPERS: readonly { what: string; command: readonly [string, ...string[]]; isWrapper: boolean }[] = [
  { what: 'true alone', command: ['true'], isWrapper: false },
  { what: 'Node.js alone', command: [process.execPath, '-e', '0'], isWrapper: false },
  {
    what: 'punctual exec',
    command: [process.execPath, join(packageRoot, 'dist/main.js'), 'exec'],
    isWrapper: true,
  },
  { what: 'exec.sh, dash', command: ['dash', SCRIPT], isWrapper: true },
  { what: 'exec.sh, bash', command: ['bash', SCRIPT], isWrapper: true },
  { what: 'exec.sh, busybox', command: ['busybox', 'sh', SCRIPT], isWrapper: true },
]

export const exec: Case = {
  name: 'exec',
  title: 'The time of a wrapped `true`, with a server that answers at once',
  target: 'more than `true` alone by under 150 ms (Node.js) and 100 ms (script)',
  remote: false,
  once: true,
  async run({ folder, runs }) {
    const server = await startBare({ type: 'text/plain', body: 'OK' })
    const spool = join(folder, `spool-${process.pid}`)
    mkdirSync(spool, { recursive: true })
    const env = { ...process.env, PUNCTUAL_URL: server.origin, PUNCTUAL_SPOOL: spool }
    const uuid = '3cba109f-4b8a-4f0b-8c8e-2a2a54fb1d0c'
    const timed = WRAPPERS.filter(({ command: [name] }) => isHere(name)).map(wrapper => ({
      ...wrapper,
      times: [] as number[],
    }))
    try {
      for (let round = 0; round < runs * ROUNDS_PER_RUN; round++) {
        for (const {
          command: [name, ...rest],
          isWrapper,
          times,
        } of timed) {
          const args = isWrapper ? [...rest, '--uuid', uuid, '--', 'true'] : rest
          const from = performance.now()
          const { status } = spawnSync(name, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
          times.push(performance.now() - from)
          if (status !== 0) throw new Error(`${name} ended with ${status}`)
        }
      }
    } finally {
      await server.stop()
      rmSync(spool, { recursive: true, force: true })
    }
    const alone = median(timed[0]!.times)
    return timed.map(({ what, isWrapper, times }): Figure => {
      if (!isWrapper) return { what, unit: 'ms', value: median(times) }
      return { what: `${what}, added`, unit: 'ms', value: median(times) - alone }
    })
  },
}

function isHere(name: string): boolean {
  return name.includes('/') ? existsSync(name) : spawnSync(name, ['-c', 'true']).error === undefined
}
