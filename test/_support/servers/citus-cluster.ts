/** A coordinator and workers of Citus, where it is installed beside a PostgreSQL. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.js'
import { type Cluster, startCluster, startStandby } from './postgres-server.js'

export interface CitusCluster {
  coordinator: Cluster
  workers: Cluster[]
  remove(): Promise<void>
}

/** What Citus needs. */
const CITUS = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_connections=1000',
  'max_prepared_transactions=500',
  'citus.enable_statistics_collection=off',
  // Tests make writes fail by triggers.
  'citus.enable_unsafe_triggers=on',
  // Otherwise the servers look for a certificate in the home folder of the user who started them.
  'citus.node_conninfo=sslmode=disable',
]

/** Where Debian has the versions of PostgreSQL. */
const DEBIAN = '/usr/lib/postgresql'

/** Starts a coordinator and `count` workers with `settings`, on loopback ports, with their folders in `parent`. */
export async function startCitus(
  count: number,
  settings: readonly string[],
  parent = tmpdir(),
): Promise<CitusCluster> {
  const bin = programsWithCitus()
  if (bin === null) throw new Error('no PostgreSQL with Citus is installed')
  const nodes: Cluster[] = []
  const remove = async () => {
    await Promise.all(nodes.map(node => node.remove()))
  }
  try {
    while (nodes.length <= count) {
      nodes.push(await startCluster([...settings, ...CITUS], parent, { bin, port: await freePort() }))
    }
    return { coordinator: nodes[0]!, workers: nodes.slice(1), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** A standby of a server of Citus, which is stopped for a moment. */
export async function startCitusStandby(primary: Cluster): Promise<Cluster> {
  return await startStandby(primary, CITUS, { bin: programsWithCitus()!, port: await freePort() })
}

/** The folder of the programs of a PostgreSQL that has Citus; null if there is none. */
export function programsWithCitus(): string | null {
  const installed = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(version => join(DEBIAN, version, 'bin')) : []
  const named = process.env.PUNCTUAL_TEST_POSTGRES_BIN
  const onPath = outputOf('pg_config', '--bindir')
  const folders = [...(named ? [named] : []), ...(onPath ? [onPath] : []), ...installed]
  return folders.find(bin => hasCitus(bin)) ?? null
}

function hasCitus(bin: string): boolean {
  const libraries = outputOf(join(bin, 'pg_config'), '--pkglibdir') ?? join(bin, '../lib')
  return existsSync(join(bin, 'postgres')) && existsSync(join(libraries, 'citus.so'))
}

function outputOf(program: string, option: string): string | null {
  const { status, stdout } = spawnSync(program, [option], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
