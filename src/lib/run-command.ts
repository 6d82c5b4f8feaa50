import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { DeadlinePassed, withDeadline } from './http/deadline.js'
import { killMarked } from './kill-marked.js'
import { OutputTail } from './output-tail.js'

/** How a command ended: with an exit code, or by a signal. */
export interface CommandResult {
  code: number | null
  signal: string | null
  /** The last part of standard output and standard error, combined. */
  output: string
}

/** A command timed out or could not be started. The message does not reveal the command. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export interface RunOptions {
  /** The only environment variables that commands get, besides those of a request. */
  environment: Readonly<Record<string, string>>
  limitMs?: number
}

/** Runs a command with `variables` in its environment. Throws `CommandError`, or the signal's reason when it aborts. */
export type RunCommand = (
  request: { command: string; variables?: Readonly<Record<string, string>> },
  signal?: AbortSignal,
) => Promise<CommandResult>

/** The environment variable that identifies the processes a command started. */
const MARKER = 'PUNCTUAL_RUN'
const OUTPUT_BYTES = 4_096
/** How long to wait for the rest of the output after a command exits. */
const REMAINING_OUTPUT_MS = 200

/**
 * Runs commands with `/bin/sh` and without input. Kills a command that takes longer than `limitMs` (30 s), together
 * with every process it started that can be found. Keeps the last 4 kB of output.
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
    // In its own process group, so that its children can be killed with it.
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
      // Processes left in the background keep the pipes open; do not wait for them.
      const timer = setTimeout(settle, REMAINING_OUTPUT_MS)
      child.once('close', settle)
    })
  })
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
