import { CommanderError } from 'commander'
import { ApiError } from '../client/api-error.js'
import { Refusal } from '../core/errors.js'
import { DataFolderError } from '../lib/data-folder.js'
import { ConfigError } from '../lib/settings.js'
import { buildProgram } from './program.js'

/**
 * Runs the command line `args` (without node and the script). Returns the exit code: 0, or 1 after an error message on
 * standard error, or 2 if the command was not written as its help says.
 */
export async function run(args: readonly string[]): Promise<number> {
  // A reader such as `head` may close the pipe early, which is not an error.
  process.stdout.on('error', error => process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1))
  try {
    await buildProgram().parseAsync(args, { from: 'user' })
    // A command that was carried out may have a status of its own.
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.stderr.write(`punctual: ${explain(error)}\n`)
    return 1
  }
}

function explain(error: unknown): string {
  if (error instanceof ConfigError && error.problems.length > 1) {
    return ['these settings cannot be used:', ...error.problems].join('\n  ')
  }
  const expected =
    error instanceof Refusal ||
    error instanceof ApiError ||
    error instanceof ConfigError ||
    error instanceof DataFolderError
  if (expected) return error.message
  if (!(error instanceof Error)) return `unexpected error: ${error}`
  const { code } = error as NodeJS.ErrnoException
  if (code?.startsWith('SQLITE_')) return `the database cannot be used: ${error.message}`
  return code ? error.message : `unexpected error: ${error.message}`
}
