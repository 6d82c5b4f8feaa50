/** The built program, run as users run it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createProject } from '../../src/actions/projects/create-project.js'
import { openStore } from '../../src/compose/store.js'
import { loadConfig } from '../../src/config.js'
import { systemClock } from '../../src/lib/clock.js'
import { packageRoot } from '../../src/lib/package-root.js'
import { eventually } from './eventually.js'
import { migratedFile, tempFolder } from './worlds/store.js'

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export type Env = Record<string, string>

/** The built program. */
export const program = join(packageRoot, 'dist/main.js')

/** A data folder for the test, as the program's whole environment. */
export async function freshInstallation(t: TestContext, env: Env = {}): Promise<Env> {
  return { DATA_DIR: join(await tempFolder(t), 'data'), ...env }
}

/** The same with a database. */
export async function migratedInstallation(t: TestContext, env: Env = {}): Promise<Env> {
  const installation = await freshInstallation(t, env)
  await mkdir(installation.DATA_DIR!, { mode: 0o700 })
  await writeFile(join(installation.DATA_DIR!, 'punctual.db'), await migratedFile(), { mode: 0o600 })
  return installation
}

/** The same with a project, and the project's keys. */
export async function installationWithProject(
  t: TestContext,
  settings: Env = {},
): Promise<{ env: Env; uuid: string; apiKey: string; pingKey: string }> {
  const env = await migratedInstallation(t, settings)
  const store = await openStore(loadConfig(env), { create: false })
  const made = await createProject(store, systemClock, { name: 'Backups', ownerEmail: null })
  await store.close()
  return { env, uuid: made.project.uuid, apiKey: made.apiKey, pingKey: made.pingKey }
}

/** Runs a command to its end. */
export async function punctual(env: Env, args: readonly string[], input = ''): Promise<Finished> {
  const child = spawn(process.execPath, [program, ...args], { env, cwd: packageRoot })
  child.stdin.end(input)
  const finished = gather(child)
  const [code] = await once(child, 'close')
  return { ...finished, code }
}

/** Runs a command and returns its output as JSON. Throws its error output if it fails. */
export const punctualJson = asJson(punctual)

/** `run` for commands that print JSON. */
export function asJson(run: typeof punctual) {
  // biome-ignore lint/suspicious/noExplicitAny: each command prints a shape of its own
  return async (env: Env, args: readonly string[], input = ''): Promise<any> => {
    const { code, stdout, stderr } = await run(env, [...args, '--json'], input)
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
}

export interface Serving {
  /** `http://127.0.0.1:PORT` */
  url: string
  /** Its output so far. */
  output: Omit<Finished, 'code'>
  /** Ends both pipes to which it writes. */
  stopReading(): void
  /** Sends a signal and waits until the program has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Further options for `serve`: flags of Node.js, and the program if it is not the built one. */
type How = [nodeFlags?: readonly string[], script?: string]

/** Starts `serve` on a free port, waits until it serves, and kills it when the test ends. */
export async function serving(
  t: TestContext,
  env: Env,
  options: readonly string[] = [],
  ...how: How
): Promise<Serving> {
  const started = starting(t, env, options, ...how)
  const { output } = started
  let ended = false
  void started.closed.then(() => {
    ended = true
  })
  const line = await eventually(() => {
    if (ended) throw new Error(`it did not start: ${output.stderr}`)
    return /^.*(?:"msg":"serving"| serving url=).*$/m.exec(output.stderr)?.[0]
  })
  return { ...started, url: `http://127.0.0.1:${/\bport"?[:=](\d+)/.exec(line)?.[1] ?? ''}` }
}

/** Starts `serve` on a free port and kills it when the test ends. */
export function starting(
  t: TestContext,
  env: Env,
  options: readonly string[] = [],
  ...[nodeFlags = [], script = program]: How
) {
  const child = spawn(process.execPath, [...nodeFlags, script, 'serve', ...options], {
    env: { HOST: '127.0.0.1', PORT: '0', LOG_FORMAT: 'json', ...env },
    cwd: packageRoot,
  })
  t.after(() => child.kill('SIGKILL'))
  const closed = once(child, 'close')
  return {
    output: gather(child),
    closed,
    /** Returns whether it was sent. */
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    stopReading(): void {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    async end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal)
      return (await closed)[0]
    },
  }
}

function gather(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  child.stdout!.setEncoding('utf8').on('data', piece => {
    output.stdout += piece
  })
  child.stderr!.setEncoding('utf8').on('data', piece => {
    output.stderr += piece
  })
  return output
}
