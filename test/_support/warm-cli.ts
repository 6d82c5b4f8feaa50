/**
 * Commands of the built program in one process that has loaded its parts: for tests of what a command does rather than
 * of how the program starts, which takes 0.4 s of processor time.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { asJson, type Env, type Finished, program } from './cli.js'

const PROCESS = fileURLToPath(new URL('./command-process.js', import.meta.url))

let running: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/** Runs a command to its end, after those before it. */
export function punctual(env: Env, args: readonly string[], input = ''): Promise<Finished> {
  const finished = last.then(() => run({ env, args, input }))
  last = finished.catch(() => {})
  return finished
}

/** Runs a command and returns its output as JSON. Throws its error output if it fails. */
export const punctualJson = asJson(punctual)

async function run(command: { env: Env; args: readonly string[]; input: string }): Promise<Finished> {
  running ??= fork(PROCESS, [program], {
    env: {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const child = running
  const heard = new AbortController()
  const answered = once(child, 'message', heard)
  const ended = once(child, 'exit', heard).then(([code]) => {
    throw new Error(`the process of the commands ended with ${code}`)
  })
  ended.catch(() => {})
  child.ref()
  child.channel!.ref()
  child.send(command)
  const [finished] = await Promise.race([answered, ended])
  heard.abort()
  // It ends with this process.
  child.unref()
  child.channel!.unref()
  return finished
}
