import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { packageRoot } from '../src/lib/package-root.js'
import { type Cluster, withDatabase } from '../test/_support/servers/postgres-server.js'
import { openBeside } from './database.js'

/** Settings of PostgreSQL. Only those of memory differ from the defaults; every commit is synced. */
export const SERVER_SETTINGS = ['shared_buffers=256MB', 'max_wal_size=4GB']

/** A database of its own on a server. */
export interface OwnDatabase {
  name: string
  url: string
}

/** Creates a database on the server: an empty one, or a copy of the one called `template`. */
export async function makeDatabase(server: Cluster, template?: string): Promise<OwnDatabase> {
  const name = `bench_${randomBytes(4).toString('hex')}`
  await inServer(server, `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`)
  return { name, url: withDatabase(server.url, name) }
}

export async function dropDatabase(server: Cluster, { name }: OwnDatabase): Promise<void> {
  await inServer(server, `DROP DATABASE ${name} WITH (FORCE)`)
}

/** Copies the SQLite database in `folder` to PostgreSQL and returns the settings to use it with. */
export function copyToPostgres(folder: string, url: string): Record<string, string> {
  const settings = { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('hex') }
  const args = ['copy', '--from', `sqlite:${join(folder, 'punctual.db')}`, '--to', url]
  const copied = spawnSync(process.execPath, [join(packageRoot, 'dist/main.js'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: folder, ...settings },
  })
  if (copied.status !== 0) throw new Error(`the copy failed: ${copied.stderr}`)
  return settings
}

async function inServer({ url }: Cluster, statement: string): Promise<void> {
  const server = await openBeside('', url)
  await server.value(statement)
  await server.close()
}
