import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { DeadlinePassed, withDeadline } from './http/deadline.js'
import { killMarked } from './kill-marked.js'
import { OutputTail } from './output-tail.js'

/** How a command ended: with an exit code, or by a signal. */
export interface CommandResult {
  code: number | null
  signal: string | null
  /** The end of what it wrote, standard output and error together. */
  output: string
}

/** A command that did not come to its end, or never began. The message shows nothing of it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export interface RunOptions {
  /** All that a command sees of the environment. */
  environment: Readonly<Record<string, string>>
  limitMs?: number
}

/** Runs a command, which sees `variables` too. Throws `CommandError`, or the signal's reason when it is aborted. */
export type RunCommand = (
  request: { command: string; variables?: Readonly<Record<string, string>> },
  signal?: AbortSignal,
) => Promise<CommandResult>

/** The variable by which what a command started is known. */
const MARKER = 'PUNCTUAL_RUN'
const OUTPUT_BYTES = 4_096
/** How long after a command's end the rest of its output is waited for. */
const REST_MS = 200

/**
 * Commands through the system's POSIX shell, without input. One that takes longer than `limitMs` (30 s) is killed with
 * all that it started, as far as it can be known; of what it writes only the last 4 kB are kept.
 */
export function createRunCommand({ environment, limitMs = 30_000 }: RunOptions): RunCommand {
  return async ({ command, variables }, signal) => {
    const env = { ...environment, ...variables }
    try {
      return await withDeadline(limitMs, signal, within => run(command, env, within))
    } catch (error) {
      if (error instanceof DeadlinePassed) throw new CommandError('Command timed out', { cause: error })
      throw error
    }
  }
}

function run(
  command: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const run = randomUUID()
    // A group of its own, so that what it started can be ended with it.
    const child = spawn('/bin/sh', ['-c', command], {
      env: { ...env, [MARKER]: run },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = new OutputTail(OUTPUT_BYTES)
    output.read(child.stdout)
    output.read(child.stderr)
    const end = () => {
      signal.removeEventListener('abort', abort)
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const abort = () => {
      kill(child.pid)
      void killMarked(`${MARKER}=${run}`)
      end()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    child.once('error', error => {
      end()
      reject(new CommandError('Command could not be started', { cause: error }))
    })
    child.once('exit', (code, killedBy) => {
      const settle = () => {
        clearTimeout(timer)
        end()
        resolve({ code, signal: killedBy, output: output.toString() })
      }
      // Whatever it left running keeps the pipes open; nobody waits for that.
      const timer = setTimeout(settle, REST_MS)
      child.once('close', settle)
    })
  })
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
