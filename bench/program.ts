/** The real program, as people start it, on a database of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { packageRoot } from '../src/lib/package-root.js'

export interface Program {
  origin: string
  pid: number
  stop(): Promise<void>
}

const STARTS_WITHIN_MS = 60_000

/** Starts `dist/main.js serve` on the database in `folder`; resolves when it listens. */
export async function startProgram(
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const origin = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [join(packageRoot, 'dist/main.js'), 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      SITE_ROOT: origin,
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      CHECK_LIMIT: '1000000000',
      INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True',
      ...settings,
    },
  })
  await listening(child, port)
  return {
    origin,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** A port that nothing listens on; each call another. */
export function nextPort(): number {
  port += 1
  return port
}

let port = 18_000 + (process.pid % 1_000) * 10

/** The memory (MB) that a process holds, all its threads together; Linux alone tells. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + STARTS_WITHIN_MS
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`the program ended with exit code ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error('the program does not listen')
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
