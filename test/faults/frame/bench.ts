/** The place for a trial: creates what it needs and removes it afterwards. */
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
  /** The engines on which the short form tries it; the same unless given. */
  inShort?: readonly Engine[]
  /** Tries it and returns what was found; throws if something is wrong. */
  run(bench: Bench): Promise<Trial>
  /** How many times a message may be repeated: once for each time that sending could not be recorded. */
  mayRepeat?(bench: Bench): number
}

/** The longest duration of a hold (s): long enough to be seen, and short in the tests that everyone waits for. */
const HOLD = { thorough: '20', short: '4' }

export class Bench {
  readonly #cleanUp: (() => unknown)[] = []

  constructor(
    readonly engine: Engine,
    /** Whether waits take as long as in reality. */
    readonly thorough: boolean,
  ) {}

  /** Does `work` at the end, last first. */
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

  /** A PostgreSQL server with its default settings, so that commits are on disk. */
  async cluster(settings: readonly string[] = []): Promise<Cluster> {
    const cluster = await startCluster(settings)
    this.defer(() => cluster.remove())
    return cluster
  }

  /** The program, serving, with its project and its busy checks. */
  async open(
    options: Partial<Pick<ProgramOptions, 'env' | 'through' | 'clock' | 'role'>> & {
      /** The folder of SQLite's database. */
      data?: string
      /** The PostgreSQL database; by default one of this bench's own. */
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

/** A port that was free a moment ago, below the range that the system uses for outgoing connections. */
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
