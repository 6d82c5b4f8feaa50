/**
 * Measures pings on one PostgreSQL and on Citus beside it: `npm run bench:citus`. All databases and programs run at the same
 * time and are loaded in turn, because what matters is how the work of each server compares. Needs a PostgreSQL with Citus.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { packageRoot } from '../src/lib/package-root.js'
import { distributePostgres } from '../src/storage/postgres/migrate.js'
import { type CitusCluster, startCitus } from '../test/_support/servers/citus-cluster.js'
import { type Cluster, withDatabase } from '../test/_support/servers/postgres-server.js'
import { refuseMemory } from './disk.js'
import { load } from './load/load.js'
import { loadPaced } from './load/paced.js'
import { median } from './median.js'
import { SERVER_SETTINGS } from './postgres-site.js'
import { processorTime } from './processor-time.js'
import { nextPort, type Program, startProgram } from './program.js'
import { fillServer } from './site.js'

const USAGE = `npm run bench:citus -- [options]

  --workers LIST   the numbers of workers to measure, separated by commas (1,2)
  --shards N       shards of each table (8)
  --checks N       checks (4,000)
  --rounds N       how often each is loaded (6)
  --rate N         pings per second of the load that is evenly spaced (300)`

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    shards: { type: 'string', default: '8' },
    checks: { type: 'string', default: '4000' },
    rounds: { type: 'string', default: '6' },
    rate: { type: 'string', default: '300' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else await main()

/** A server of a site. */
interface Node {
  name: string
  cluster: Cluster
  url: string
}

interface Site {
  name: string
  nodes: Node[]
  program: Program
  paths: string[]
  figures: Figures[]
}

/** What one load took; of each node by its place. */
interface Figures {
  rate: number
  program: number
  /** Processor time a ping (µs). */
  node: number[]
  /** Syncs of the log of writes, a thousand pings. */
  syncs: number[]
  /** Bytes to and from clients and other nodes, a ping. */
  bytes: number[]
}

