/** The tests of stores on a cluster of Citus: a coordinator and two workers, on which checks are distributed. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/lib/package-root.js'
import { freePort } from '../_support/servers/free-port.js'
import { type Cluster, FAST, startCluster } from '../_support/servers/postgres-server.js'

/** Everything that needs a store. */
const WORDS = ['storage', 'jobs', 'actions', 'ping/', 'api/']

const WORKERS = 2

/** What Citus needs, and less of what only large tables need. */
const SETTINGS = [
  ...FAST,
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_connections=1000',
  'max_prepared_transactions=500',
  'citus.max_shared_pool_size=-1',
  'citus.max_adaptive_executor_pool_size=2',
  'citus.enable_statistics_collection=off',
  // Otherwise the servers look for a certificate in the home folder of the user who started them.
  'citus.node_conninfo=sslmode=disable',
]

/** Where Debian has the versions of PostgreSQL. */
const DEBIAN = '/usr/lib/postgresql'

/** What is absent, or null. */
export function missingForCitus(): string | null {
  return programsWithCitus() === null ? 'citus (an extension of an installed PostgreSQL)' : null
}

/** Runs the tests; returns whether all passed. */
export async function onCitus(): Promise<boolean> {
  const clusters: Cluster[] = []
  try {
    for (let node = 0; node <= WORKERS; node++) {
      const own = { bin: programsWithCitus()!, port: await freePort() }
      clusters.push(await startCluster(SETTINGS, tmpdir(), own))
    }
    const [coordinator, ...workers] = clusters.map(({ url }) => url)
    const { status } = spawnSync(
      process.execPath,
      [join(packageRoot, 'bin/test.js'), ...WORDS, '--postgres'],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          PUNCTUAL_TEST_POSTGRES: coordinator,
          PUNCTUAL_TEST_WORKERS: workers.join(' '),
        },
      },
    )
    return status === 0
  } finally {
    for (const cluster of clusters) await cluster.remove()
  }
}

/** The folder of the programs of a PostgreSQL that has Citus; null if there is none. */
function programsWithCitus(): string | null {
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
