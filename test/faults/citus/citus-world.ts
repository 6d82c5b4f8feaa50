/** Punctual on Citus: a coordinator, and two workers behind lines that can be cut. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { distributePostgres, migratePostgres } from '../../../src/storage/postgres/migrate.js'
import { startCitus, startCitusStandby } from '../../_support/servers/citus-cluster.js'
import { becomeSynchronous, type Cluster } from '../../_support/servers/postgres-server.js'
import type { Bench } from '../frame/bench.js'
import { openSwitch, type Switch } from '../frame/switch.js'
import type { Trial } from '../frame/trial.js'
import { type Line, openLine } from './line.js'

export interface CitusWorld {
  trial: Trial
  coordinator: Cluster
  workers: Cluster[]
  /** The lines by which the workers are reached; what is added is closed at the end. */
  lines: Line[]
  /** The address of the coordinator. */
  address: Switch
  /** The synchronous standby, if one was asked for. */
  standby: Cluster | null
  /** The UUIDs of the checks that a worker has. */
  checksOf(worker: number): Promise<Set<string>>
  /** Runs a statement on the coordinator. */
  ask(statement: string): Promise<Record<string, unknown>[]>
}

/** Few, so that a batch of pings has several checks in each. */
const SHARDS = 4

/** Which server has a standby. */
export type Replicated = 'coordinator' | 'worker'

/** Starts servers with their default settings, so that commits are on disk, and the program on them. */
export async function openCitusWorld(
  bench: Bench,
  env: Record<string, string>,
  replicated?: Replicated,
): Promise<CitusWorld> {
  const { coordinator, workers, remove } = await startCitus(2, ['wal_keep_size=256MB'])
  bench.defer(remove)
  const address = await openSwitch(portOf(coordinator))
  bench.defer(() => address.close())
  const lines = await Promise.all(workers.map(worker => openLine(portOf(worker))))
  bench.defer(() => {
    for (const line of lines) line.close()
  })
  for (const server of [coordinator, ...workers]) await run(server.url, 'CREATE EXTENSION citus')
  const url = `postgres://postgres@127.0.0.1:${address.port}/postgres`
  await run(url, `SELECT citus_set_coordinator_host('127.0.0.1', ${address.port})`)
  for (const { port } of lines) await run(url, `SELECT citus_add_node('127.0.0.1', ${port})`)
  await migratePostgres(url)
  await distributePostgres(url, SHARDS)
  const standby = await standbyOf(bench, replicated && (replicated === 'worker' ? workers[0]! : coordinator))
  const trial = await bench.open({ database: url, env })
  const ask = (statement: string) => run(url, statement)
  return {
    ...{ trial, coordinator, workers, lines, address, standby, ask },
    async checksOf(worker) {
      const rows = await ask(
        `SELECT n.uuid FROM check_names n
           JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('checks', n.check_id)
           JOIN pg_dist_node d ON d.groupid = p.groupid WHERE d.nodeport = ${lines[worker]!.port}`,
      )
      return new Set(rows.map(({ uuid }) => uuid as string))
    },
  }
}

async function standbyOf(bench: Bench, primary: Cluster | undefined): Promise<Cluster | null> {
  if (!primary) return null
  const standby = await startCitusStandby(primary)
  bench.defer(() => standby.remove())
  await becomeSynchronous(primary)
  return standby
}

/** The port of a server on loopback. */
export function portOf({ url }: Cluster): number {
  return Number(new URL(url).port)
}

/** Promotes a standby. */
export async function promote({ url }: Cluster): Promise<void> {
  const [row] = await run(url, 'SELECT pg_promote() AS done')
  assert.ok(row!.done, 'the standby is promoted')
}

async function run(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
