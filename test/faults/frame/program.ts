/** The built program in its own process, with a clock that can be set. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { packageRoot } from '../../../src/lib/package-root.js'

const MAIN = join(packageRoot, 'dist/main.js')
const SHIFT_CLOCK = fileURLToPath(new URL('./shift-clock.js', import.meta.url))
const START_WITHIN_MS = 60_000

/** A way to make the program's clock differ from the machine's while it runs. */
export interface Clock {
  /** The environment variables of the program. `file` holds the difference. */
  env(file: string): Record<string, string>
  /** The contents of the file for a difference in ms. */
  contents(offsetMs: number): string
}

/** A module that is loaded before the program. */
const MODULE: Clock = {
  env: file => ({
    PUNCTUAL_CLOCK_OFFSET: file,
    NODE_OPTIONS: `--import=${pathToFileURL(SHIFT_CLOCK).href}`,
  }),
  contents: String,
}

/** How the program is run. */
export interface ProgramOptions {
  /** The folder of the log and the clock's file, and of the database if the environment names no other. */
  folder: string
  port: number
  env?: Record<string, string>
  /** A command that runs the program, for example with limits. */
  through?: readonly string[]
  clock?: Clock
  /** Its role; both unless given. A worker alone answers on METRICS_PORT. */
  role?: 'web' | 'worker'
}

export class Program {
  readonly site: string
  readonly env: Record<string, string>
  readonly #folder: string
  readonly #through: readonly string[]
  readonly #clock: Clock
  readonly #arguments: readonly string[]
  readonly #clockFile: string
  #process: ChildProcess | null = null
  #offsetMs = 0

  constructor({ folder, port, env = {}, through = [], clock = MODULE, role }: ProgramOptions) {
    this.#folder = folder
    this.#through = through
    this.#clock = clock
    this.#arguments = role ? ['serve', '--role', role] : ['serve']
    this.#clockFile = join(folder, 'clock')
    this.site = `http://127.0.0.1:${port}`
    // Not the environment of the person who runs this: it may contain other settings.
    this.env = {
      PATH: process.env.PATH ?? '',
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: String(port),
      SITE_ROOT: this.site,
      SECRET_KEY: 'known to the tests alone',
      PING_LOG_LIMIT: '1000000000',
      INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True',
      LOG_FORMAT: 'json',
      ...clock.env(this.#clockFile),
      ...env,
    }
    this.setClock(0)
  }

  get pid(): number {
    return this.#process!.pid!
  }

  /** The time of day as the program sees it (ms). */
  now(): number {
    return Date.now() + this.#offsetMs
  }

  /** Sets the program's clock `offsetMs` ahead of the machine's. This may take 20 ms. */
  setClock(offsetMs: number): void {
    this.#offsetMs = offsetMs
    writeFileSync(`${this.#clockFile}.new`, this.#clock.contents(offsetMs))
    renameSync(`${this.#clockFile}.new`, this.#clockFile)
  }

  /** Starts it and waits until it reports that it is ready. */
  async start(): Promise<void> {
    const log = openSync(join(this.#folder, 'log'), 'a')
    const [command, ...args] = [...this.#through, process.execPath, MAIN, ...this.#arguments]
    this.#process = spawn(command!, args, { env: this.env, stdio: ['ignore', log, log] })
    closeSync(log)
    await this.waitUntilReady()
  }

  /** Waits until it reports that it is ready; throws if it has ended. Returns how long that took (ms). */
  async waitUntilReady(): Promise<number> {
    const from = performance.now()
    while (performance.now() - from < START_WITHIN_MS) {
      const answer = await this.call('GET', '/ready').catch(() => null)
      if (answer?.status === 200) return performance.now() - from
      if (this.#process?.exitCode !== null) break
      await sleep(20)
    }
    throw new Error(`the program does not serve: ${this.log().slice(-2000)}`)
  }

  /** Ends it with SIGTERM and returns its exit code. */
  async stop(): Promise<number | null> {
    return await this.#end('SIGTERM')
  }

  /** Ends it with SIGKILL. Does nothing if it is not running. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process
    this.#process = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const ended = once(child, 'exit')
    child.kill(signal)
    return (await ended)[0]
  }

  /** Runs a command to its end and returns its output. */
  async command(...args: string[]): Promise<string> {
    return (await promisify(execFile)(process.execPath, [MAIN, ...args], { env: this.env })).stdout
  }

  /** Its log since its first start. */
  log(): string {
    return readFileSync(join(this.#folder, 'log'), 'utf8')
  }

  async call(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const signal = AbortSignal.timeout(15_000)
    const answer = await fetch(this.site + path, { method, headers, signal, ...(body ? { body } : {}) })
    return { status: answer.status, headers: answer.headers, body: await answer.text() }
  }
}
