/** What a ping costs PostgreSQL, from the server's own statistics. */
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { openPostgresStore } from '../../src/storage/postgres/open.js'
import { startCluster } from '../../test/_support/servers/postgres-server.js'
import { outputOf } from '../output.js'
import { type Fed, makeChecks, rearm, rearmedText } from './pings.js'
import type { ModelRow } from './row.js'
import { benchSettings } from './settings.js'

/** Commits are synced. No checkpoint occurs during a measurement: its page images would not belong to the pings. */
const SERVER = [
  'max_connections=100',
  'jit=off',
  'max_wal_size=16GB',
  'checkpoint_timeout=1h',
  'shared_buffers=512MB',
]

interface Counters {
  walBytes: number
  walSyncs: number
  updates: number
  hotUpdates: number
  logBytes: number
  cpuUs: number
}

/** Measures each batch size with one feeding process, and the largest with several. */
export async function measurePostgres(
  options: {
    checks: number
    seconds: number
    folder: string
    batches: readonly number[]
    processes: readonly number[]
  },
  onRow: (row: ModelRow) => void,
  onRearmed: (text: string) => void,
): Promise<void> {
  const cluster = await startCluster(SERVER, options.folder)
  const client = new pg.Client({ connectionString: cluster.url })
  try {
    const store = await openPostgresStore(cluster.url, benchSettings, { create: true })
    const uuids = await makeChecks(store, options.checks)
    await client.connect()
    const cases = [
      ...options.batches.map(batch => ({ batch, processes: 1 })),
      ...options.processes.filter(count => count > 1).map(processes => ({ batch: 512, processes })),
    ]
    for (const { batch, processes } of cases) {
      const order = JSON.stringify({ url: cluster.url, uuids, batch, seconds: options.seconds })
      const before = await counters(client)
      const output = await Promise.all(
        Array.from({ length: processes }, () => outputOf(process.execPath, [FEEDER], order)),
      )
      const fed = output.map(text => JSON.parse(text) as Fed)
      const after = await counters(client)
      onRow(rowOf(`PostgreSQL, ${processes} process${processes > 1 ? 'es' : ''}`, batch, fed, before, after))
    }
    await client.query('UPDATE checks SET wake_at = 1')
    onRearmed(rearmedText('PostgreSQL', await rearm(store)))
    await store.close()
  } finally {
    await client.end().catch(() => {})
    await cluster.remove()
  }
}

const FEEDER = new URL('./feeder-process.js', import.meta.url).pathname

function rowOf(engine: string, batch: number, fed: Fed[], before: Counters, after: Counters): ModelRow {
  const sum = (of: (one: Fed) => number) => fed.reduce((total, one) => total + of(one), 0)
  const pings = sum(one => one.pings)
  // The server's counters include the half second in which the feeders warm up.
  const counted = pings * (1 + 0.5 / (fed[0]?.seconds ?? 1))
  return {
    engine,
    batch,
    perSecond: sum(one => one.pings / one.seconds),
    syncsPerPing: (after.walSyncs - before.walSyncs) / counted,
    walBytesPerPing: (after.walBytes - before.walBytes) / counted,
    logBytesPerPing: (after.logBytes - before.logBytes) / counted,
    hotShare: (after.hotUpdates - before.hotUpdates) / Math.max(1, after.updates - before.updates),
    clientUsPerPing: sum(one => one.cpuUs) / pings,
    serverUsPerPing: (after.cpuUs - before.cpuUs) / counted,
  }
}

async function counters(client: pg.Client): Promise<Counters> {
  const one = async (sql: string) => (await client.query(sql)).rows[0]
  const { version } = await one(`SELECT current_setting('server_version_num')::int AS version`)
  const wal = await one('SELECT wal_bytes::float8 AS bytes FROM pg_stat_wal')
  const syncs =
    version >= 180_000
      ? await one(`SELECT sum(fsyncs)::float8 AS count FROM pg_stat_io WHERE object = 'wal'`)
      : await one('SELECT wal_sync::float8 AS count FROM pg_stat_wal')
  const checks = await one(
    `SELECT n_tup_upd::float8 AS all, n_tup_hot_upd::float8 AS hot FROM pg_stat_user_tables WHERE relname = 'checks'`,
  )
  const log = await one(`SELECT pg_total_relation_size('pings')::float8 AS bytes`)
  const { pid } = await one(`SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`)
  return {
    walBytes: wal.bytes,
    walSyncs: syncs.count,
    updates: checks.all,
    hotUpdates: checks.hot,
    logBytes: log.bytes,
    cpuUs: serverTime(pid),
  }
}

/** The processor time of all the server's processes (µs), including those that have ended; 0 if it is not known. */
function serverTime(somePid: number): number {
  try {
    const server = statOf(somePid).parent
    const children = readdirSync('/proc').filter(name => /^\d+$/.test(name) && parentOf(name) === server)
    const ended = statOf(server)
    return children.reduce((total, pid) => total + statOf(Number(pid)).own, ended.own + ended.children)
  } catch {
    return 0
  }
}

function parentOf(pid: string): number {
  try {
    return statOf(Number(pid)).parent
  } catch {
    return 0
  }
}

/** proc(5): the fields after the name are numbered from the third; times are in hundredths of a second. */
function statOf(pid: number): { parent: number; own: number; children: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return {
    parent: fields[1]!,
    own: (fields[11]! + fields[12]!) * 10_000,
    children: (fields[13]! + fields[14]!) * 10_000,
  }
}
