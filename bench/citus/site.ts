/** The program on one PostgreSQL, or on Citus. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/lib/package-root.js'
import { nextPort, type Program, startProgram } from '../program.js'
import { fillServer } from '../site.js'
import { distribute, type Node, nameOf } from './nodes.js'

export interface CitusSite {
  name: string
  nodes: readonly Node[]
  program: Program
  /** Of the pings of each check. */
  paths: string[]
}

/** Starts the program in a new folder, with checks that were made before they were distributed. */
export async function openCitusSite(
  nodes: readonly Node[],
  folder: string,
  { checks: wanted, shards }: { checks: number; shards: number },
): Promise<CitusSite> {
  mkdirSync(folder)
  const { url } = nodes[0]!
  const settings = { SECRET_KEY: 'bench-bench-bench-bench-bench-bench', DATABASE_URL: url }
  const first = await startProgram(folder, nextPort(), '/live', settings)
  const env = { PATH: process.env.PATH, DATA_DIR: folder, SITE_ROOT: first.origin, ...settings }
  const main = join(packageRoot, 'dist/main.js')
  const made = spawnSync(process.execPath, [main, 'project', 'create', 'Bench', '--json'], {
    env,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(made.stderr)
  const { api_key: key } = JSON.parse(made.stdout)
  const { checks } = await fillServer({ url: first.origin, key }, wanted)
  await first.stop()
  await distribute(nodes, shards)
  const program = await startProgram(folder, nextPort(), '/live', settings)
  return { name: nameOf(nodes), nodes, program, paths: checks.map(({ uuid }) => `/ping/${uuid}`) }
}
