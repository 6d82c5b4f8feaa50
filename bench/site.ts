/** What a case measures: the program on a database made for it, or a server that is already running. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openBeside } from './database.js'
import type { Options } from './options.js'
import { copyToPostgres, dropDatabase, makeDatabase } from './postgres-site.js'
import { type ProcessorTimes, processorTimes } from './processor-time.js'
import { nextPort, startProgram } from './program.js'
import { type Seed, type Seeded, seed } from './seed.js'

export interface Site extends Seeded {
  origin: string
  /** The program's process ID; 0 for a server that was already running. */
  pid: number
  /** From the start of the process to its answer to the first ping (ms). */
  startMs: number
  /** The settings with which the program finds its database; other commands need them too. */
  settings: Readonly<Record<string, string>>
  /** The processor time of the program and its database so far; empty for a server that was already running. */
  times(): ProcessorTimes
  /** Opens the program's database. */
  openDatabase(): Promise<Database>
  stop(): Promise<void>
}

/**
 * Opens the site that `options` name, with `what` on it: on the PostgreSQL server of `options`, or on SQLite. The
 * program is started with `settings`.
 */
export async function openSite(
  options: Options,
  what: Seed,
  settings: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const { against, server } = options
  if (against) return await fillServer(against, what.checks)
  const folder = join(options.folder, `database-${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  const seeded = seed(folder, what)
  const database = server && (await makeDatabase(server))
  const all = { DATA_DIR: folder, ...settings, ...(database && copyToPostgres(folder, database.url)) }
  const program = await startProgram(folder, nextPort(), `/ping/${seeded.checks.at(-1)!.uuid}`, all)
  const backends = database && { folder: server!.folder, database: database.name }
  return {
    ...seeded,
    ...program,
    settings: all,
    times: () => processorTimes(program.pid, backends),
    openDatabase: () => openBeside(folder, database?.url),
    async stop() {
      await program.stop()
      if (database) await dropDatabase(server!, database)
      rmSync(folder, { recursive: true })
    },
  }
}

/** The number of concurrent requests while a server is filled. */
const AT_ONCE = 16

/** Creates `wanted` checks on a server that is already running, with an API key of it. */
export async function fillServer({ url, key }: { url: string; key: string }, wanted: number): Promise<Site> {
  const headers = { 'X-Api-Key': key }
  const checks: Seeded['checks'] = []
  let asked = 0
  const work = async () => {
    while (asked < wanted) {
      const slug = `job-${asked++}`
      const body = JSON.stringify({ name: slug, slug, timeout: 3600, grace: 60, unique: ['name'] })
      const response = await fetch(`${url}/api/v3/checks/`, { method: 'POST', headers, body })
      if (!response.ok) throw new Error(`making a check: ${response.status} ${await response.text()}`)
      const { uuid, badge_url } = (await response.json()) as { uuid: string; badge_url: string }
      checks.push({ uuid, slug, badgeKey: /\/b\/2\/(.+)\.svg$/.exec(badge_url)?.[1] ?? '' })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const openDatabase = () =>
    Promise.reject(new Error('a server that runs already has its database elsewhere'))
  const nothing = {
    pingKey: '',
    pid: 0,
    startMs: 0,
    settings: {},
    times: () => new Map(),
    stop: async () => {},
  }
  return { origin: url, key, checks, openDatabase, ...nothing }
}
