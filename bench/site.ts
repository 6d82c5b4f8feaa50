/** What a case measures: the program on a database made for it, or a server that runs already. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Options } from './options.js'
import { nextPort, startProgram } from './program.js'
import { type Seed, type Seeded, seed } from './seed.js'

export interface Site extends Seeded {
  origin: string
  /** The program's process id; 0 for a server that runs already. */
  pid: number
  /** From the start of the process until it answered the first ping (ms). */
  startMs: number
  /** Where the database lies; empty for a server that runs already. */
  folder: string
  stop(): Promise<void>
}

/**
 * Opens the site that `options` name, with `what` on it. `prepare` is given the folder of the filled database before
 * the program starts, and returns the settings to start it with.
 */
export async function openSite(
  options: Options,
  what: Seed,
  prepare: (folder: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<Site> {
  if (options.against) return await fillServer(options.against, what.checks)
  const folder = join(options.folder, `database-${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  const seeded = seed(folder, what)
  const program = await startProgram(
    folder,
    nextPort(),
    `/ping/${seeded.checks.at(-1)!.uuid}`,
    prepare(folder),
  )
  return {
    ...seeded,
    ...program,
    folder,
    async stop() {
      await program.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** How many requests are under way at once while a server is filled. */
const AT_ONCE = 16

/** Makes `wanted` checks on a server that runs already, with an API key of it. */
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
  return { origin: url, key, pingKey: '', checks, pid: 0, startMs: 0, folder: '', stop: async () => {} }
}
