/** The programs that are compared: a version on an engine, with a database of its own. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Cluster } from '../../test/_support/servers/postgres-server.js'
import { openBeside } from '../database.js'
import { makeDatabase } from '../postgres-site.js'
import { type ProcessorTimes, processorTimes } from '../processor-time.js'
import { nextPort, type Program, startProgram } from '../program.js'
import type { Seeded } from '../seed.js'
import { type Reader, signIn } from '../sign-in.js'
import { fillServer } from '../site.js'

export interface Side {
  version: 'new' | 'old'
  main: string
  node: string
  engine: 'sqlite' | 'postgres'
}

export interface Running {
  side: Side
  program: Program
  checks: Seeded['checks']
  key: string
  /** A user who is signed in. */
  reader: Reader
  /** The processor time of the program and its database so far. */
  times(): ProcessorTimes
}

/** Starts a version with `checks` checks in a database of its own: in `folder`, or on the server of `cluster`. */
export async function start(
  side: Side,
  folder: string,
  cluster: Cluster | null,
  checks: number,
): Promise<Running> {
  const { main, node, engine } = side
  const database = engine === 'postgres' ? await makeDatabase(cluster!) : null
  const settings: Record<string, string> = {
    SECRET_KEY: randomBytes(32).toString('hex'),
    REGISTRATION_OPEN: 'False',
    ...(database && { DATABASE_URL: database.url }),
  }
  const program = await startProgram(folder, nextPort(), '/live', settings, { main, node })
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: folder,
    SITE_ROOT: program.origin,
    CHECK_LIMIT: '1000000000',
    ...settings,
  }
  const made = spawnSync(node, [main, 'project', 'create', 'Bench', '--json'], { env, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  const filled = await fillServer({ url: program.origin, key: JSON.parse(made.stdout).api_key }, checks)
  const beside = await openBeside(folder, database?.url)
  const reader = await signIn(beside)
  await beside.close()
  const backends = database && { folder: cluster!.folder, database: database.name }
  const times = () => processorTimes(program.pid, backends)
  return { side, program, checks: filled.checks, key: filled.key, reader, times }
}
