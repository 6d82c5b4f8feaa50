/** What a fault is tried on: makes the places that a trial needs and removes them afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, startCluster } from '../../_support/servers/postgres-server.js'
import { Program, type ProgramOptions } from './program.js'
import { startReceiver } from './receiver.js'
import { Trial } from './trial.js'

export type Engine = 'sqlite' | 'postgres'

/** A fault that the program must survive. */
export interface Fault {
  name: string
  engines: readonly Engine[]
  /** Those that it is tried on where everybody waits for the tests; the same unless given. */
  inShort?: readonly Engine[]
  /** Tries it and returns what was found; throws what is wrong. */
  run(bench: Bench): Promise<Trial>
  /** How many times a message may come too often: once for each time that sending could not be noted. */
  mayRepeat?(bench: Bench): number
}

/** How long a hold lasts at most (s): long enough to be seen, and no longer where everybody waits for the tests. */
const HOLD = { thorough: '20', short: '4' }

export class Bench {
  readonly #cleanUp: (() => unknown)[] = []

  constructor(
    readonly engine: Engine,
    /** Whether to take the time that things really take. */
    readonly thorough: boolean,
  ) {}

  /** Does `work` when everything is over, the last first. */
  defer(work: () => unknown): void {
    this.#cleanUp.push(work)
  }

  async close(): Promise<void> {
    for (const work of this.#cleanUp.reverse()) await work()
  }

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'punctual-fault-'))
    this.defer(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  /** A PostgreSQL server with the settings that it has by itself, so that commits are on disk. */
  async cluster(settings: readonly string[] = []): Promise<Cluster> {
    const cluster = await startCluster(settings)
    this.defer(() => cluster.remove())
    return cluster
  }

  /** The program with its project and its busy checks, serving. */
  async open(
    options: Partial<Pick<ProgramOptions, 'env' | 'through' | 'clock' | 'role'>> & {
      /** Where SQLite's database lies. */
      data?: string
      /** The PostgreSQL database; one of this bench's own unless given. */
      database?: string
    } = {},
  ): Promise<Trial> {
    const folder = this.folder()
    const data = options.data ?? folder
    const postgres = options.database ?? (this.engine === 'postgres' ? (await this.cluster()).url : null)
    const program = new Program({
      ...options,
      folder,
      port: await freePort(),
      env: {
        DATA_DIR: data,
        OUTAGE_HOLD: this.thorough ? HOLD.thorough : HOLD.short,
        MATTERMOST_ENABLED: 'True',
        ...(postgres ? { DATABASE_URL: postgres } : {}),
        ...options.env,
      },
    })
    const receiver = await startReceiver(() => program.now())
    this.defer(() => receiver.close())
    const trial = new Trial(
      program,
      receiver,
      postgres ?? `sqlite:${join(data, 'punctual.db')}`,
      this.thorough,
    )
    this.defer(() => program.kill())
    await trial.begin()
    return trial
  }
}

/** A port that was free a moment ago, below those that the system gives to outgoing connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    const server = createServer()
    const free = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise(resolve => server.close(resolve))
    if (free) return port
  }
}
