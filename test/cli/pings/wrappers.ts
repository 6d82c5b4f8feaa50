/** The two wrappers of commands, and what they need, for their common table of tests. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../../src/lib/package-root.js'
import { program } from '../../_support/cli.js'

export const SCRIPT = join(packageRoot, 'static/exec.sh')

export interface Wrapper {
  name: string
  command: string[]
  path: string
}

const scratch = mkdtempSync(join(tmpdir(), 'punctual-wrappers-'))

export function removeScratch(): void {
  rmSync(scratch, { recursive: true, force: true })
}

/** A new folder for one run. */
export function newFolder(): string {
  return mkdtempSync(join(scratch, 'run-'))
}

const TOOLS =
  'sh bash env cat tail tee mkfifo mktemp date rm sed grep tr sleep ln readlink mv mkdir cksum timeout perl printf head kill seq od umask pwd sort true id chmod wc ls find'.split(
    ' ',
  )

const found = (tool: string) =>
  (process.env.PATH ?? '')
    .split(':')
    .map(folder => join(folder, tool))
    .find(existsSync)

/** A folder with only these tools. */
function pathOf(name: string, tools: Record<string, string | undefined>): string {
  const folder = mkdtempSync(join(scratch, `${name}-`))
  for (const [tool, file] of Object.entries(tools)) if (file) symlinkSync(file, join(folder, tool))
  return folder
}

const own = (tools: readonly string[]) => Object.fromEntries(tools.map(tool => [tool, found(tool)]))

/** Without a program that sends anything. */
export const SILENT_PATH = pathOf('silent', own(TOOLS))

/** Those that this machine can run: `sh` is always there. */
export function wrappers(): Wrapper[] {
  const all: Wrapper[] = [
    { name: 'node', command: [process.execPath, program, 'exec'], path: pathOf('node', own(TOOLS)) },
  ]
  const [dash, bash, busybox] = ['dash', 'bash', 'busybox'].map(found)
  if (found('curl')) {
    const path = pathOf('curl', own([...TOOLS, 'curl']))
    all.push({ name: 'sh with curl', command: [dash ?? found('sh')!, SCRIPT], path })
  }
  if (bash && found('wget')) {
    all.push({
      name: 'bash with wget',
      command: [bash, SCRIPT],
      path: pathOf('wget', own([...TOOLS, 'wget'])),
    })
  }
  if (busybox && spawnSync(busybox, ['wget', '--help']).status === 0) {
    const tools = Object.fromEntries(
      [...TOOLS, 'wget'].filter(tool => tool !== 'perl').map(tool => [tool, busybox]),
    )
    const path = pathOf('busybox', { ...tools, bash: undefined, perl: found('perl') })
    all.push({ name: 'busybox alone', command: [busybox, 'sh', SCRIPT], path })
  }
  return all
}

export interface SeenPing {
  /** `start`, or the exit status. */
  action: string
  query: URLSearchParams
  body: Buffer
  path: string
}

/** A server that notes pings by the check in their path, and answers as the check's name asks. */
export async function openReceiver() {
  const seen = new Map<string, SeenPing[]>()
  const tries = new Map<string, number>()
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url!, 'http://x')
      const [, , check = '', action = ''] = url.pathname.split('/').slice(0)
      const count = (tries.get(check) ?? 0) + 1
      tries.set(check, count)
      const kind = check.split('-')[0]!
      if (kind === 'slow') return void held.push(response)
      if (kind === 'flaky' && count === 1) return void response.writeHead(503).end()
      if (/^\d{3}$/.test(kind)) return void response.writeHead(Number(kind), { Location: '/x' }).end()
      const ping = { action, query: url.searchParams, body: Buffer.concat(chunks), path: url.pathname }
      seen.set(check, [...(seen.get(check) ?? []), ping])
      const headers = kind === 'short' ? { 'Ping-Body-Limit': '50' } : {}
      response.writeHead(200, headers).end('OK')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    root,
    seen: (check: string) => seen.get(check) ?? [],
    close() {
      for (const response of held) response.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}

export interface Ran {
  status: number | null
  out: Buffer
  /** What the command wrote to its error stream, and what the wrapper said there. */
  err: string
  said: string
}

export interface Running {
  child: ChildProcess
  done: Promise<Ran>
}

/** Starts a command line in a wrapper. */
export function start(
  { command: [file, ...rest], path }: Wrapper,
  args: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string | Buffer } = {},
): Running {
  const child = spawn(file!, [...rest, ...args], { env: { PATH: path, HOME: scratch, ...env }, cwd: scratch })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', chunk => out.push(chunk))
  child.stderr.on('data', chunk => err.push(chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const done = once(child, 'close').then(([status]) => {
    const lines = Buffer.concat(err)
      .toString('latin1')
      .split(/(?<=\n)/)
    const own = lines.filter(line => /^punctual[- ]exec: /.test(line))
    return {
      status,
      out: Buffer.concat(out),
      err: lines.filter(line => !own.includes(line)).join(''),
      said: own.join(''),
    }
  })
  return { child, done }
}

/** The pings that a spool holds: `begin` and `end`. */
export function kept(spool: string): string[] {
  if (!existsSync(spool)) return []
  return readdirSync(spool)
    .flatMap(name => /\.(begin|end)\.\d+$/.exec(name)?.[1] ?? [])
    .sort()
}
