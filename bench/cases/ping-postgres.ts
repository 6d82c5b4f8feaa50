import { startCluster } from '../../test/_support/servers/postgres-server.js'
import type { Case } from '../case.js'
import { compareWithBare } from '../compare.js'
import { openPostgresSite } from '../postgres-site.js'

/** As PostgreSQL comes, but for memory: every commit is synced. */
const SETTINGS = ['shared_buffers=256MB', 'max_wal_size=4GB']

export const pingPostgres: Case = {
  name: 'ping-postgres',
  title: 'Pings by GET over 1,000 checks, 64 connections, on PostgreSQL on this machine, one process',
  reach: '20 % of the bare server, 30 % the aim',
  remote: false,
  async run(options) {
    const cluster = await startCluster(SETTINGS)
    try {
      const site = await openPostgresSite(options, cluster.url, { checks: 1_000 })
      try {
        const paths = site.checks.map(({ uuid }) => `/ping/${uuid}`)
        const { origin, pid } = site
        return [await compareWithBare(options, 'pings', { origin, pid, paths, connections: 64 })]
      } finally {
        await site.stop()
      }
    } finally {
      await cluster.remove()
    }
  },
}
