/** The tests of stores on a cluster of Citus: a coordinator and two workers, on which checks are distributed. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../src/lib/package-root.js'
import { programsWithCitus, startCitus } from '../_support/servers/citus-cluster.js'
import { FAST } from '../_support/servers/postgres-server.js'

/** Everything that needs a store. */
const WORDS = ['storage', 'jobs', 'actions', 'ping/', 'api/']

/** Less of what only large tables need. */
const SETTINGS = [...FAST, 'citus.max_shared_pool_size=-1', 'citus.max_adaptive_executor_pool_size=2']

/** What is absent, or null. */
export function missingForCitus(): string | null {
  return programsWithCitus() === null ? 'citus (an extension of an installed PostgreSQL)' : null
}

/** Runs the tests; returns whether all passed. */
export async function onCitus(): Promise<boolean> {
  const { coordinator, workers, remove } = await startCitus(2, SETTINGS)
  try {
    const { status } = spawnSync(
      process.execPath,
      [join(packageRoot, 'bin/test.js'), ...WORDS, '--postgres'],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          PUNCTUAL_TEST_POSTGRES: coordinator.url,
          PUNCTUAL_TEST_WORKERS: workers.map(({ url }) => url).join(' '),
        },
      },
    )
    return status === 0
  } finally {
    await remove()
  }
}
