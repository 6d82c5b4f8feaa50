/** PgBouncer in transaction mode between the program and its PostgreSQL: the tests of stores and processes run through it. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { packageRoot } from '../../src/lib/package-root.js'
import { isUnavailable } from '../../src/storage/errors.js'
import { openPostgresStore } from '../../src/storage/postgres/open.js'
import { freePort } from '../_support/servers/free-port.js'
import { type Cluster, serverUser, startCluster } from '../_support/servers/postgres-server.js'
import { testSettings } from '../_support/worlds/store.js'

const PROGRAMS = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer']

/** What runs through the pooler: everything that needs a store, and the built program as several processes. */
const WORDS = ['storage', 'jobs', 'actions', 'ping/', 'api/', 'cli/postgres']

/** What is absent, or null. */
export function missingForPgBouncer(): string | null {
  return PROGRAMS.some(existsSync) ? null : 'pgbouncer (Debian package pgbouncer)'
}

/** Runs the tests through PgBouncer, and takes the server away behind it; returns whether all went well. */
export async function throughPgBouncer(): Promise<boolean> {
  const cluster = await startCluster()
  try {
    const pooler = await startPooler(cluster.url)
    try {
      await loseServer(cluster, pooler.url)
      const { status } = spawnSync(
        process.execPath,
        [join(packageRoot, 'bin/test.js'), ...WORDS, '--postgres'],
        {
          stdio: 'inherit',
          env: {
            ...process.env,
            PUNCTUAL_TEST_POSTGRES: cluster.url,
            PUNCTUAL_TEST_POOLER: pooler.url,
          },
        },
      )
      return status === 0
    } finally {
      await pooler.stop()
    }
  } finally {
    await cluster.remove()
  }
}

/** While the server is away behind the pooler, questions are refused; when it is back, they are answered again. */
async function loseServer(cluster: Cluster, url: string): Promise<void> {
  const store = await openPostgresStore(url, testSettings, { create: true })
  try {
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      await cluster.stop(signal)
      for (const ask of [() => store.instance.probe(), () => store.instance.beat('me', 1)]) {
        await assert.rejects(ask, error => isUnavailable(error))
      }
      await cluster.start()
      const deadline = Date.now() + 60_000
      const answered = () => Promise.all([store.instance.probe(), store.instance.beat('me', 1)])
      for (;;) {
        const error = await answered().then(
          () => null,
          (error: unknown) => error,
        )
        if (error === null) break
        assert.ok(isUnavailable(error) && Date.now() < deadline, String(error))
        await sleep(100)
      }
    }
  } finally {
    await store.close()
  }
  console.log('the server was lost behind PgBouncer twice: refused meanwhile, answered afterwards')
}

async function startPooler(serverUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), 'punctual-pgbouncer-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const server = new URL(serverUrl)
  const port = await freePort()
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    `[databases]
* = host=${decodeURIComponent(server.hostname)} port=${server.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 8
server_idle_timeout = 2
server_login_retry = 1
log_connections = 0
log_disconnections = 0
logfile = ${join(folder, 'log')}
`,
  )
  const program = PROGRAMS.find(existsSync)!
  const child = spawn(program, ['-q', config], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...user,
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilItAnswers(url, child)
  return {
    url,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error('PgBouncer did not start')
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await sleep(50)
    }
  }
  throw new Error('PgBouncer does not answer')
}
