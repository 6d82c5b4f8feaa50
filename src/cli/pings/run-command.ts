/** Runs a command with the streams, the environment and the signals of this process. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { handOver, openPipe, passOn, type Tail } from './pass-output.js'

/** How long (ms) children in the background may keep the output open after the command has ended. */
const OUTPUT_ENDS_MS = 2_000

const FORWARDED = ['SIGHUP', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGINT', 'SIGQUIT'] as const

/** Runs it and returns its exit status, as a shell would: 127 if it is not found, 128 and the signal that ended it. */
export async function runCommand([program, ...args]: [string, ...string[]], tail: Tail): Promise<number> {
  const folder = makePipes()
  const paths = folder === null ? null : [join(folder, 'out'), join(folder, 'err')]
  const pipes = paths?.map(openPipe)
  const child = spawn(program, args, {
    stdio: ['inherit', pipes?.[0]?.writable ?? 'pipe', pipes?.[1]?.writable ?? 'pipe'],
  })
  forwardSignals(child)
  const sources = pipes?.map(({ source }) => source) ?? [child.stdout!, child.stderr!]
  const passed = Promise.all(sources.map((source, place) => passOn(source, place === 0 ? 1 : 2, tail)))
  for (const { writable } of pipes ?? []) closeSync(writable)
  const status = await new Promise<number>(resolve => {
    child.on('error', error => resolve(statusOf(error as NodeJS.ErrnoException, program)))
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  })
  if (!(await endsSoon(passed)) && paths) {
    for (const [place, path] of paths.entries()) {
      if (!sources[place]!.readableEnded) handOver(path, place === 0 ? 1 : 2)
    }
  }
  for (const source of sources) source.destroy()
  if (folder) rmSync(folder, { recursive: true, force: true })
  return status
}

function makePipes(): string | null {
  let folder: string | null = null
  try {
    folder = mkdtempSync(join(tmpdir(), 'punctual-'))
    execFileSync('mkfifo', [join(folder, 'out'), join(folder, 'err')], { stdio: 'ignore' })
    return folder
  } catch {
    if (folder) rmSync(folder, { recursive: true, force: true })
    return null
  }
}

function statusOf({ code, message }: NodeJS.ErrnoException, program: string): number {
  const isUnknown = code === 'ENOENT'
  process.stderr.write(
    `punctual exec: ${program}: ${isUnknown ? 'not found' : code === 'EACCES' ? 'permission denied' : message}\n`,
  )
  return isUnknown ? 127 : 126
}

/** A terminal sends INT and QUIT to the command itself. */
function forwardSignals(child: ChildProcess): void {
  const isTerminal = isatty(0)
  for (const signal of FORWARDED) {
    const isSent = isTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT')
    process.on(signal, () => isSent || child.kill(signal))
  }
}

async function endsSoon(passed: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>(resolve => {
    timer = setTimeout(resolve, OUTPUT_ENDS_MS, false)
  })
  const ended = await Promise.race([passed.then(() => true), late])
  clearTimeout(timer)
  return ended
}
