/** The servers of one PostgreSQL, or of Citus, and what they have done. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { distributePostgres } from '../../src/storage/postgres/migrate.js'
import { startCitus } from '../../test/_support/servers/citus-cluster.js'
import { type Cluster, withDatabase } from '../../test/_support/servers/postgres-server.js'
import { SERVER_SETTINGS } from '../postgres-site.js'
import { processorTime } from '../processor-time.js'

export interface Node {
  name: string
  cluster: Cluster
  /** Of the database “punctual” there. */
  url: string
}

export interface OpenNodes {
  /** The PostgreSQL, or the coordinator and its workers. */
  nodes: Node[]
  remove(): Promise<void>
}

/** Starts one PostgreSQL, or a coordinator with workers, in folders of `parent`, each with an empty database. */
export async function openNodes(workerCount: number, parent: string): Promise<OpenNodes> {
  const { coordinator, workers, remove } = await startCitus(workerCount, SERVER_SETTINGS, parent)
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
    if (workers.length > 0) await allowMoves(url)
  }
  return { nodes, remove }
}

/** Makes the workers, if there are any, known to the coordinator, and distributes the tables, which have to exist. */
export async function distribute([coordinator, ...workers]: readonly Node[], shards: number): Promise<void> {
  if (workers.length === 0) return
  const { url } = coordinator!
  await ask(url, `SELECT citus_set_coordinator_host('127.0.0.1', ${new URL(url).port})`)
  for (const worker of workers) await addWorker(coordinator!, worker)
  await distributePostgres(url, shards)
}

/** Makes a worker known to the coordinator. */
export async function addWorker(coordinator: Node, worker: Node): Promise<void> {
  await ask(coordinator.url, `SELECT citus_add_node('127.0.0.1', ${new URL(worker.url).port})`)
}

/** Newer versions of PostgreSQL move shards only if this setting names citus; others do not know it. */
async function allowMoves(url: string): Promise<void> {
  const [row] = await ask(url, "SELECT 1 FROM pg_settings WHERE name = 'output_plugin_libraries'")
  if (!row) return
  await ask(url, "ALTER SYSTEM SET output_plugin_libraries = 'pgoutput', 'test_decoding', 'citus'")
  await ask(url, 'SELECT pg_reload_conf()')
}

export function nameOf(nodes: readonly Node[]): string {
  return nodes.length > 1 ? `Citus, ${nodes.length - 1} workers` : 'one PostgreSQL'
}

/** What a node has done so far. */
export interface State {
  time: number
  syncs: number
  bytes: number
}

/** Reads what a node has done. */
export async function stateOf({ cluster, url }: Node): Promise<State> {
  const [row] = await ask(url, 'SELECT wal_sync::int AS syncs FROM pg_stat_wal')
  return { time: timeOf(cluster), syncs: row!.syncs as number, bytes: bytesOf(Number(new URL(url).port)) }
}

/** The processor time (µs) of all processes of a server. */
function timeOf({ folder }: Cluster): number {
  const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0])
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  return [pid, ...children].reduce((sum, one) => sum + timeOfProcess(one), 0)
}

/** 0 for one that has ended since it was listed. */
function timeOfProcess(pid: number): number {
  try {
    return processorTime(pid)
  } catch {
    return 0
  }
}

/** The bytes that open connections to a port have carried both ways; 0 without the program `ss`. */
function bytesOf(port: number): number {
  const { stdout } = spawnSync('ss', ['-tinH', `sport = :${port}`], { encoding: 'utf8' })
  const counted = [...(stdout ?? '').matchAll(/bytes_(?:acked|received):(\d+)/g)]
  return counted.reduce((sum, [, bytes]) => sum + Number(bytes), 0)
}

/** Runs a statement and returns its rows. */
export async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
