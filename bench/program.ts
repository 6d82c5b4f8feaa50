/** The real program, started as users start it, on a database of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { packageRoot } from '../src/lib/package-root.js'

export interface Program {
  origin: string
  pid: number
  /** From the start of the process to the first answer (ms). */
  startMs: number
  stop(): Promise<void>
}

const STARTS_WITHIN_MS = 60_000

/**
 * Starts `main serve` (by default that of this checkout) on the database in `folder`; resolves when it has answered a
 * GET of `path`.
 */
export async function startProgram(
  folder: string,
  port: number,
  path = '/',
  settings: Readonly<Record<string, string>> = {},
  { main = join(packageRoot, 'dist/main.js'), node = process.execPath } = {},
): Promise<Program> {
  const origin = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const child = spawn(node, [main, 'serve'], {
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
  await answering(child, port, path)
  return {
    origin,
    pid: child.pid!,
    startMs: performance.now() - startedAt,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** A port that nothing listens on; a different one for each call. */
export function nextPort(): number {
  port += 1
  return port
}

let port = 18_000 + (process.pid % 1_000) * 10

/** The memory (MB) of a process, all threads together; known only on Linux. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

async function answering(child: ChildProcess, port: number, path: string): Promise<void> {
  const deadline = Date.now() + STARTS_WITHIN_MS
  while (!(await answers(port, path))) {
    if (child.exitCode !== null) throw new Error(`the program ended with exit code ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error('the program does not answer')
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}

/** Sends a request without an HTTP client, whose own first request would take longer than the answer. */
function answers(port: number, path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n`),
    )
    socket.on('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