async function main(): Promise<void> {
  const data = join(packageRoot, 'bench/.data')
  mkdirSync(data, { recursive: true })
  refuseMemory(data)
  const folder = mkdtempSync(join(data, 'citus-'))
  const removals: (() => Promise<unknown>)[] = []
  const sites: Site[] = []
  try {
    for (const count of [0, ...values.workers.split(',').map(Number)]) {
      const citus = await startCitus(count, SERVER_SETTINGS, data)
      removals.unshift(() => citus.remove())
      const site = await openSite(citus, join(folder, String(count)))
      removals.unshift(() => site.program.stop())
      sites.push(site)
    }
    for (const { program, paths } of sites) {
      await load({ origin: program.origin, paths, connections: 64, seconds: 6 })
    }
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const site of sites) site.figures.push(await measure(site))
    }
    for (const site of sites) await report(site)
  } finally {
    for (const remove of removals) await remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A program on one PostgreSQL, or on Citus with workers, with checks that were made before they were distributed. */
async function openSite({ coordinator, workers }: CitusCluster, folder: string): Promise<Site> {
  mkdirSync(folder)
  const node = (name: string, cluster: Cluster) => ({
    name,
    cluster,
    url: withDatabase(cluster.url, 'punctual'),
  })
  const nodes = [
    node(workers.length > 0 ? 'coordinator' : 'PostgreSQL', coordinator),
    ...workers.map((worker, place) => node(`worker ${place + 1}`, worker)),
  ]
  for (const { cluster, url } of nodes) {
    await ask(cluster.url, 'CREATE DATABASE punctual')
    if (workers.length > 0) await ask(url, 'CREATE EXTENSION citus')
  }
  const { url } = nodes[0]!
  const settings = { SECRET_KEY: 'bench-bench-bench-bench-bench-bench', DATABASE_URL: url }
  const first = await startProgram(folder, nextPort(), '/live', settings)
  const env = { PATH: process.env.PATH, DATA_DIR: folder, SITE_ROOT: first.origin, ...settings }
  const main = join(packageRoot, 'dist/main.js')
  const made = spawnSync(process.execPath, [main, 'project', 'create', 'Bench', '--json'], {
    env,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(made.stderr)
  const { api_key: key } = JSON.parse(made.stdout)
  const { checks } = await fillServer({ url: first.origin, key }, Number(values.checks))
  await first.stop()
  if (workers.length > 0) {
    await ask(url, `SELECT citus_set_coordinator_host('127.0.0.1', ${new URL(url).port})`)
    for (const { url: worker } of nodes.slice(1)) {
      await ask(url, `SELECT citus_add_node('127.0.0.1', ${new URL(worker).port})`)
    }
    await distributePostgres(url, Number(values.shards))
  }
  const program = await startProgram(folder, nextPort(), '/live', settings)
  const name = workers.length > 0 ? `Citus, ${workers.length} workers` : 'one PostgreSQL'
  return { name, nodes, program, paths: checks.map(({ uuid }) => `/ping/${uuid}`), figures: [] }
}

async function measure({ program, paths, nodes }: Site): Promise<Figures> {
  const seconds = 2
  const [before, alone] = [await Promise.all(nodes.map(stateOf)), processorTime(program.pid)]
  const { rate } = await load({ origin: program.origin, paths, connections: 64, seconds })
  const pings = rate * seconds
  const ownTime = (processorTime(program.pid) - alone) / pings
  const after = await Promise.all(nodes.map(stateOf))
  const spent = (name: keyof State) =>
    nodes.map((_, place) => (after[place]![name] - before[place]![name]) / pings)
  return {
    rate,
    program: ownTime,
    node: spent('time'),
    syncs: spent('syncs').map(some => some * 1000),
    bytes: spent('bytes'),
  }
}

/** What a node has done so far. */
interface State {
  time: number
  syncs: number
  bytes: number
}

async function stateOf({ cluster, url }: Node): Promise<State> {
  const [row] = await ask(url, 'SELECT wal_sync::int AS syncs FROM pg_stat_wal')
  return { time: timeOf(cluster), syncs: row!.syncs as number, bytes: bytesOf(Number(new URL(url).port)) }
}

/** The processor time (µs) of all processes of a server. */
function timeOf({ folder }: Cluster): number {
  const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0])
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  return [pid, ...children].reduce((sum, one) => sum + processorTime(one), 0)
}

/** The bytes that open connections to a port have carried both ways; 0 without the program `ss`. */
function bytesOf(port: number): number {
  const { stdout } = spawnSync('ss', ['-tinH', `sport = :${port}`], { encoding: 'utf8' })
  const counted = [...(stdout ?? '').matchAll(/bytes_(?:acked|received):(\d+)/g)]
  return counted.reduce((sum, [, bytes]) => sum + Number(bytes), 0)
}

async function report({ name, figures, nodes, program, paths }: Site): Promise<void> {
  const of = (pick: (one: Figures) => number) => median(figures.map(pick))
  const rate = Number(values.rate)
  const paced = await loadPaced({ origin: program.origin, paths, connections: 32, seconds: 10, rate })
  console.log(
    `\n${name}: ${of(one => one.rate).toFixed(0)} pings/s, program ${of(one => one.program).toFixed(1)} µs a ping, ` +
      `p99 ${paced.p99.toFixed(1)} ms at ${rate}/s`,
  )
  for (const [place, node] of nodes.entries()) {
    const [time, syncs, bytes] = [
      of(one => one.node[place]!),
      of(one => one.syncs[place]!),
      of(one => one.bytes[place]!),
    ]
    console.log(
      `  ${node.name.padEnd(12)} ${time.toFixed(1).padStart(6)} µs a ping, ${syncs.toFixed(1)} syncs a thousand pings, ` +
        `${bytes.toFixed(0)} bytes a ping`,
    )
  }
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
